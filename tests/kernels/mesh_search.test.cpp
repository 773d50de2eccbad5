#include <algorithm>
#include <cmath>
#include <map>

#include "support.hpp"

namespace scree::inline SCREE_BACKEND::mesh_search_test {

/// Writes the features near each body into consecutive places of a list.
struct CollectFeatures {
  FeatureSearch<double> search;
  Span<offset_t> start;
  Span<std::uint32_t> feature;
  SCREE_HD void operator()(std::size_t i) const {
    offset_t to = start[i];
    search.visit(i, [&](std::uint32_t f) { feature[to++] = f; });
  }
};

/// Boundaries copied to the host, so that a test can compute one closest point at a time.
struct HostBoundaries {
  explicit HostBoundaries(const BoundaryView& view)
      : info(copy_of(view.info)),
        pose(copy_of(view.pose)),
        feature(copy_of(view.feature)),
        surface(copy_of(view.surface)),
        vertex(copy_of(view.vertex)) {}

  [[nodiscard]] BoundaryView view() {
    BoundaryView result{};
    result.info = {info.data(), info.size()};
    result.pose = {pose.data(), pose.size()};
    result.feature = {feature.data(), feature.size()};
    result.surface = {surface.data(), surface.size()};
    result.vertex = {vertex.data(), vertex.size()};
    return result;
  }

  std::vector<BoundaryInfo> info;
  std::vector<Pose> pose;
  std::vector<Feature> feature;
  std::vector<Surface> surface;
  std::vector<Vec3d> vertex;
};

TriangleMesh soup(Random& random, std::uint32_t n_triangles, double size) {
  TriangleMesh mesh;
  for (std::uint32_t t = 0; t < n_triangles; ++t) {
    const Real3 centre = random.point({-1, -1, -1}, {1, 1, 1});
    const double spread = size * random(0.1, 1);
    for (int k = 0; k < 3; ++k) {
      const Real3 d = random.direction();
      mesh.vertices.push_back({centre[0] + spread * d[0], centre[1] + spread * d[1], centre[2] + spread * d[2]});
    }
    mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return mesh;
}

std::vector<Motion> tumbling(Random& random) {
  return {{Rotation{random.direction(), random.point({-1, -1, -1}, {1, 1, 1}), random(-3, 3)}},
          {Translation{random.point({-1, -1, -1}, {1, 1, 1})}},
          {Rotation{random.direction(), random.point({-1, -1, -1}, {1, 1, 1}), random(-3, 3)}}};
}

/// Compares the search with the distance to every feature.
void expect_features_of_brute_force(const Scene& scene, double time, double radius, double margin, Random& random) {
  constexpr std::size_t n = 300;
  Exec exec(1);
  Primitives primitives(exec);
  BoundarySystem boundaries(scene);
  boundaries.place(exec, time);
  std::vector<Vec3d> vertices, positions;
  for (std::size_t b = 0; b < scene.boundaries.size(); ++b) {
    const std::vector<Vec3d> more = boundaries.vertices(b, time);
    vertices.insert(vertices.end(), more.begin(), more.end());
  }
  std::vector<double> radii;
  for (std::size_t i = 0; i < n; ++i) {  // every other point near a mesh, the rest anywhere
    const Real3 x = random.point({-2, -2, -2}, {2, 2, 2});
    positions.push_back(i % 2 == 0 ? Vec3d{x[0], x[1], x[2]}
                                   : vertices[random.whole(vertices.size())] + radius * Vec3d{x[0], x[1], x[2]});
    radii.push_back(radius * random(0.2, 1));
  }
  Bodies<double> bodies;
  Buffer<offset_t> start;
  Buffer<std::uint32_t> feature;
  std::vector<BodyPlace<double>> places;
  places.reserve(n);
  for (std::size_t i = 0; i < n; ++i) { places.push_back({positions[i], radii[i]}); }
  bodies.place.assign(places);
  bodies.way.assign(std::vector<BodyTravel<double>>(n, {{}, 0.4 * margin}));
  start.resize(n + 1);
  const FeatureSearch<double> search{boundaries.view(), bodies.position().view(), bodies.radius().view(),
                                     bodies.skin().view(), 0.6 * margin};
  Buffer<double> clearance;
  Buffer<std::uint32_t> kept, more_kept;
  clearance.assign(std::vector<double>(n, -1.0));  // no clearance is known yet
  kept.resize(n * KeptList::first_part);
  more_kept.resize(n * KeptList::second_part);
  const PackedRows packed = PackedRows::of(n);
  exec.for_each("count", n,
                FeatureCount<double>{search, clearance.view(), packed, start.view(), {kept.view(), more_kept.view()}});
  std::vector<offset_t> counts = start.to_vector();
  for (offset_t& count : counts) { count = packed.slots(count); }
  start.assign(counts);
  primitives.exclusive_scan(start.view(), n);
  feature.resize(start.element(n) + 1);
  exec.for_each("collect", n, CollectFeatures{search, start.view(), feature.view()});

  HostBoundaries host(boundaries.view());
  const BoundaryView view = host.view();
  const std::vector<offset_t> begin = start.to_vector();
  const std::vector<std::uint32_t> features = feature.to_vector();
  std::size_t found_in_all = 0;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::uint32_t> found(features.begin() + std::ptrdiff_t(begin[i]),
                                     features.begin() + std::ptrdiff_t(begin[i + 1]));
    std::sort(found.begin(), found.end());
    std::vector<std::uint32_t> expected;
    for (std::uint32_t f = 0; f < host.feature.size(); ++f) {
      const double reach = radii[i] + 0.4 * margin + 0.6 * margin;
      if (closest_point(view, host.feature[f], positions[i]).square_distance <= reach * reach) {
        expected.push_back(f);
      }
    }
    ASSERT_EQ(found, expected) << "body " << i;
    const double clear = clearance.element(i);
    for (const Feature& f : host.feature) {
      ASSERT_TRUE(clear <= 0 || closest_point(view, f, positions[i]).square_distance >= clear * clear) << "body " << i;
    }
    found_in_all += found.size();
  }
  EXPECT_GT(found_in_all, 0u) << "nothing was near: nothing is tested";
}

using MeshSearch = BackendTest;

TEST_F(MeshSearch, RandomMeshesInRandomPoses) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Scene scene = glass_scene();
    add_mesh(scene, soup(random, static_cast<std::uint32_t>(1 + random.whole(400)), 0.3)).motion = tumbling(random);
    add_mesh(scene, soup(random, 40, 2.0));
    expect_features_of_brute_force(scene, random(0, 5), 0.2, 0.05, random);
  }
}

TEST_F(MeshSearch, MeshesOfOneToNineFacets) {
  for (std::uint32_t n = 1; n <= 9; ++n) {
    Random random(100 + n);
    Scene scene = glass_scene();
    add_mesh(scene, soup(random, n, 1.0)).motion = tumbling(random);
    expect_features_of_brute_force(scene, 1, 0.5, 0.1, random);
  }
}

TEST_F(MeshSearch, FlatSheetsAndSliversAlongWithPlanesAndCylinders) {
  Random random(61);
  Scene scene = glass_scene();
  add_plane(scene, {0, 0, -1}, {0.1, 0.2, 0.97}).motion = {{Translation{{0, 0, 0.3}}}};
  add_mesh(scene, sheet({-1, -1, 0}, {2, 0, 0}, {0, 2, 0}, 15));
  add_cylinder(scene, {0, 0, -1}, {0.2, 0.1, 1}, 0.8).motion = tumbling(random);
  add_mesh(scene, sheet({-1, 0, -1}, {2, 0, 0}, {0, 1e-3, 2e-3}, 8)).motion = tumbling(random);
  expect_features_of_brute_force(scene, 0.8, 0.2, 0.02, random);
  expect_features_of_brute_force(scene, 0.0, 0.2, 0.02, random);
}

TEST_F(MeshSearch, AFacetWithoutAreaDoesNoHarm) {
  Random random(62);
  Scene scene = glass_scene();
  TriangleMesh mesh = sheet({-1, -1, 0}, {2, 0, 0}, {0, 2, 0}, 2);
  mesh.triangles.push_back({0, 0, 0});
  mesh.triangles.push_back({0, 1, 1});
  mesh.triangles.push_back({0, 1, 2});  // three corners on a line
  add_mesh(scene, mesh);
  BoundarySystem boundaries(scene);
  HostBoundaries host(boundaries.view());
  for (int i = 0; i < 200; ++i) {
    const Real3 x = random.point({-2, -2, -1}, {2, 2, 1});
    for (const Feature& feature : host.feature) {
      const Vec3d centre{x[0], x[1], x[2]};
      const ClosestPoint closest = closest_point(host.view(), feature, centre);
      const Separation apart = separation(host.view(), feature, centre, closest.point);
      ASSERT_TRUE(std::isfinite(closest.square_distance) && std::isfinite(norm(apart.normal)));
      ASSERT_NEAR(apart.distance, std::sqrt(closest.square_distance), 1e-15);
    }
  }
}

// --- adjacency -------------------------------------------------------------------------------------------------

TriangleMesh closed_cube() {
  return {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}},
          {{0, 2, 1},
           {0, 3, 2},
           {4, 5, 6},
           {4, 6, 7},
           {0, 1, 5},
           {0, 5, 4},
           {1, 2, 6},
           {1, 6, 5},
           {2, 3, 7},
           {2, 7, 6},
           {3, 0, 4},
           {3, 4, 7}}};
}

/// The vertices opposite to edge e of a facet, in all other facets with that edge, sorted; found by comparing all
/// facets.
std::vector<std::uint32_t> opposite_by_brute_force(const std::vector<Feature>& facets, std::size_t facet,
                                                   std::size_t e) {
  const auto corner = [](const Feature& f, std::size_t k) { return k % 3 == 0 ? f.a : (k % 3 == 1 ? f.b : f.c); };
  const std::uint32_t p = corner(facets[facet], e), q = corner(facets[facet], e + 1);
  std::vector<std::uint32_t> opposite;
  for (std::size_t other = 0; other < facets.size(); ++other) {
    if (other == facet) { continue; }
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t s = corner(facets[other], k), t = corner(facets[other], k + 1);
      if ((s == p && t == q) || (s == q && t == p)) { opposite.push_back(corner(facets[other], k + 2)); }
    }
  }
  std::sort(opposite.begin(), opposite.end());
  return opposite;
}

/// Checks the adjacency of all meshes of a scene. Returns the number of edges with 0, 1, 2 ... facets on their other
/// side.
std::map<std::size_t, int> checked_adjacency(const Scene& scene) {
  BoundarySystem boundaries(scene);
  const BoundaryView view = boundaries.view();
  const std::vector<Feature> features = copy_of(view.feature);
  const std::vector<Feature> facets(features.begin() + view.first_facet, features.end());
  const std::vector<std::uint32_t> edge_start = copy_of(view.edge_start), opposite = copy_of(view.edge_opposite);
  const std::vector<std::uint32_t> ring_start = copy_of(view.ring_start), ring = copy_of(view.ring);
  EXPECT_EQ(edge_start.size(), 3 * facets.size() + 1);
  EXPECT_EQ(edge_start.back(), opposite.size());
  std::map<std::size_t, int> sides;
  std::map<std::uint32_t, std::set<std::uint32_t>> joined;
  for (std::size_t facet = 0; facet < facets.size(); ++facet) {
    const std::uint32_t v[3] = {facets[facet].a, facets[facet].b, facets[facet].c};
    for (std::size_t e = 0; e < 3; ++e) {
      std::vector<std::uint32_t> found(opposite.begin() + edge_start[3 * facet + e],
                                       opposite.begin() + edge_start[3 * facet + e + 1]);
      std::sort(found.begin(), found.end());
      EXPECT_EQ(found, opposite_by_brute_force(facets, facet, e)) << "facet " << facet << ", edge " << e;
      ++sides[found.size()];
      joined[v[e]].insert(v[(e + 1) % 3]);
      joined[v[(e + 1) % 3]].insert(v[e]);
    }
  }
  for (std::uint32_t v = 0; v + 1 < ring_start.size(); ++v) {
    const std::set<std::uint32_t> around(ring.begin() + ring_start[v], ring.begin() + ring_start[v + 1]);
    EXPECT_EQ(around.size(), ring_start[v + 1] - ring_start[v]) << "a vertex stands twice in the ring of " << v;
    EXPECT_EQ(around, joined[v]) << "vertex " << v;
  }
  return sides;
}

using MeshAdjacency = BackendTest;

TEST_F(MeshAdjacency, EachEdgeOfAClosedSurfaceHasOneOppositeVertex) {
  Scene scene = glass_scene();
  add_mesh(scene, closed_cube());
  EXPECT_EQ(checked_adjacency(scene), (std::map<std::size_t, int>{{1, 36}}));
}

TEST_F(MeshAdjacency, TheRimOfASheetHasNone) {
  Scene scene = glass_scene();
  add_mesh(scene, sheet({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 4));
  EXPECT_EQ(checked_adjacency(scene), (std::map<std::size_t, int>{{0, 16}, {1, 3 * 32 - 16}}));
}

TEST_F(MeshAdjacency, AFanOfThreeHasTwo) {
  Scene scene = glass_scene();
  add_mesh(scene, {{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}}, {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}}});
  EXPECT_EQ(checked_adjacency(scene), (std::map<std::size_t, int>{{0, 6}, {2, 3}}));
}

TEST_F(MeshAdjacency, MeshesBesideOtherBoundariesKeepTheirOwnNumbers) {
  Scene scene = glass_scene();
  add_mesh(scene, closed_cube());
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  add_mesh(scene, sheet({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 3));
  add_cylinder(scene, {0, 0, 0}, {0, 0, 1}, 1);
  add_mesh(scene, closed_cube());
  EXPECT_EQ(checked_adjacency(scene), (std::map<std::size_t, int>{{0, 12}, {1, 36 + 3 * 18 - 12 + 36}}));
}

/// How many edges of a mesh have each width, in millionths.
std::map<long, int> widths_of(const TriangleMesh& mesh) {
  Scene scene = glass_scene();
  add_mesh(scene, mesh);
  BoundarySystem boundaries(scene);
  std::map<long, int> count;
  for (const float width : copy_of(boundaries.view().edge_width)) { ++count[std::lround(1e6 * double(width))]; }
  return count;
}

// The width of an edge is (1 - cos b) / 2 with the angle b between the normals. One facet of each edge has it.
TEST_F(MeshAdjacency, EdgesAreAsWideAsTheyAreSharp) {
  EXPECT_EQ(widths_of(closed_cube()), (std::map<long, int>{{0, 18 + 6}, {500000, 12}})) << "12 edges, 6 diagonals";
  EXPECT_EQ(widths_of(sheet({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 4)), (std::map<long, int>{{0, 96 - 16}, {1000000, 16}}));
  const double c = std::cos(0.3), s = std::sin(0.3);
  const TriangleMesh roof{{{0, 0, 0}, {0, 2, 0}, {1, 1, 0}, {-c, 0.3, -s}}, {{0, 1, 2}, {0, 3, 1}}};
  EXPECT_EQ(widths_of(roof), (std::map<long, int>{{0, 1}, {std::lround(5e5 * (1 - c)), 1}, {1000000, 4}}));
  // A wall on a flat floor: the floor goes on below it.
  const TriangleMesh wall{{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 1, 4}}};
  EXPECT_EQ(widths_of(wall), (std::map<long, int>{{0, 3}, {1000000, 6}}));
}

}  // namespace scree::inline SCREE_BACKEND::mesh_search_test
