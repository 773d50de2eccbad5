#include "kernels/boundaries/mesh_adjacency.hpp"

#include <algorithm>
#include <utility>

#include "kernels/math/real3.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// An edge as a side of one of its facets. Edge e of facet t is side 3 t + e.
using Side = std::uint32_t;

/// All sides of a mesh, sorted by their lower vertex, their higher vertex and their number.
class EdgeSides {
 public:
  explicit EdgeSides(const TriangleMesh& mesh) : start_(mesh.vertices.size() + 1), sides_(3 * mesh.triangles.size()) {
    const auto each = [&](auto&& take) {
      for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (std::size_t e = 0; e < 3; ++e) {
          const std::uint32_t p = mesh.triangles[t][e], q = mesh.triangles[t][(e + 1) % 3];
          take(std::min(p, q), std::max(p, q), static_cast<Side>(3 * t + e));
        }
      }
    };
    // A counting sort by the lower vertex comes first; the ranges that remain to be sorted are short.
    each([&](std::uint32_t low, std::uint32_t, Side) { ++start_[low + 1]; });
    for (std::size_t v = 1; v < start_.size(); ++v) { start_[v] += start_[v - 1]; }
    std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
    each([&](std::uint32_t low, std::uint32_t high, Side side) { sides_[next[low]++] = {high, side}; });
    for (std::size_t v = 0; v + 1 < start_.size(); ++v) {
      std::sort(sides_.begin() + start_[v], sides_.begin() + start_[v + 1]);
    }
  }

  /// Calls take(low, high, first, last) for each edge, with its two vertices and the range of its sides. Elements of
  /// the range are pairs of the higher vertex and the side.
  template <class Take>
  void each_edge(const Take& take) const {
    for (std::uint32_t low = 0; low + 1 < start_.size(); ++low) {
      for (std::size_t begin = start_[low], end = begin; begin < start_[low + 1]; begin = end) {
        while (end < start_[low + 1] && sides_[end].first == sides_[begin].first) { ++end; }
        take(low, sides_[begin].first, sides_.data() + begin, sides_.data() + end);
      }
    }
  }

 private:
  std::vector<std::uint32_t> start_;
  std::vector<std::pair<std::uint32_t, Side>> sides_;
};

using SidePointer = const std::pair<std::uint32_t, Side>*;

/// Unit vector in the plane of the facet of a side, from its edge into the facet; 0 if the facet has no area.
Vec3d into_facet(const TriangleMesh& mesh, Side side, const Vec3d& from, const Vec3d& along) {
  const Real3& third = mesh.vertices[mesh.triangles[side / 3][(side + 2) % 3]];
  const Vec3d arm = vec(third) - from;
  const Vec3d across = dot(along, along) * arm - dot(arm, along) * along;
  const double length = norm(across);
  return length > 0 ? (1 / length) * across : Vec3d{0, 0, 0};
}

/// See MeshAdjacency::edge_width.
float width_of_edge(const TriangleMesh& mesh, std::uint32_t low, std::uint32_t high, SidePointer first,
                    SidePointer last) {
  constexpr double of_seams = 1e-6;  // normals that differ by 0.1 degrees, as those of rounded files may
  const Real3 &a = mesh.vertices[low], &b = mesh.vertices[high];
  const Vec3d from = vec(a), along = vec(b) - from;
  double width = 1;
  for (SidePointer one = first; one != last; ++one) {
    const Vec3d into = into_facet(mesh, one->second, from, along);
    for (SidePointer two = one + 1; two != last; ++two) {
      width = std::min(width, 0.5 * (1 + dot(into, into_facet(mesh, two->second, from, along))));
    }
  }
  return width < of_seams ? 0.0F : static_cast<float>(width);
}

/// Turns the counts in start[first + 1] and all later elements into sums that begin with start[first].
void add_up(std::vector<std::uint32_t>& start, std::size_t first) {
  for (std::size_t i = first + 1; i < start.size(); ++i) { start[i] += start[i - 1]; }
}

}  // namespace

void append_adjacency(const TriangleMesh& mesh, std::uint32_t first_vertex, MeshAdjacency& all) {
  const EdgeSides edges(mesh);
  const std::size_t first_edge = all.edge_start.size() - 1, first_ring = all.ring_start.size() - 1;
  all.edge_start.resize(all.edge_start.size() + 3 * mesh.triangles.size());
  all.ring_start.resize(all.ring_start.size() + mesh.vertices.size());
  all.edge_width.resize(first_edge + 3 * mesh.triangles.size());
  const auto each_other = [](SidePointer self, SidePointer first, SidePointer last, auto&& take) {
    for (SidePointer other = first; other != last; ++other) {
      if (other->second / 3 != self->second / 3) { take(other->second); }
    }
  };
  edges.each_edge([&](std::uint32_t low, std::uint32_t high, SidePointer first, SidePointer last) {
    for (SidePointer side = first; side != last; ++side) {
      each_other(side, first, last, [&](Side) { ++all.edge_start[first_edge + side->second + 1]; });
    }
    all.edge_width[first_edge + first->second] = width_of_edge(mesh, low, high, first, last);
    ++all.ring_start[first_ring + low + 1];
    ++all.ring_start[first_ring + high + 1];
  });
  add_up(all.edge_start, first_edge);
  add_up(all.ring_start, first_ring);

  all.edge_opposite.resize(all.edge_start.back());
  all.ring.resize(all.ring_start.back());
  std::vector<std::uint32_t> next(all.ring_start.begin() + std::ptrdiff_t(first_ring), all.ring_start.end() - 1);
  edges.each_edge([&](std::uint32_t low, std::uint32_t high, SidePointer first, SidePointer last) {
    for (SidePointer side = first; side != last; ++side) {
      std::uint32_t to = all.edge_start[first_edge + side->second];
      each_other(side, first, last, [&](Side other) {
        all.edge_opposite[to++] = first_vertex + mesh.triangles[other / 3][(other + 2) % 3];
      });
    }
    all.ring[next[low]++] = first_vertex + high;
    all.ring[next[high]++] = first_vertex + low;
  });
}

}  // namespace scree::inline SCREE_BACKEND
