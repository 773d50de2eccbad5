#include "host/modes/given/cell_finder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/geometry/real3.hpp"
#include "scree/errors.hpp"

namespace scree::modes {
namespace {

constexpr std::size_t most_boxes = 128;  ///< along an axis

/// A face of a cell. `sorted` has its corners in ascending order and identifies the face for both of its cells. A
/// triangle repeats its last corner.
struct Face {
  std::array<std::uint32_t, 4> sorted{}, corner{};
};

void append_faces(std::span<const std::uint32_t> cell, std::vector<Face>& faces) {
  static constexpr std::array<std::array<std::size_t, 4>, 4> of_tetrahedron = {
      {{0, 1, 2, 2}, {0, 1, 3, 3}, {0, 2, 3, 3}, {1, 2, 3, 3}}};
  static constexpr std::array<std::array<std::size_t, 4>, 6> of_hexahedron = {
      {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};
  const auto append = [&](const std::array<std::size_t, 4>& corners) {
    Face face;
    for (std::size_t k = 0; k < 4; ++k) face.corner[k] = cell[corners[k]];
    face.sorted = face.corner;
    std::sort(face.sorted.begin(), face.sorted.end());
    if (corners[2] == corners[3]) {  // a triangle repeats the last of its sorted corners, whichever corner was repeated
      std::array<std::uint32_t, 3> three = {face.corner[0], face.corner[1], face.corner[2]};
      std::sort(three.begin(), three.end());
      face.sorted = {three[0], three[1], three[2], three[2]};
    }
    faces.push_back(face);
  };
  if (cell.size() == 4) {
    for (const auto& corners : of_tetrahedron) append(corners);
  } else {
    for (const auto& corners : of_hexahedron) append(corners);
  }
}

}  // namespace

TriangleMesh surface_of(const geometry::VolumeMesh& mesh) {
  std::vector<Face> faces;
  for (const auto& cell : mesh.tetrahedra) append_faces(cell, faces);
  for (const auto& cell : mesh.hexahedra) append_faces(cell, faces);
  std::stable_sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.sorted < b.sorted; });
  TriangleMesh surface;
  surface.vertices = mesh.points;
  for (std::size_t k = 0; k < faces.size();) {
    std::size_t next = k + 1;
    while (next < faces.size() && faces[next].sorted == faces[k].sorted) ++next;
    const auto& corner = faces[k].corner;
    if (next == k + 1) {
      surface.triangles.push_back({corner[0], corner[1], corner[2]});
      if (corner[2] != corner[3]) surface.triangles.push_back({corner[0], corner[2], corner[3]});
    }
    k = next;
  }
  return surface;
}

CellFinder::CellFinder(geometry::VolumeMesh mesh) : mesh_(std::move(mesh)), surface_(surface_of(mesh_)) {
  if (surface_.triangles.empty()) throw CaseError("", "has no surface: each of its cells occurs twice");
  list_cells();
  tree_.emplace(surface_);
}

std::array<std::uint32_t, 8> CellFinder::points_of(std::size_t index) const {
  if (index >= mesh_.tetrahedra.size()) return mesh_.hexahedra[index - mesh_.tetrahedra.size()];
  std::array<std::uint32_t, 8> points{};
  points.fill(mesh_.tetrahedra[index][0]);
  std::copy(mesh_.tetrahedra[index].begin(), mesh_.tetrahedra[index].end(), points.begin());
  return points;
}

SolidCell CellFinder::cell(std::size_t index) const {
  SolidCell cell;
  cell.corners = index < mesh_.tetrahedra.size() ? 4 : 8;
  const auto points = points_of(index);
  for (std::size_t c = 0; c < cell.corners; ++c) cell.corner[c] = mesh_.points[points[c]];
  return cell;
}

std::array<std::size_t, 3> CellFinder::box_at(const Real3& place) const {
  std::array<std::size_t, 3> at{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double part = std::clamp((place[axis] - low_[axis]) / box_[axis], 0.0, static_cast<double>(boxes_[axis]) - 1);
    at[axis] = static_cast<std::size_t>(part);
  }
  return at;
}

void CellFinder::list_cells() {
  constexpr double rounding = 1e-9;
  std::vector<Real3> lower(cells()), upper(cells());
  Real3 high{};
  low_.fill(std::numeric_limits<double>::max());
  high.fill(std::numeric_limits<double>::lowest());
  for (std::size_t index = 0; index < cells(); ++index) {
    const SolidCell of = cell(index);
    lower[index] = upper[index] = of.corner[0];
    for (std::size_t c = 0; c < of.corners; ++c) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        lower[index][axis] = std::min(lower[index][axis], of.corner[c][axis]);
        upper[index][axis] = std::max(upper[index][axis], of.corner[c][axis]);
      }
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low_[axis] = std::min(low_[axis], lower[index][axis]);
      high[axis] = std::max(high[axis], upper[index][axis]);
    }
  }
  const Real3 extent = geometry::subtract(high, low_);
  tolerance_ = rounding * geometry::length(extent);
  if (!(tolerance_ > 0 && std::isfinite(tolerance_))) {
    throw CaseError("", "has points that all lie at one place, or too far from each other");
  }
  const double edge = std::cbrt(extent[0] * extent[1] * extent[2] / static_cast<double>(cells()));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double wanted = edge > 0 ? std::floor(extent[axis] / edge) : 1;
    boxes_[axis] = static_cast<std::size_t>(std::clamp(wanted, 1.0, static_cast<double>(most_boxes)));
    box_[axis] = std::max(extent[axis], tolerance_) / static_cast<double>(boxes_[axis]);
  }
  const auto for_each_box = [&](std::size_t index, auto&& visit) {
    Real3 from = lower[index], to = upper[index];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      from[axis] -= tolerance_;
      to[axis] += tolerance_;
    }
    const auto first = box_at(from), last = box_at(to);
    for (std::size_t k = first[2]; k <= last[2]; ++k) {
      for (std::size_t j = first[1]; j <= last[1]; ++j) {
        for (std::size_t i = first[0]; i <= last[0]; ++i) visit((k * boxes_[1] + j) * boxes_[0] + i);
      }
    }
  };
  first_.assign(boxes_[0] * boxes_[1] * boxes_[2] + 1, 0);
  for (std::size_t index = 0; index < cells(); ++index) {
    for_each_box(index, [&](std::size_t box) { ++first_[box + 1]; });
  }
  for (std::size_t box = 1; box < first_.size(); ++box) first_[box] += first_[box - 1];
  listed_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t index = 0; index < cells(); ++index) {
    for_each_box(index, [&](std::size_t box) { listed_[next[box]++] = static_cast<std::uint32_t>(index); });
  }
}

std::optional<CellFinder::Nearest> CellFinder::least_beyond(const Real3& place) const {
  const auto at = box_at(place);
  const std::size_t box = (at[2] * boxes_[1] + at[1]) * boxes_[0] + at[0];
  std::optional<Nearest> best;
  for (std::size_t k = first_[box]; k < first_[box + 1]; ++k) {
    const SolidCell of = cell(listed_[k]);
    bool is_near = true;
    for (std::size_t axis = 0; axis < 3 && is_near; ++axis) {
      double low = of.corner[0][axis], high = low;
      for (std::size_t c = 1; c < of.corners; ++c) {
        low = std::min(low, of.corner[c][axis]);
        high = std::max(high, of.corner[c][axis]);
      }
      is_near = place[axis] >= low - tolerance_ && place[axis] <= high + tolerance_;
    }
    if (!is_near) continue;
    const auto weights = of.at(place);
    if (!weights || (best && weights->beyond >= best->weights.beyond)) continue;
    best = Nearest{listed_[k], *weights};
    if (weights->beyond == 0) break;
  }
  return best;
}

CellFinder::Found CellFinder::find(const Real3& place) const {
  constexpr double rounding = 1e-7;  // [sizes of a cell]
  if (const auto inside = least_beyond(place); inside && inside->weights.beyond < rounding) {
    return {inside->cell, inside->weights.weight, 0};
  }
  const auto nearest = tree_->nearest(place);
  const auto on_surface = least_beyond(nearest.place);
  if (!on_surface) return {0, {}, std::numeric_limits<double>::infinity()};
  return {on_surface->cell, on_surface->weights.weight, std::sqrt(nearest.squared)};
}

}  // namespace scree::modes
