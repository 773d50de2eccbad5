#include "host/geometry/mesh_io.hpp"

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

/// Null: files that end so are no meshes.
Parser parser_of(const std::string& kind) {
  if (kind == ".stl") return parse_stl;
  if (kind == ".obj") return parse_obj;
  if (kind == ".ply") return parse_ply;
  if (kind == ".vtk") return parse_vtk_surface;
  return kind == ".vtp" ? parse_vtp : nullptr;
}

}  // namespace

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
  const auto& [scale, rotate, translate] = placement;
  const std::string name = file.string();
  const std::string kind = lower_case(file.extension().string());
  if (!is_mesh_file(file)) throw CaseError(name, "a mesh file ends in .stl, .obj, .ply, .vtk or .vtp");
  if (!std::isfinite(scale) || !(scale > 0)) throw CaseError(name, "scale must be > 0, got " + number_text(scale));
  if (!is_finite(translate)) throw CaseError(name, "translate must be finite");
  const std::string content = read_bytes(file, "a mesh file");
  const TriangleSoup soup = parser_of(kind)(content, name);
  TriangleMesh mesh = weld(soup, name, warnings);
  if (rotate) { turn(mesh.vertices, *rotate); }  // before it is scaled, which makes no difference
  for (Real3& vertex : mesh.vertices) {
    vertex = add(scaled(vertex, scale), translate);
    constexpr double farthest = 1e30;  // as of numbers of a case
    for (const double x : vertex) {
      if (!(std::fabs(x) <= farthest)) {
        throw CaseError(name, "is too large: scale and translate carry it beyond " + number_text(farthest) + " m");
      }
    }
  }
  return mesh;
}

}  // namespace scree::geometry
