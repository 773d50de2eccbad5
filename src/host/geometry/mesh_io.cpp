#include "host/geometry/mesh_io.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <system_error>

#include "host/geometry/real3.hpp"
#include "host/geometry/turn.hpp"
#include "host/text/input_file.hpp"
#include "host/text/text.hpp"
#include "host/text/text_lines.hpp"
#include "scree/errors.hpp"

namespace scree::geometry {
namespace {

using Parser = TriangleSoup (*)(const std::string& content, const std::string& name);

/// The parser of files with this extension in lower case; null if it is not the extension of a mesh file.
Parser parser_of(const std::string& extension) {
  if (extension == ".stl") return parse_stl;
  if (extension == ".obj") return parse_obj;
  if (extension == ".ply") return parse_ply;
  if (extension == ".vtk") return parse_vtk_surface;
  return extension == ".vtp" ? parse_vtp : nullptr;
}

TriangleSoup part_of(const TriangleSoup& soup, const std::string& part, const std::string& name) {
  if (soup.parts.empty()) {
    throw CaseError(name, "has no parts with names: only text STL files (solids) and OBJ files (objects, groups) do");
  }
  const auto found = std::find(soup.parts.begin(), soup.parts.end(), part);
  if (found == soup.parts.end()) {
    constexpr std::size_t most_listed = 12;
    if (soup.parts.size() > most_listed && !nearest_name(part, soup.parts)) {
      throw CaseError(name, "has no part \"" + part + "\"; it has " + count_text(soup.parts.size()) + " others");
    }
    throw CaseError(name, "has no part \"" + part + "\"; " + suggestion(part, soup.parts));
  }
  TriangleSoup result;
  for (std::size_t t = 0; t < soup.triangles.size(); ++t) {
    if (soup.part_of[t] != static_cast<std::size_t>(found - soup.parts.begin())) continue;
    result.triangles.push_back(soup.triangles[t]);
    result.lines.push_back(soup.lines[t]);
  }
  if (result.triangles.empty()) throw CaseError(name, "has no triangle in its part \"" + part + "\"");
  return result;
}

}  // namespace

void TriangleSoup::begin_part(std::span<const std::string_view> words) {
  std::string part;
  for (const std::string_view word : words) {
    if (!part.empty()) part += ' ';
    part += word;
  }
  // Triangles before the first name belong to a part with an empty name.
  if (parts.empty() && !triangles.empty()) {
    parts.emplace_back();
    index_of_part_.try_emplace("", 0);
  }
  part_of.resize(triangles.size(), 0);
  const auto [known, is_new] = index_of_part_.try_emplace(part, static_cast<std::uint32_t>(parts.size()));
  current_part_ = known->second;
  if (is_new) parts.push_back(std::move(part));
}

void TriangleSoup::add(const std::array<Real3, 3>& triangle, std::size_t line) {
  triangles.push_back(triangle);
  lines.push_back(line);
  if (!parts.empty()) part_of.push_back(current_part_);
}

bool is_mesh_file(const std::filesystem::path& file) {
  return parser_of(lower_case(file.extension().string())) != nullptr;
}

std::string read_bytes(const std::filesystem::path& file, const std::string& what) {
  const std::string name = file.string();
  std::error_code error;
  if (const auto problem = input_file_problem(file, what)) throw CaseError(name, *problem);
  std::ifstream in(file, std::ios::binary);
  constexpr std::size_t block = std::size_t{1} << 20;
  std::string content;
  const auto size = std::filesystem::file_size(file, error);
  if (!error) content.reserve(static_cast<std::size_t>(size) + block);
  while (in) {
    const std::size_t begin = content.size();
    content.resize(begin + block);
    in.read(content.data() + begin, static_cast<std::streamsize>(block));
    content.resize(begin + static_cast<std::size_t>(in.gcount()));
  }
  if (!in.eof()) throw CaseError(name, "cannot be read");
  return content;
}

std::string TriangleSoup::place(std::size_t index) const {
  const std::string number = "triangle " + std::to_string(index + 1);
  return lines.empty() ? number : "line " + std::to_string(lines[index]) + " (" + number + ")";
}

TriangleMesh read_mesh(const std::filesystem::path& file, const MeshPlacement& placement,
                       std::vector<std::string>& warnings) {
  const auto& [scale, rotate, translate, part] = placement;
  const std::string name = file.string();
  const Parser parser = parser_of(lower_case(file.extension().string()));
  if (parser == nullptr) throw CaseError(name, "a mesh file ends in .stl, .obj, .ply, .vtk or .vtp");
  if (!std::isfinite(scale) || !(scale > 0)) throw CaseError(name, "scale must be > 0, got " + number_text(scale));
  if (!is_finite(translate)) throw CaseError(name, "translate must be finite");
  const std::string content = read_bytes(file, "a mesh file");
  TriangleSoup soup = parser(content, name);
  if (part) soup = part_of(soup, *part, name);
  TriangleMesh mesh = weld(soup, name, warnings);
  if (rotate) { turn(mesh.vertices, *rotate); }  // a uniform scale and a rotation commute
  for (Real3& vertex : mesh.vertices) {
    vertex = add(scaled(vertex, scale), translate);
    constexpr double farthest = 1e30;  // the limit of numbers in a case
    for (const double x : vertex) {
      if (!(std::fabs(x) <= farthest)) {
        throw CaseError(name, "is too large: scale and translate carry it beyond " + number_text(farthest) + " m");
      }
    }
  }
  return mesh;
}

}  // namespace scree::geometry
