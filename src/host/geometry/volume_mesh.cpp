#include "host/geometry/volume_mesh.hpp"

#include <optional>

#include "scree/errors.hpp"

namespace scree::geometry {
namespace {

enum class Solid { none, tetrahedron, quadratic_tetrahedron, voxel, hexahedron, wedge, pyramid };

/// The kind of solid that a type number of VTK stands for; nothing for unknown types.
std::optional<Solid> solid_of(std::uint64_t type) {
  switch (type) {
    case 10:
    case 71: return Solid::tetrahedron;
    case 24: return Solid::quadratic_tetrahedron;
    case 11: return Solid::voxel;
    case 12:
    case 25:
    case 29:
    case 33:
    case 72: return Solid::hexahedron;
    case 13:
    case 26:
    case 31:
    case 32:
    case 73: return Solid::wedge;
    case 14:
    case 27:
    case 37:
    case 74: return Solid::pyramid;
    default: break;
  }
  const bool is_flat = (type >= 1 && type <= 9) || (type >= 21 && type <= 23) || type == 28 || type == 30 ||
                       (type >= 34 && type <= 36) || (type >= 68 && type <= 70);
  return is_flat ? std::optional(Solid::none) : std::nullopt;
}

std::size_t corners_of(Solid solid) {
  switch (solid) {
    case Solid::none: return 0;
    case Solid::tetrahedron: return 4;
    case Solid::pyramid: return 5;
    case Solid::wedge: return 6;
    case Solid::quadratic_tetrahedron: return 10;
    case Solid::voxel:
    case Solid::hexahedron: return 8;
  }
  return 0;
}

}  // namespace

void VolumeMesh::add_cell(std::uint64_t type, std::span<const std::uint64_t> corners) {
  const auto solid = solid_of(type);
  if (!solid) throw CaseError("", "has cells of type " + std::to_string(type) + ", which is not known");
  if (corners.size() < corners_of(*solid)) {
    throw CaseError("", "has a cell of type " + std::to_string(type) + " with " + std::to_string(corners.size()) +
                            " points; cells of this type need " + std::to_string(corners_of(*solid)));
  }
  std::array<std::uint32_t, 10> at{};
  for (std::size_t k = 0; k < corners_of(*solid); ++k) {
    if (corners[k] >= points.size()) {
      throw CaseError("", "has a cell with point " + std::to_string(corners[k]) + "; there are " +
                              std::to_string(points.size()) + " points, numbered from 0");
    }
    at[k] = static_cast<std::uint32_t>(corners[k]);
  }
  const auto add_tetrahedron = [&](std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    tetrahedra.push_back({at[a], at[b], at[c], at[d]});
  };
  const auto add_hexahedron = [&](const std::array<std::size_t, 8>& order) {
    auto& cell = hexahedra.emplace_back();
    for (std::size_t k = 0; k < 8; ++k) cell[k] = at[order[k]];
  };
  switch (*solid) {
    case Solid::none: ++left_out; break;
    case Solid::tetrahedron: add_tetrahedron(0, 1, 2, 3); break;
    case Solid::quadratic_tetrahedron:  // four at the corners, and four around the diagonal 4-9 of the octahedron left
      add_tetrahedron(0, 4, 6, 7);
      add_tetrahedron(4, 1, 5, 8);
      add_tetrahedron(6, 5, 2, 9);
      add_tetrahedron(7, 8, 9, 3);
      add_tetrahedron(4, 9, 5, 6);
      add_tetrahedron(4, 9, 6, 7);
      add_tetrahedron(4, 9, 7, 8);
      add_tetrahedron(4, 9, 8, 5);
      break;
    case Solid::hexahedron: add_hexahedron({0, 1, 2, 3, 4, 5, 6, 7}); break;
    case Solid::voxel: add_hexahedron({0, 1, 3, 2, 4, 5, 7, 6}); break;
    case Solid::wedge:
      add_tetrahedron(0, 1, 2, 5);
      add_tetrahedron(0, 1, 5, 4);
      add_tetrahedron(0, 4, 5, 3);
      break;
    case Solid::pyramid:
      add_tetrahedron(0, 1, 2, 4);
      add_tetrahedron(0, 2, 3, 4);
      break;
  }
}

}  // namespace scree::geometry
