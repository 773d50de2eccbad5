#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/scene.hpp"

namespace scree::geometry {

/// Triangles as a file lists them: each has its own three corners, and no vertices are shared.
struct TriangleSoup {
  std::vector<std::array<Real3, 3>> triangles;  ///< [file unit]
  std::vector<std::size_t> lines;               ///< [n_triangles] line in the file, from 1; empty for binary files
  std::vector<std::string> parts;               ///< names of solids, objects or groups, each once; empty without names
  std::vector<std::uint32_t> part_of;           ///< [n_triangles] index into `parts`; empty if `parts` is

  /// Begins the part with the name that these words make: triangles added from now on belong to it.
  void begin_part(std::span<const std::string_view> words);
  /// Adds a triangle that stands in this line of the file.
  void add(const std::array<Real3, 3>& triangle, std::size_t line);
  /// The place of a triangle for messages: "triangle 7", or "line 12 (triangle 7)" for text files.
  [[nodiscard]] std::string place(std::size_t index) const;

 private:
  std::uint32_t current_part_ = 0;
  std::map<std::string, std::uint32_t> index_of_part_;
};

/// How the surface of a file is placed: it is multiplied by `scale`, then rotated, then shifted.
struct MeshPlacement {
  double scale = 1;              ///< factor from the units of the file to metres
  std::optional<Turn> rotate{};  ///< about an axis through the origin
  Real3 translate{};             ///< [m]
  /// Reads only this part of the file: a solid of a text STL file, or an object or group of an OBJ file.
  std::optional<std::string> part{};
};

/// Reads an STL (text or binary, told apart by content), OBJ, PLY or VTK file (.vtk, .vtp) and places the mesh [m].
/// Corners closer to each other than 1e-9 of the largest edge of the bounding box become one vertex; vertices keep the
/// order of the file. Triangles whose corners coincide, that have no area or that repeat another triangle are dropped
/// with a line in `warnings`. Throws CaseError (path: file name, message: place and rule) if the file cannot be read,
/// is truncated or empty, has a coordinate that is not finite, has no triangle with an area, or lacks the part.
[[nodiscard]] TriangleMesh read_mesh(const std::filesystem::path& file, const MeshPlacement& placement,
                                     std::vector<std::string>& warnings);

/// Whether the extension of a file is .stl, .obj, .ply, .vtk or .vtp, in any case.
[[nodiscard]] bool is_mesh_file(const std::filesystem::path& file);

/// The bytes of a file. Throws CaseError (path: file name) if the file cannot be read. `what` names the expected kind
/// of file in the message, such as "a mesh file".
[[nodiscard]] std::string read_bytes(const std::filesystem::path& file, const std::string& what);

/// Joins coinciding corners of a triangle soup to the vertices of a mesh. The rules and errors are those of
/// read_mesh(); `name` is the path of the error.
[[nodiscard]] TriangleMesh weld(const TriangleSoup& soup, const std::string& name, std::vector<std::string>& warnings);

// Parsers of whole file contents. Each throws CaseError with the path `name` if the content is damaged or unknown.

[[nodiscard]] TriangleSoup parse_stl(const std::string& content, const std::string& name);
[[nodiscard]] TriangleSoup parse_obj(const std::string& content, const std::string& name);
[[nodiscard]] TriangleSoup parse_ply(const std::string& content, const std::string& name);
/// Parses a legacy VTK file (.vtk, versions 1 to 5.1, text or binary) with a PolyData surface. Polygons and triangle
/// strips are cut into triangles.
[[nodiscard]] TriangleSoup parse_vtk_surface(const std::string& content, const std::string& name);
/// Parses an XML VTK file (.vtp) with a PolyData surface. Its arrays may be text or binary, inline or appended, base64
/// or raw, plain or compressed by zlib.
[[nodiscard]] TriangleSoup parse_vtp(const std::string& content, const std::string& name);

}  // namespace scree::geometry
