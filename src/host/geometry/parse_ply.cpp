#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "host/geometry/mesh_io.hpp"
#include "host/geometry/polygon.hpp"
#include "host/text/text_lines.hpp"
#include "scree/errors.hpp"

namespace scree::geometry {
namespace {

enum class NumberType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };
enum class Encoding { ascii, little_endian, big_endian };

std::optional<NumberType> type_of(std::string_view word) {
  if (word == "char" || word == "int8") return NumberType::int8;
  if (word == "uchar" || word == "uint8") return NumberType::uint8;
  if (word == "short" || word == "int16") return NumberType::int16;
  if (word == "ushort" || word == "uint16") return NumberType::uint16;
  if (word == "int" || word == "int32") return NumberType::int32;
  if (word == "uint" || word == "uint32") return NumberType::uint32;
  if (word == "float" || word == "float32") return NumberType::float32;
  if (word == "double" || word == "float64") return NumberType::float64;
  return std::nullopt;
}

std::size_t bytes_of(NumberType type) {
  switch (type) {
    case NumberType::int8:
    case NumberType::uint8: return 1;
    case NumberType::int16:
    case NumberType::uint16: return 2;
    case NumberType::int32:
    case NumberType::uint32:
    case NumberType::float32: return 4;
    case NumberType::float64: return 8;
  }
  return 8;
}

struct Property {
  std::string name;
  NumberType type = NumberType::float32;
  std::optional<NumberType> count;  ///< number type of the length; none if the property is not a list
};
struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::vector<Property> properties;
};

class PlyFile {
 public:
  PlyFile(const std::string& content, const std::string& name) : rest_(content), name_(name) {}

  TriangleSoup read() {
    read_header();
    for (const Element& element : elements_) {
      // Each row has at least one byte, so this check bounds the work for a wrong count.
      if (element.count > rest_.size() || (element.properties.empty() && element.count > 0)) {
        fail("is truncated: its header says " + std::to_string(element.count) + " rows of \"" + element.name + "\"");
      }
      for (std::uint64_t row = 0; row < element.count; ++row) read_row(element);
    }
    return std::move(soup_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw CaseError(name_, message); }
  [[noreturn]] void fail_at(std::size_t line, const std::string& message) const {
    fail("line " + std::to_string(line) + ": " + message);
  }

  std::string_view next_line() {
    const auto end = rest_.find('\n');
    if (end == std::string_view::npos) fail("is truncated: its header has no \"end_header\"");
    const std::string_view line = trimmed(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return line;
  }

  void read_header() {
    if (rest_.substr(0, 3) != "ply" || trimmed(rest_.substr(0, rest_.find('\n'))) != "ply") {
      fail("is no PLY file: it does not start with a line \"ply\"");
    }
    bool has_format = false;
    for (std::size_t number = 1;; ++number) {
      const std::string_view text = next_line();
      if (text == "end_header") break;
      for_each_line(text, [&](const TextLine& line) {
        const auto& words = line.words;
        if (words[0] == "format") has_format = true;
        take_header(words, number);
      });
    }
    if (!has_format) fail("is no PLY file: its header has no \"format\"");
  }

  void take_header(const std::vector<std::string_view>& words, std::size_t line) {
    if (words[0] == "ply" || words[0] == "comment" || words[0] == "obj_info") return;
    if (words[0] == "format" && words.size() == 3) {
      if (words[1] == "ascii") return void(encoding_ = Encoding::ascii);
      if (words[1] == "binary_little_endian") return void(encoding_ = Encoding::little_endian);
      if (words[1] == "binary_big_endian") return void(encoding_ = Encoding::big_endian);
    } else if (words[0] == "element" && words.size() == 3) {
      const auto count = parse_number(words[2]);
      if (!count || !(*count >= 0 && *count <= 0x1p40) || *count != std::floor(*count)) {
        fail_at(line, "\"" + std::string(words[2]) + "\" is not a number of rows");
      }
      elements_.push_back({std::string(words[1]), static_cast<std::uint64_t>(*count), {}});
      return;
    } else if (words[0] == "property" && !elements_.empty()) {
      const bool is_list = words.size() == 5 && words[1] == "list";
      const auto type = is_list ? type_of(words[3]) : (words.size() == 3 ? type_of(words[1]) : std::nullopt);
      const auto count = is_list ? type_of(words[2]) : std::nullopt;
      if (type && (!is_list || count)) {
        elements_.back().properties.push_back({std::string(words.back()), *type, count});
        return;
      }
    }
    fail_at(line, "\"" + std::string(words[0]) + "\" is not understood");
  }

  double next_number(NumberType type) { return encoding_ == Encoding::ascii ? next_word() : next_bytes(type); }

  double next_word() {
    const auto begin = rest_.find_first_not_of(" \t\r\n\v\f");
    if (begin == std::string_view::npos) fail("is truncated");
    rest_.remove_prefix(begin);
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t\r\n\v\f"));
    rest_.remove_prefix(word.size());
    const auto value = parse_number(word);
    if (!value) fail("\"" + std::string(word.substr(0, 40)) + "\" is not a number");
    return *value;
  }

  double next_bytes(NumberType type) {
    const std::size_t size = bytes_of(type);
    if (rest_.size() < size) fail("is truncated");
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t at = encoding_ == Encoding::little_endian ? size - 1 - k : k;
      bits = (bits << 8U) | static_cast<unsigned char>(rest_[at]);
    }
    rest_.remove_prefix(size);
    switch (type) {
      case NumberType::int8: return static_cast<std::int8_t>(bits);
      case NumberType::int16: return static_cast<std::int16_t>(bits);
      case NumberType::int32: return static_cast<std::int32_t>(bits);
      case NumberType::float32: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
      case NumberType::float64: return std::bit_cast<double>(bits);
      default: return static_cast<double>(bits);
    }
  }

  void read_row(const Element& element) {
    Real3 place{};
    for (const Property& property : element.properties) {
      if (property.count) {
        const double length = next_number(*property.count);
        if (!(length >= 0 && length <= static_cast<double>(rest_.size())) || length != std::floor(length)) {
          fail("is truncated or damaged: a list of \"" + element.name + "\" has a wrong length");
        }
        list_.clear();
        for (double n = 0; n < length; ++n) list_.push_back(next_number(property.type));
        if (element.name == "face" && (property.name == "vertex_indices" || property.name == "vertex_index"))
          add_face();
        continue;
      }
      const double value = next_number(property.type);
      if (property.name == "x") place[0] = value;
      if (property.name == "y") place[1] = value;
      if (property.name == "z") place[2] = value;
    }
    if (element.name == "vertex") vertices_.push_back(place);
  }

  void add_face() {
    const std::string place = "face " + std::to_string(++faces_) + ": ";
    if (list_.size() < 3) fail(place + "a face needs at least three vertices");
    for (const double index : list_) {
      if (!(index >= 0 && index < static_cast<double>(vertices_.size())) || index != std::floor(index)) {
        fail(place + "a vertex does not exist; " + std::to_string(vertices_.size()) +
             " vertices stand before the faces");
      }
    }
    std::vector<Real3> corners;
    for (const double index : list_) { corners.push_back(vertices_[static_cast<std::size_t>(index)]); }
    const auto cut = triangles_of_face(corners);
    if (!cut) fail(place + "it crosses itself, or is not convex and has too many corners");
    for (const auto& [a, b, c] : *cut) { soup_.triangles.push_back({corners[a], corners[b], corners[c]}); }
  }

  std::string_view rest_;
  const std::string& name_;
  Encoding encoding_ = Encoding::ascii;
  std::vector<Element> elements_;
  std::vector<Real3> vertices_;
  std::vector<double> list_;
  std::size_t faces_ = 0;
  TriangleSoup soup_;
};

}  // namespace

TriangleSoup parse_ply(const std::string& content, const std::string& name) {
  if (content.empty()) throw CaseError(name, "is empty");
  return PlyFile(content, name).read();
}

}  // namespace scree::geometry
