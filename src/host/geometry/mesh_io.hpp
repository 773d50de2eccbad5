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

/// Triangles as they stand in a file: corner positions, nothing shared yet.
struct TriangleSoup {
  std::vector<std::array<Real3, 3>> triangles;  ///< [file unit]
  std::vector<std::size_t> lines;               ///< where each one stands, from 1; empty: in no text
  std::vector<std::string> parts;               ///< names of solids, objects or groups, each once; empty: none has one
  std::vector<std::uint32_t> part_of;           ///< [n_triangles] into `parts`; empty where that is

  /// The triangles from here on, which have a line each, belong to the part that these words name.
  void begin_part(std::span<const std::string_view> words);
  void add(const std::array<Real3, 3>& triangle, std::size_t line);
  /// "triangle 7", with its line where there are any.
  [[nodiscard]] std::string place(std::size_t index) const;

 private:
  std::uint32_t current_part_ = 0;
  std::map<std::string, std::uint32_t> index_of_part_;
};

/// Where the surface of a file is put: multiplied by `scale`, then turned, then shifted.
struct MeshPlacement {
  double scale = 1;              ///< [-] from the units of the file to metres
  std::optional<Turn> rotate{};  ///< about an axis through the origin
  Real3 translate{};             ///< [m]
  std::optional<std::string>
      part{};  ///< only this part of the file: a solid of a text STL, an object or group of an OBJ
};

/// Reads an STL (text or binary, told apart by content), OBJ, PLY or VTK file (.vtk, .vtp) and puts it in its place.
/// Corners closer than 1e-9 of the bounding box become one vertex, in the order of the file; triangles that collapse by
/// that are dropped with a line in `warnings`, and so are those without area and those that repeat another one. Throws
/// CaseError (path: file name, message: place and rule) for a file that cannot be read, is truncated, empty or not
/// finite, holds no triangle with an area, or has no such part.
[[nodiscard]] TriangleMesh read_mesh(const std::filesystem::path& file, const MeshPlacement& placement,
                                     std::vector<std::string>& warnings);

/// Whether the ending of a file is that of a mesh.
[[nodiscard]] bool is_mesh_file(const std::filesystem::path& file);

/// The bytes of a file. Throws CaseError (path: file name) if it cannot be read; `what` is what is needed, as "a mesh
/// file".
[[nodiscard]] std::string read_bytes(const std::filesystem::path& file, const std::string& what);

/// Joins the corners of a soup to a mesh; rules and errors as read_mesh, `name` is the path of the error.
[[nodiscard]] TriangleMesh weld(const TriangleSoup& soup, const std::string& name, std::vector<std::string>& warnings);

/// Parsers of whole file contents; `name` is the path of their CaseError.
[[nodiscard]] TriangleSoup parse_stl(const std::string& content, const std::string& name);
[[nodiscard]] TriangleSoup parse_obj(const std::string& content, const std::string& name);
[[nodiscard]] TriangleSoup parse_ply(const std::string& content, const std::string& name);
/// Polygons and triangle strips of VTK's PolyData; polygons are cut into triangles. Legacy files (.vtk) of versions 1
/// to 5.1, text or binary; XML files (.vtp) whose arrays are text, inline or appended, base64 or raw, plain or
/// compressed by zlib.
[[nodiscard]] TriangleSoup parse_vtk_surface(const std::string& content, const std::string& name);
[[nodiscard]] TriangleSoup parse_vtp(const std::string& content, const std::string& name);

}  // namespace scree::geometry
