#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <vector>

#include "host/geometry/mesh_io.hpp"
#include "host/geometry/polygon.hpp"
#include "host/text/text_lines.hpp"
#include "scree/errors.hpp"

namespace scree::geometry {
namespace {

class ObjFile {
 public:
  explicit ObjFile(const std::string& name) : name_(name) {}

  void take(const TextLine& line) {
    if (line.words[0] == "v") take_vertex(line);
    if (line.words[0] == "f") take_face(line);
    if (line.words[0] == "o" || line.words[0] == "g") soup_.begin_part(std::span(line.words).subspan(1));
    // Textures, normals, materials, lines and comments do not change the surface.
  }

  TriangleSoup finish() { return std::move(soup_); }

 private:
  void take_vertex(const TextLine& line) {
    if (line.words.size() < 4) fail(line, "a vertex needs three numbers");
    Real3 vertex{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto value = parse_number(line.words[axis + 1]);
      if (!value) fail(line, "\"" + std::string(line.words[axis + 1]) + "\" is not a number");
      vertex[axis] = *value;
    }
    vertices_.push_back(vertex);
  }

  void take_face(const TextLine& line) {
    if (line.words.size() < 4) fail(line, "a face needs at least three vertices");
    std::vector<Real3> corners;
    for (std::size_t k = 1; k < line.words.size(); ++k) { corners.push_back(corner(line, line.words[k])); }
    const auto cut = triangles_of_face(corners);
    if (!cut) fail(line, "the face crosses itself, or is not convex and has too many corners");
    for (const auto& [a, b, c] : *cut) { soup_.add({corners[a], corners[b], corners[c]}, line.number); }
  }

  /// The vertex of `7`, `7/1`, `7//2` or `7/1/2`; negative numbers count back from the last vertex read.
  Real3 corner(const TextLine& line, std::string_view word) const {
    const std::string_view digits = word.substr(0, word.find('/'));
    std::int64_t index = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (error != std::errc{} || end != digits.data() + digits.size() || digits.empty()) {
      fail(line, "\"" + std::string(word) + "\" is not a vertex of a face");
    }
    const auto count = static_cast<std::int64_t>(vertices_.size());
    const std::int64_t from_zero = index < 0 ? count + index : index - 1;
    if (index == 0 || from_zero < 0 || from_zero >= count) {
      fail(line, "vertex " + std::to_string(index) + " does not exist; " + std::to_string(count) +
                     " vertices were read before this line");
    }
    return vertices_[static_cast<std::size_t>(from_zero)];
  }

  [[noreturn]] void fail(const TextLine& line, const std::string& message) const {
    throw CaseError(name_, "line " + std::to_string(line.number) + ": " + message);
  }

  const std::string& name_;
  std::vector<Real3> vertices_;
  TriangleSoup soup_;
};

}  // namespace

TriangleSoup parse_obj(const std::string& content, const std::string& name) {
  if (content.empty()) throw CaseError(name, "is empty");
  ObjFile file(name);
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  const std::string_view text = content;
  for_each_line(text.starts_with(byte_order_mark) ? text.substr(byte_order_mark.size()) : text,
                [&](const TextLine& line) { file.take(line); });
  return file.finish();
}

}  // namespace scree::geometry
