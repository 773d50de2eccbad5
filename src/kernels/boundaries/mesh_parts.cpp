#include "kernels/boundaries/mesh_parts.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "kernels/math/disjoint_sets.hpp"
#include "kernels/step/boundaries/joined_contacts.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Whether two edges overlap along more than a point, while their facets do not overlap.
bool coincide(const FreeEdge& a, const FreeEdge& b, double gap) {
  const Vec3d along = a.to - a.from;
  const double length = norm(along);
  if (!(length > 0) || dot(a.inward, b.inward) > cosine_of_seam) { return false; }
  const Vec3d direction = (1 / length) * along;
  const double first = dot(b.from - a.from, direction), second = dot(b.to - a.from, direction);
  const double low = std::max(std::min(first, second), 0.0), high = std::min(std::max(first, second), length);
  if (!(high - low > 4 * gap)) { return false; }
  const auto is_near = [&](double place) {
    const double share = (place - first) / (second - first);
    const Vec3d apart = a.from + place * direction - (b.from + share * (b.to - b.from));
    return norm(apart) <= gap;
  };
  return is_near(low) && is_near(high);
}

/// Unites the sets of facets of a mesh at edges that only two facets have.
void unite_across_edges(const StandingBoundaries& standing, const BoundaryInfo& mesh, DisjointSets& sets) {
  using Edge = std::array<std::uint32_t, 3>;  // its vertices in ascending order, and a facet
  std::vector<Edge> edges;
  for (std::uint32_t f = 0; f < mesh.n_features; ++f) {
    const Feature& facet = standing.features[mesh.first_feature + f];
    for (std::uint32_t e = 0; e < 3; ++e) {
      const std::uint32_t from = facet.corner(e), to = facet.corner(e + 1);
      edges.push_back({std::min(from, to), std::max(from, to), f});
    }
  }
  std::sort(edges.begin(), edges.end());
  for (std::size_t k = 0; k < edges.size();) {
    std::size_t end = k + 1;
    while (end < edges.size() && edges[end][0] == edges[k][0] && edges[end][1] == edges[k][1]) { ++end; }
    if (end - k == 2) { sets.unite(edges[k][2], edges[k + 1][2]); }
    k = end;
  }
}

/// Unites the sets of facets, counted from `first`, whose free edges coincide.
void unite_along_edges(const MeshEdges& mesh, std::uint32_t first, DisjointSets& sets) {
  struct Place {
    double low;
    const FreeEdge* edge;
    Box box;
  };
  std::vector<Place> places;
  for (const FreeEdge& edge : mesh.free) { places.push_back({edge.box().min.x, &edge, edge.box()}); }
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.low < b.low; });
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = i + 1; j < places.size() && places[j].low <= places[i].box.max.x + mesh.gap; ++j) {
      if (!places[i].box.near(places[j].box, mesh.gap)) { continue; }
      const std::uint32_t f = places[i].edge->facet - first, g = places[j].edge->facet - first;
      if (sets.lowest(f) != sets.lowest(g) && coincide(*places[i].edge, *places[j].edge, mesh.gap)) {
        sets.unite(f, g);
      }
    }
  }
}

}  // namespace

MeshParts find_parts(const StandingBoundaries& standing) {
  MeshParts parts;
  parts.of_facet.resize(standing.features.size() - standing.first_facet);
  bool several = false;
  for (std::uint32_t b = 0; b < standing.info.size(); ++b) {
    parts.number.push_back(1);
    if (!standing.is_mesh(b)) { continue; }
    const BoundaryInfo& info = standing.info[b];
    DisjointSets facets(info.n_features);
    unite_across_edges(standing, info, facets);
    if (facets.count() == 1) { continue; }
    unite_along_edges(edges_of(standing, b), info.first_feature, facets);
    std::map<std::uint32_t, std::uint32_t> number_of;
    for (std::uint32_t f = 0; f < info.n_features; ++f) {
      const auto next = static_cast<std::uint32_t>(number_of.size());
      const std::uint32_t number = number_of.try_emplace(facets.lowest(f), next).first->second;
      parts.of_facet[info.first_feature + f - standing.first_facet] = number;
    }
    parts.number.back() = static_cast<std::uint32_t>(number_of.size());
    several = several || number_of.size() > 1;
  }
  if (!several) { parts.of_facet.clear(); }
  return parts;
}

}  // namespace scree::inline SCREE_BACKEND
