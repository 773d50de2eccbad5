#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "host/geometry/boundary_shapes.hpp"
#include "host/geometry/mesh_surface.hpp"
#include "host/geometry/mesh_topology.hpp"
#include "host/geometry/open_tube.hpp"
#include "host/geometry/real3.hpp"
#include "host/grains/triangle_tree.hpp"
#include "host/packing/random.hpp"
#include "host/packing/region.hpp"
#include "host/scene/build_scene/boundaries.hpp"
#include "host/scene/build_scene/places_at_start.hpp"
#include "host/text/text.hpp"

/// Warnings about regions of fills and inlets that reach through the wall of a vessel.
namespace scree {
namespace {

using namespace geometry;

enum class Side { inside, outside, unknown };

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

/// The connected pieces of a surface: triangles are connected by an edge that exactly two of them share. Within a piece
/// all triangles get the same orientation, whatever their order of corners is in the file.
std::vector<Triangles> oriented_pieces(const TriangleMesh& mesh) {
  using Edge = std::pair<std::uint32_t, std::uint32_t>;
  std::map<Edge, std::vector<std::size_t>> users;
  const auto edge_of = [](const std::array<std::uint32_t, 3>& triangle, std::size_t k) {
    return Edge(std::minmax(triangle[k], triangle[(k + 1) % 3]));
  };
  Triangles all = mesh.triangles;
  for (std::size_t t = 0; t < all.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) { users[edge_of(all[t], k)].push_back(t); }
  }
  const auto runs_along = [&](std::size_t triangle, std::uint32_t a, std::uint32_t b) {
    const auto& corners = all[triangle];
    for (std::size_t k = 0; k < 3; ++k) {
      if (corners[k] == a && corners[(k + 1) % 3] == b) { return true; }
    }
    return false;
  };
  std::vector<Triangles> pieces;
  std::vector<bool> known(all.size());
  for (std::size_t start = 0; start < all.size(); ++start) {
    if (known[start]) { continue; }
    known[start] = true;
    std::vector<std::size_t> waiting{start};
    Triangles& piece = pieces.emplace_back();
    while (!waiting.empty()) {
      const std::size_t here = waiting.back();
      waiting.pop_back();
      piece.push_back(all[here]);
      for (std::size_t k = 0; k < 3; ++k) {
        const auto& both = users[edge_of(all[here], k)];
        if (both.size() != 2) { continue; }
        const std::size_t there = both[0] == here ? both[1] : both[0];
        if (known[there]) { continue; }
        if (runs_along(there, all[here][k], all[here][(k + 1) % 3])) { std::swap(all[there][0], all[there][1]); }
        known[there] = true;
        waiting.push_back(there);
      }
    }
  }
  return pieces;
}

/// A piece of a surface, with a tree of its triangles.
class Piece {
 public:
  Piece(const TriangleMesh& whole, const Triangles& triangles) : mesh_(part_of(whole, triangles)), tree_(mesh_) {}
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;
  ~Piece() = default;
  /// [-] 1 or -1 inside of a closed surface, 0 outside of one.
  [[nodiscard]] double winding(const Real3& point) const { return tree_.winding(point); }

 private:
  static TriangleMesh part_of(const TriangleMesh& whole, const Triangles& triangles) {
    TriangleMesh part;
    std::map<std::uint32_t, std::uint32_t> number;
    for (const auto& triangle : triangles) {
      auto& own = part.triangles.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [known, is_new] = number.try_emplace(triangle[k], static_cast<std::uint32_t>(number.size()));
        if (is_new) { part.vertices.push_back(whole.vertices[triangle[k]]); }
        own[k] = known->second;
      }
    }
    return part;
  }

  TriangleMesh mesh_;
  grains::TriangleTree tree_;  ///< refers to mesh_
};

/// Tells on which side of the wall of a tube or an open vessel a point is. Only points between the two rims of a tube,
/// or between the lowest and the highest point of a vessel along gravity, have a side.
class Vessel {
 public:
  Vessel(const SceneBoundary& boundary, const Real3& gravity)
      : tube_(std::get_if<CylinderBoundary>(&boundary.shape)), mesh_(boundary.mesh) {
    if (tube_ != nullptr || !boundary.is_mesh() || gravity == Real3{}) { return; }
    down_ = unit(gravity);
    low_ = high_ = dot(mesh_.vertices.front(), down_);
    for (const Real3& vertex : mesh_.vertices) {
      low_ = std::min(low_, dot(vertex, down_)), high_ = std::max(high_, dot(vertex, down_));
    }
    for (Triangles& triangles : oriented_pieces(mesh_)) {
      pieces_.push_back(std::make_unique<const Piece>(mesh_, triangles));
      if (auto open = OpenTube::made_of(mesh_, std::move(triangles))) { open_.push_back(std::move(*open)); }
    }
  }
  [[nodiscard]] bool has_sides() const { return tube_ != nullptr || !pieces_.empty(); }

  [[nodiscard]] Side side_of(const Real3& point) const {
    if (tube_ != nullptr) {
      const Real3 axis = subtract(tube_->to, tube_->from), way = subtract(point, tube_->from);
      const double along_axis = dot(way, axis) / dot(axis, axis);
      if (!(along_axis > 0 && along_axis < 1)) { return Side::unknown; }
      return length(along(way, -along_axis, axis)) < tube_->radius ? Side::inside : Side::outside;
    }
    // A cross-section of a tube tells inside from outside, however short the tube is.
    bool is_beside = false;
    for (const OpenTube& tube : open_) {
      if (!tube.spans(point)) { continue; }
      if (tube.goes_around(point)) { return Side::inside; }
      is_beside = true;
    }
    if (is_beside && open_.size() == pieces_.size()) { return Side::outside; }
    // The winding number is the solid angle of the surface over the whole sphere. From a point beside a flat wall it is
    // at most 1/2. From a point outside of a vessel the near and the far side cancel, apart from the openings.
    constexpr double most_outside = 0.2, least_inside = 0.6;
    const double height = dot(point, down_);
    if (!(height > low_ && height < high_)) { return Side::unknown; }
    double turns = 0;
    for (const auto& piece : pieces_) { turns = std::max(turns, std::fabs(piece->winding(point))); }
    return turns > least_inside ? Side::inside : turns < most_outside ? Side::outside : Side::unknown;
  }

 private:
  const CylinderBoundary* tube_;
  const TriangleMesh& mesh_;
  std::vector<std::unique_ptr<const Piece>> pieces_;  ///< of an open mesh
  std::vector<OpenTube> open_;                        ///< the pieces that are open at two ends
  Real3 down_{};
  double low_ = 0, high_ = 0;  ///< [m] along down_
};

/// Random points of a region, the same points in each run; none for a face and for the periodic cell.
std::vector<Real3> points_of(const Region& source, const std::filesystem::path& folder) {
  if (std::holds_alternative<FaceRegion>(source) || std::holds_alternative<CellRegion>(source)) { return {}; }
  std::vector<std::string> ignored;
  const std::unique_ptr<packing::FillRegion> region = packing::make_region(source, folder, ignored);
  constexpr std::size_t wanted = 500, most_tries = 5000;
  packing::Random random(1, 0);
  std::vector<Real3> points;
  for (std::size_t k = 0; k < most_tries && points.size() < wanted; ++k) {
    const Real3 point = region->candidate(0, random);
    if (region->holds(point, 0)) { points.push_back(point); }
  }
  return points;
}

constexpr std::size_t least_points = 50;  // fewer points give no reliable shares
constexpr double some = 0.02;             // a smaller share of the points may be chance

std::string percent_text(std::size_t count, std::size_t of) {
  return short_number_text(100 * static_cast<double>(count) / static_cast<double>(of), 2) + " %";
}

void look(const std::string& path, const std::vector<Real3>& points, const std::string& name, const Vessel& vessel,
          std::vector<std::string>& warnings) {
  const std::size_t n = points.size();
  if (n < least_points) { return; }
  std::size_t inside = 0, outside = 0;
  for (const Real3& point : points) {
    const Side side = vessel.side_of(point);
    inside += side == Side::inside ? 1 : 0;
    outside += side == Side::outside ? 1 : 0;
  }
  const double least = some * static_cast<double>(n);
  if (static_cast<double>(inside) < least || static_cast<double>(outside) < least) { return; }
  warnings.push_back(path + ": its region reaches through the wall of boundary \"" + name + "\": about " +
                     percent_text(inside, n) + " of it is inside the wall and " + percent_text(outside, n) +
                     " outside, and particles come in on both sides");
}

/// Warns of an inlet that brings particles both into a closed mesh and beside it. For a fill the positions of its
/// particles tell this; see warn_of_bad_starts().
void look_into_solid(const std::string& path, const Inlet& inlet, const std::vector<Real3>& points,
                     const std::string& name, const MeshSurface& surface, std::vector<std::string>& warnings) {
  if (points.size() < least_points) { return; }
  const auto& kept_out = inlet.keep_out_of;
  if (std::find(kept_out.begin(), kept_out.end(), name) != kept_out.end()) { return; }
  const auto inside = static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(), [&](const Real3& point) { return surface.encloses(point); }));
  const double least = some * static_cast<double>(points.size());
  if (static_cast<double>(inside) < least || static_cast<double>(points.size() - inside) < least) { return; }
  warnings.push_back(path + ": about " + percent_text(inside, points.size()) +
                     " of its region lies inside of the closed mesh \"" + name +
                     "\", where particles come in as well; \"keep_out_of\": [\"" + name + "\"] leaves it free");
}

}  // namespace

void warn_of_fills_through_walls(const Case& input, const Scene& scene, std::vector<std::string>& warnings) {
  if (scene.cell) { return; }
  constexpr std::size_t most_triangles = 80'000;  // this many take some tenths of a second
  const std::vector<SceneBoundary> placed = placed_at_start(scene.boundaries);
  std::vector<std::pair<std::string, std::unique_ptr<const Vessel>>> vessels;
  std::vector<std::pair<std::string, std::unique_ptr<const MeshSurface>>> solids;
  for (std::size_t b = 0; b < placed.size(); ++b) {
    if (!is_there_at_start(placed, scene.stages, b) || placed[b].mesh.triangles.size() > most_triangles) { continue; }
    if (placed[b].is_mesh() && is_closed(placed[b].mesh)) {
      solids.emplace_back(placed[b].name, std::make_unique<const MeshSurface>(placed[b].mesh));
      continue;
    }
    auto vessel = std::make_unique<const Vessel>(placed[b], scene.gravity);
    if (vessel->has_sides()) { vessels.emplace_back(placed[b].name, std::move(vessel)); }
  }
  if (vessels.empty() && solids.empty()) { return; }
  for (std::size_t k = 0; k < input.particles.size(); ++k) {
    const ParticleGroup& entry = input.particles[k];
    if (!entry.fill && !entry.inlet) { continue; }
    const std::string path = "particles." + std::to_string(k) + (entry.fill ? ".fill" : ".inlet");
    const std::vector<Real3> points = points_of(entry.fill ? entry.fill->region : entry.inlet->region, input.folder);
    for (const auto& [name, vessel] : vessels) { look(path, points, name, *vessel, warnings); }
    if (!entry.inlet) { continue; }
    for (const auto& [name, surface] : solids) {
      look_into_solid(path, *entry.inlet, points, name, *surface, warnings);
    }
  }
}

}  // namespace scree
