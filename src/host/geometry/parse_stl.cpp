#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

#include "host/geometry/mesh_io.hpp"
#include "host/geometry/real3.hpp"
#include "host/text/text_lines.hpp"
#include "scree/errors.hpp"

namespace scree::geometry {
namespace {

constexpr std::size_t header_bytes = 84, triangle_bytes = 50;

std::uint32_t read_u32(const std::string& content, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(content[at + k])) << (8 * k);
  }
  return value;
}

double read_f32(const std::string& content, std::size_t at) {
  return static_cast<double>(std::bit_cast<float>(read_u32(content, at)));
}

bool looks_like_text(std::string_view start) {
  return std::none_of(start.begin(), start.end(), [](char c) {
    return static_cast<unsigned char>(c) < 32 && std::string_view("\t\n\v\f\r").find(c) == std::string_view::npos;
  });
}

bool has_binary_size(const std::string& content) {
  return content.size() >= header_bytes &&
         content.size() == header_bytes + triangle_bytes * std::uint64_t{read_u32(content, 80)};
}

TriangleSoup parse_binary(const std::string& content, const std::string& name) {
  if (content.size() < header_bytes) {
    throw CaseError(name, "is no STL file: a binary one has at least " + std::to_string(header_bytes) +
                              " bytes, this one has " + std::to_string(content.size()));
  }
  const std::uint64_t count = read_u32(content, 80);
  const std::uint64_t expected = header_bytes + triangle_bytes * count;
  if (content.size() != expected) {
    throw CaseError(name, std::string(content.size() < expected ? "is truncated" : "has bytes left over") +
                              ": its header says " + std::to_string(count) + " triangles, which is " +
                              std::to_string(expected) + " bytes, the file has " + std::to_string(content.size()));
  }
  TriangleSoup soup;
  soup.triangles.resize(count);
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t corner = 0; corner < 3; ++corner) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t at = header_bytes + triangle_bytes * t + 12 + 12 * corner + 4 * axis;
        soup.triangles[t][corner][axis] = read_f32(content, at);
      }
    }
  }
  return soup;
}

/// A state machine for the lines of a text STL file: facet, outer loop, three vertices, endloop, endfacet.
class TextStl {
 public:
  explicit TextStl(const std::string& name) : name_(name) {}

  void take(const TextLine& line) {
    const auto& words = line.words;
    const std::string key = lower_case(words[0]);
    if (key == "vertex") return take_vertex(line);
    if (key == "facet" && !in_facet_) {
      in_facet_ = true;
      facet_line_ = line.number;
    } else if (key == "outer" && in_facet_ && !in_loop_ && corners_ == 0) {
      in_loop_ = true;
    } else if (key == "endloop" && in_loop_) {
      if (corners_ != 3) fail(line, "a facet needs three vertices, this one has " + std::to_string(corners_));
      in_loop_ = false;
    } else if (key == "endfacet" && in_facet_ && !in_loop_ && corners_ == 3) {
      soup_.add(triangle_, facet_line_);
      in_facet_ = false;
      corners_ = 0;
    } else if ((key != "solid" && key != "endsolid") || in_facet_) {
      fail(line, "\"" + std::string(words[0]) + "\" does not belong here");
    } else {
      open_ = key == "solid";
      if (open_ && (words.size() > 1 || !soup_.parts.empty())) soup_.begin_part(std::span(words).subspan(1));
    }
  }

  TriangleSoup finish(std::size_t lines) {
    if (in_facet_ || open_) {
      throw CaseError(name_, "is truncated: it ends at line " + std::to_string(lines) +
                                 (in_facet_ ? " inside a facet" : " without \"endsolid\""));
    }
    return std::move(soup_);
  }

 private:
  void take_vertex(const TextLine& line) {
    if (!in_loop_ || corners_ == 3) fail(line, "\"vertex\" does not belong here");
    if (line.words.size() != 4) fail(line, "a vertex needs three numbers");
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto value = parse_number(line.words[axis + 1]);
      if (!value) fail(line, "\"" + std::string(line.words[axis + 1]) + "\" is not a number");
      triangle_[corners_][axis] = *value;
    }
    ++corners_;
  }
  [[noreturn]] void fail(const TextLine& line, const std::string& message) const {
    throw CaseError(name_, "line " + std::to_string(line.number) + ": " + message);
  }

  const std::string& name_;
  TriangleSoup soup_;
  std::array<Real3, 3> triangle_{};
  std::size_t corners_ = 0, facet_line_ = 0;
  bool open_ = false, in_facet_ = false, in_loop_ = false;
};

}  // namespace

TriangleSoup parse_stl(const std::string& content, const std::string& name) {
  if (content.empty()) throw CaseError(name, "is empty");
  // Exporters write "solid" into binary headers too, so the size decides first, then whether the start is text.
  if (has_binary_size(content)) return parse_binary(content, name);
  const std::string_view start = std::string_view(content).substr(0, 1024);
  if (!looks_like_text(start)) return parse_binary(content, name);
  if (!lower_case(trimmed(start).substr(0, 5)).starts_with("solid")) {
    throw CaseError(name, "is no STL file: it is text that does not start with \"solid\"");
  }
  TextStl text(name);
  const std::size_t lines = for_each_line(content, [&](const TextLine& line) { text.take(line); });
  return text.finish(lines);
}

}  // namespace scree::geometry
