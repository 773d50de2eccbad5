#include "kernels/boundaries/mesh_joints.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>
#include <vector>

#include "kernels/step/boundaries/joined_contacts.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

bool same(const Oscillation& a, const Oscillation& b) {
  return a.direction == b.direction && a.axis == b.axis && a.origin == b.origin && a.amplitude == b.amplitude &&
         a.frequency == b.frequency && a.phase == b.phase;
}
bool same(const Translation& a, const Translation& b) { return a.velocity == b.velocity; }
bool same(const Rotation& a, const Rotation& b) { return a.axis == b.axis && a.origin == b.origin && a.rate == b.rate; }
bool same(const TableMotion& a, const TableMotion& b) {
  return a.direction == b.direction && a.axis == b.axis && a.origin == b.origin && a.position == b.position &&
         a.velocity == b.velocity;
}

bool same(const Motion& a, const Motion& b) {
  if (a.kind.index() != b.kind.index() || a.from != b.from || a.until != b.until) { return false; }
  return std::visit([&](const auto& kind) { return same(kind, std::get<std::decay_t<decltype(kind)>>(b.kind)); },
                    a.kind);
}

bool same(const std::vector<Motion>& a, const std::vector<Motion>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Motion& p, const Motion& q) { return same(p, q); });
}

/// The motions that a stage gives to a boundary; null: the boundary keeps its motions.
const std::vector<Motion>* motion_in(const SceneStage& stage, std::uint32_t boundary) {
  for (const SceneStagedBoundary& change : stage.boundaries) {
    if (change.boundary == boundary && change.motion) { return &*change.motion; }
  }
  return nullptr;
}

/// Whether two boundaries never move relative to each other, in any stage of the run.
bool stand_together(const Scene& scene, std::uint32_t a, std::uint32_t b) {
  const SceneBoundary &first = scene.boundaries[a], &second = scene.boundaries[b];
  if (first.drive || second.drive || !same(first.motion, second.motion)) { return false; }
  return std::all_of(scene.stages.begin(), scene.stages.end(), [&](const SceneStage& stage) {
    const std::vector<Motion>*const of_a = motion_in(stage, a), *const of_b = motion_in(stage, b);
    return of_a == nullptr || of_b == nullptr ? of_a == of_b : same(*of_a, *of_b);
  });
}

class JointSearch {
 public:
  JointSearch(const Scene& scene, const StandingBoundaries& standing)
      : at_(standing), found_(standing.features.size()) {
    const std::size_t n = scene.boundaries.size();
    joined_.resize(n), joins_itself_.resize(n);
    for (std::uint32_t b = 0; b < n; ++b) { meshes_.push_back(edges_of(standing, b)); }
    for (std::uint32_t a = 0; a < n; ++a) {
      if (meshes_[a].free.empty()) { continue; }
      for (std::uint32_t b = 0; b < n; ++b) {
        if (a != b && !stand_together(scene, a, b)) { continue; }
        standing.is_mesh(b) ? join_facets(a, b) : join_planes(a, b);
      }
    }
  }

  [[nodiscard]] Joints result() const {
    Joints joints;
    for (const auto& of_feature : found_) {
      joints.start.push_back(static_cast<std::uint32_t>(joints.all.size()));
      joints.all.insert(joints.all.end(), of_feature.begin(), of_feature.end());
    }
    joints.joined = joined_, joints.joins_itself = joins_itself_;
    if (joints.all.empty()) {
      joints.start.clear();
      return joints;
    }
    joints.start.push_back(static_cast<std::uint32_t>(joints.all.size()));
    return joints;
  }

 private:
  using Corners = std::array<Vec3d, 3>;

  [[nodiscard]] Vec3d normal(std::uint32_t facet) const {
    const Corners c = at_.corners(facet);
    const Vec3d n = cross(c[1] - c[0], c[2] - c[0]);
    return (1 / norm(n)) * n;
  }

  void join(std::uint32_t f, std::uint32_t g, const Vec3d& from, const Vec3d& to) {
    const std::uint32_t a = at_.features[f].boundary, b = at_.features[g].boundary;
    unite(a, b);
    if (a == b) { joins_itself_[a] = 1; }
    found_[f].push_back({g, from, to});
    found_[g].push_back({f, from, to});
  }

  /// Gives the same number to two boundaries and to all boundaries that are already joined with them.
  void unite(std::uint32_t a, std::uint32_t b) {
    if (joined_[a] == 0) { joined_[a] = a + 1; }
    if (joined_[b] == 0) { joined_[b] = b + 1; }
    const std::uint32_t kept = std::min(joined_[a], joined_[b]), gone = std::max(joined_[a], joined_[b]);
    std::replace(joined_.begin(), joined_.end(), gone, kept);
  }

  /// Joins free edges of mesh a with the planes of boundary b.
  void join_planes(std::uint32_t a, std::uint32_t b) {
    const double gap = meshes_[a].gap;
    const BoundaryInfo& info = at_.info[b];
    for (std::uint32_t p = info.first_feature; p < info.first_feature + info.n_features; ++p) {
      if (at_.features[p].kind != FeatureKind::plane) { continue; }
      const Surface& plane = at_.surfaces[at_.features[p].a];
      const auto height = [&](const Vec3d& x) { return dot(x - plane.point, plane.axis); };
      for (const FreeEdge& edge : meshes_[a].free) {
        if (!(std::abs(height(edge.from)) <= gap && std::abs(height(edge.to)) <= gap)) { continue; }
        if (!(std::abs(dot(normal(edge.facet), plane.axis)) >= cosine_of_seam)) { continue; }
        const Corners c = at_.corners(edge.facet);
        if (std::min({height(c[0]), height(c[1]), height(c[2])}) >= -gap) { join(edge.facet, p, edge.from, edge.to); }
      }
    }
  }

  /// Joins free edges of mesh a with facets of mesh b, which may be the same mesh.
  void join_facets(std::uint32_t a, std::uint32_t b) {
    const double gap = std::max(meshes_[a].gap, meshes_[b].gap);
    if (!meshes_[a].box.near(meshes_[b].box, gap)) { return; }
    struct Place {
      double low;
      std::uint32_t facet;
      Box box;
    };
    std::vector<Place> places;  // to be sorted by their lower end along x
    double widest = 0;
    const BoundaryInfo& info = at_.info[b];
    for (std::uint32_t g = info.first_feature; g < info.first_feature + info.n_features; ++g) {
      Box box;
      for (const Vec3d& x : at_.corners(g)) { box.take(x); }
      if (!box.near(meshes_[a].box, gap)) { continue; }
      places.push_back({box.min.x, g, box});
      widest = std::max(widest, box.max.x - box.min.x);
    }
    std::sort(places.begin(), places.end(),
              [](const Place& p, const Place& q) { return p.low != q.low ? p.low < q.low : p.facet < q.facet; });
    for (const FreeEdge& edge : meshes_[a].free) {
      const Box box = edge.box();
      if (!box.near(meshes_[b].box, gap)) { continue; }
      auto place = std::lower_bound(places.begin(), places.end(), box.min.x - widest - gap,
                                    [](const Place& p, double x) { return p.low < x; });
      for (; place != places.end() && place->low <= box.max.x + gap; ++place) {
        if (place->box.near(box, gap)) { join_facet(edge, place->facet, gap); }
      }
    }
  }

  /// Joins the part of a free edge that lies in a facet, within the gap.
  void join_facet(const FreeEdge& edge, std::uint32_t g, double gap) {
    if (edge.facet == g) { return; }
    const Vec3d n = normal(g), along = edge.to - edge.from;
    const Corners c = at_.corners(g);
    if (!(std::abs(dot(normal(edge.facet), n)) >= cosine_of_seam)) { return; }
    if (!(std::abs(dot(edge.from - c[0], n)) <= gap && std::abs(dot(edge.to - c[0], n)) <= gap)) { return; }
    double first = 0, last = 1;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3d side = c[(k + 1) % 3] - c[k];
      const Vec3d inward = (1 / norm(side)) * cross(n, side);
      const double begin = dot(edge.from - c[k], inward) + gap,
                   end = dot(edge.to - c[k], inward) + gap;  // negative: outside
      if (begin < 0 && end < 0) { return; }
      if (begin < 0) { first = std::max(first, begin / (begin - end)); }
      if (end < 0) { last = std::min(last, begin / (begin - end)); }
    }
    if ((last - first) * norm(along) > 4 * gap) {
      join(edge.facet, g, edge.from + first * along, edge.from + last * along);
    }
  }

  const StandingBoundaries& at_;
  std::vector<MeshEdges> meshes_;            ///< [n_boundaries]
  std::vector<std::uint32_t> joined_;        ///< [n_boundaries] see BoundaryInfo::joined
  std::vector<std::uint32_t> joins_itself_;  ///< [n_boundaries] see BoundaryInfo::joins_itself
  std::vector<std::vector<Joint>> found_;    ///< [n_features]
};

}  // namespace

Joints find_joints(const Scene& scene, const StandingBoundaries& standing) {
  return JointSearch(scene, standing).result();
}

}  // namespace scree::inline SCREE_BACKEND
