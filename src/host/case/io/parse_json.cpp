#include <algorithm>
#include <cstddef>
#include <unordered_set>

#include "host/case/io/json.hpp"
#include "host/text/text_lines.hpp"

namespace scree {
namespace {

/// "line 3, column 7" of the character at `position`, which counts from 1.
std::string place(const std::string& text, std::size_t position) {
  const std::size_t end = std::min(position == 0 ? 0 : position - 1, text.size());
  const auto head = std::string_view(text).substr(0, end);
  const auto line = std::count(head.begin(), head.end(), '\n') + 1;
  const auto last = head.rfind('\n');
  const std::size_t column = last == std::string_view::npos ? end + 1 : end - last;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

/// The message of the library without its prefix: "unexpected '}'; expected string literal".
std::string reason(std::string what) {
  for (const std::string_view marker : {"while parsing ", " - "}) {
    const auto at = what.find(marker);
    if (at != std::string::npos) what.erase(0, at + marker.size());
  }
  const auto bracket = what.find("] ");
  if (bracket != std::string::npos && what.front() == '[') what.erase(0, bracket + 2);
  const auto last_read = what.find("; last read: ");
  if (last_read != std::string::npos) {
    const auto end = what.find("'; expected", last_read);
    what.erase(last_read, end == std::string::npos ? std::string::npos : end + 1 - last_read);
  }
  return what;
}

/// The word around the character that ends at `position`, up to the next blank, quote or mark of JSON.
std::string word_at(const std::string& text, std::size_t position) {
  constexpr std::string_view marks = " \t\r\n,:[]{}\"";
  if (position == 0 || position > text.size()) return "";
  const auto before = text.find_last_of(marks, position - 1);
  const auto begin = before == std::string::npos ? 0 : before + 1;
  return begin >= position ? "" : text.substr(begin, std::min(text.find_first_of(marks, begin), text.size()) - begin);
}

/// Names the mistake behind a word that JSON does not know: a word of Python, a unit, a text without quotes. Empty if
/// the word gives no hint.
std::string fault_of_word(const std::string& word) {
  constexpr std::string_view digits = "0123456789";
  const std::string lower = geometry::lower_case(word);
  const std::string bare = lower.substr(std::min(lower.find_first_not_of("+-"), lower.size()));
  if (bare.empty()) return "";
  if (bare == "nan" || bare == "inf" || bare == "infinity") return "\"" + word + "\" is no number of JSON";
  if (lower == "true" || lower == "false" || lower == "null") return "it is written " + lower;
  if (lower.front() == '#') return "comments begin with //";
  if (lower.front() == '\'' || lower.starts_with("\u201c") || lower.starts_with("\u2018")) {
    return "texts stand in straight double quotes";
  }
  if (digits.find(lower.front()) != std::string_view::npos) return "numbers have no unit: all are in SI units";
  if (lower.front() == '.' || lower.front() == '+') return "a number begins with a digit or with a minus";
  return lower.front() >= 'a' && lower.front() <= 'z' ? "texts and keys stand in double quotes: \"" + word + "\"" : "";
}

/// Builds the value and reports keys that are given twice, which the builder of the library drops silently.
class Builder : public nlohmann::json_sax<Json> {
 public:
  Builder(const std::string& text, std::vector<InputProblem>& problems) : text_(text), problems_(problems) {}

  Json take() { return std::move(root_); }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Level& level = levels_.back();
    level.repeated = !level.names.insert(name).second;
    if (level.repeated) problems_.push_back({path(name), "this key is given twice"});
    level.key = name;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    const std::string what = reason(error.what());
    throw CaseError("", "not valid JSON at " + place(text_, position) + ": " + what + likely_slip(what, position));
  }

 private:
  /// A hint at the likely mistake behind a syntax error: the library only says what the grammar allows.
  [[nodiscard]] std::string likely_slip(const std::string& what, std::size_t position) const {
    const auto starts = [&](std::string_view head) { return what.starts_with(head); };
    if (starts("invalid literal") || starts("invalid number; expected digit after '-'")) {
      const std::string fault = fault_of_word(word_at(text_, position));
      return fault.empty() ? "" : "; " + fault;
    }
    if (what.find("ill-formed UTF-8") != std::string::npos) { return "; the file must be saved as UTF-8"; }
    if (starts("unexpected '}'") || starts("unexpected ']'")) {
      return comma_before(position) ? "; the comma before it is one too many" : "";
    }
    const bool is_value = starts("unexpected '{'") || starts("unexpected '['") ||
                          (starts("unexpected ") && what.find(" literal; expected") != std::string::npos);
    if (is_value && (what.ends_with("expected '}'") || what.ends_with("expected ']'"))) {
      return "; is a comma missing before it?";
    }
    const bool number_for_key = what == "unexpected number literal; expected string literal";
    return number_for_key && decimal_comma(position) ? "; decimals are written with a point, not with a comma" : "";
  }

  /// Whether the number that ends at `position` follows a digit and a comma, as in 1,5.
  [[nodiscard]] bool decimal_comma(std::size_t position) const {
    const auto comma = position == 0 ? std::string::npos : text_.find_last_not_of("0123456789.eE+-", position - 1);
    return comma != std::string::npos && comma > 0 && text_[comma] == ',' && text_[comma - 1] >= '0' &&
           text_[comma - 1] <= '9';
  }

  /// Whether the last character before a closing bracket, which ends at `position`, is a comma.
  [[nodiscard]] bool comma_before(std::size_t position) const {
    if (position < 2) { return false; }
    const auto last = text_.find_last_not_of(" \t\r\n", position - 2);
    return last != std::string::npos && text_[last] == ',';
  }

  struct Level {
    Json* value;  ///< valid while the level is open, because its parent gets no other child meanwhile
    std::string key;
    bool repeated = false;                    ///< whether the object had this key before
    std::unordered_set<std::string> names{};  ///< keys so far; the library itself finds a key only by a linear search
  };

  template <class T>
  bool put(T&& value) {
    place_value(Json(std::forward<T>(value)));
    return true;
  }
  bool open(Json value) {
    if (levels_.size() == most_json_levels) {
      throw CaseError("", "must not be nested more than " + std::to_string(most_json_levels) + " levels deep");
    }
    levels_.push_back({.value = place_value(std::move(value)), .key = ""});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return true;
  }

  Json* place_value(Json value) {
    if (levels_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Level& level = levels_.back();
    if (level.value->is_array()) {
      level.value->push_back(std::move(value));
      return &level.value->back();
    }
    if (level.repeated) return &((*level.value)[level.key] = std::move(value));
    auto& members = level.value->get_ref<Json::object_t&>();
    members.emplace_back(level.key, std::move(value));
    return &members.back().second;
  }

  std::string path(const std::string& name) const {
    std::string all;
    for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
      const Level& level = levels_[i];
      all = below(all, level.value->is_array() ? std::to_string(level.value->size() - 1) : level.key);
    }
    return below(all, name);
  }

  const std::string& text_;
  std::vector<InputProblem>& problems_;
  Json root_;
  std::vector<Level> levels_;
};

}  // namespace

Json parse_json(const std::string& text, std::vector<InputProblem>& problems) {
  // The library takes a character of code 0 for the end of the text and leaves out the rest.
  if (const auto zero = text.find('\0'); zero != std::string::npos) {
    const bool is_wide = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
    throw CaseError("", "not valid JSON at " + place(text, zero + 1) + ": a character of code 0" +
                            (is_wide ? "; the file is UTF-16, and must be saved as UTF-8" : ""));
  }
  Builder builder(text, problems);
  if (!Json::sax_parse(text, &builder, nlohmann::detail::input_format_t::json, true, true)) {
    throw CaseError("", "not valid JSON");
  }
  return builder.take();
}

bool try_parse_json(const std::string& text, Json& value, std::vector<InputProblem>& problems) {
  if (!Json::accept(text, true)) return false;
  value = parse_json(text, problems);
  return true;
}

std::string shown(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return value.empty() ? "an empty list" : "a list";
  constexpr std::size_t longest = 60;
  const std::string text = print_json(value);
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

}  // namespace scree
