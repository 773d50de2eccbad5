#include "host/case/io/json.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

constexpr std::size_t line_length = 100;

std::string scalar_text(const Json& value) {
  if (!value.is_number_float()) return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  const auto number = value.get<double>();
  // Without a point it would read back as the integer 0 and lose its sign.
  return number == 0 && std::signbit(number) ? "-0.0" : number_text(number);
}

std::string one_line(const Json& value) {
  if (!value.is_structured()) return scalar_text(value);
  std::string all;
  for (const auto& [key, item] : value.items()) {
    if (!all.empty()) all += ", ";
    if (value.is_object()) all += scalar_text(key) + ": ";
    all += one_line(item);
  }
  if (value.is_array()) return "[" + all + "]";
  return all.empty() ? "{}" : "{ " + all + " }";
}

/// Whether a value goes on one line: an object only if it is short and contains no other object.
bool fits_one_line(const Json& value, const std::string& text, std::size_t column) {
  if (value.empty() || !value.is_structured()) return true;
  if (column + text.size() > line_length) return false;
  if (value.is_array()) return text.find('{') == std::string::npos;
  return text.find('{', 1) == std::string::npos;
}

void print(const Json& value, std::size_t indent, std::size_t column, std::string& out) {
  const std::string line = one_line(value);
  if (fits_one_line(value, line, column)) {
    out += line;
    return;
  }
  const std::string margin(indent + 2, ' ');
  out += value.is_object() ? "{" : "[";
  bool first = true;
  for (const auto& [key, item] : value.items()) {
    out += first ? "\n" + margin : ",\n" + margin;
    first = false;
    const std::string head = value.is_object() ? scalar_text(key) + ": " : "";
    out += head;
    print(item, indent + 2, margin.size() + head.size(), out);
  }
  out += "\n" + std::string(indent, ' ') + (value.is_object() ? "}" : "]");
}

}  // namespace

std::string print_json(const Json& value) {
  std::string out;
  print(value, 0, 0, out);
  return out;
}

}  // namespace scree
