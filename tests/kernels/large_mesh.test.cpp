#include <algorithm>
#include <map>

#include "support.hpp"

namespace scree::inline SCREE_BACKEND::large_mesh_test {

using LargeMesh = BackendTest;

constexpr std::uint32_t n_cells = 708;  // per side: just over 1e6 facets
constexpr double cell = bead;           // [m] edge of the cells

/// Height [m] of a wavy sheet over a point of the plane.
double wave(double x, double y) {
  return 2 * cell * (std::sin(x / (7 * cell)) + std::cos(y / (9 * cell)) * std::sin(x / (31 * cell)));
}

/// The wavy sheet with some roughness, so that many bodies touch it in several places.
TriangleMesh wavy_sheet(Random& random) {
  TriangleMesh mesh = sheet({0, 0, 0}, {n_cells * cell, 0, 0}, {0, n_cells * cell, 0}, n_cells);
  for (Real3& v : mesh.vertices) { v[2] = wave(v[0], v[1]) + random(-0.1, 0.1) * cell; }
  return mesh;
}

/// The facets of the sheet that a body at x can reach if its height does not count.
std::vector<std::uint32_t> facets_below(const Real3& x, double radius) {
  const auto cells = [&](double coordinate) {
    const double low = std::floor((coordinate - radius) / cell) - 1, high = std::ceil((coordinate + radius) / cell) + 1;
    return std::array{static_cast<std::uint32_t>(std::max(low, 0.0)),
                      static_cast<std::uint32_t>(std::min(high, double(n_cells)))};
  };
  const auto [i_low, i_high] = cells(x[0]);
  const auto [j_low, j_high] = cells(x[1]);
  std::vector<std::uint32_t> facets;
  for (std::uint32_t j = j_low; j < j_high; ++j) {
    for (std::uint32_t i = i_low; i < i_high; ++i) {
      facets.push_back(2 * (j * n_cells + i));
      facets.push_back(2 * (j * n_cells + i) + 1);
    }
  }
  return facets;
}

/// Whether two facets share an edge at which the surface turns by an angle with a cosine of at least 0.9.
bool go_on_in_each_other(const TriangleMesh& mesh, std::uint32_t f, std::uint32_t g) {
  const auto &p = mesh.triangles[f], &q = mesh.triangles[g];
  int common = 0;
  for (const std::uint32_t a : p) { common += std::count(q.begin(), q.end(), a) > 0 ? 1 : 0; }
  const auto normal = [&](const auto& t) {
    const auto at = [&](std::size_t k) {
      return Vec3d{mesh.vertices[t[k]][0], mesh.vertices[t[k]][1], mesh.vertices[t[k]][2]};
    };
    const Vec3d n = cross(at(1) - at(0), at(2) - at(0));
    return (1 / norm(n)) * n;
  };
  return common == 2 && dot(normal(p), normal(q)) >= 0.9;  // all facets have the same side up
}

/// The facets that a sphere touches, by definition: those whose closest point is a local minimum of the distance. A
/// facet does not count if another facet that contains its closest point comes closer. A closest point that several
/// facets contain belongs to the first. `joined` is increased if some facets form one contact.
std::vector<std::uint32_t> touched_by_brute_force(const TriangleMesh& mesh, const Real3& centre, double radius,
                                                  int& joined) {
  struct Candidate {
    std::uint32_t facet;
    Vec3d point;
    double distance;
  };
  const Vec3d x{centre[0], centre[1], centre[2]};
  const auto closest = [&](std::uint32_t facet, const Vec3d& to) {
    const auto corner = [&](std::size_t k) {
      const Real3& v = mesh.vertices[mesh.triangles[facet][k]];
      return Vec3d{v[0], v[1], v[2]};
    };
    return closest_on_triangle(to, corner(0), corner(1), corner(2)).point;
  };
  std::vector<Candidate> near;
  for (const std::uint32_t facet : facets_below(centre, radius)) {
    const Vec3d point = closest(facet, x);
    if (norm(x - point) < radius) { near.push_back({facet, point, norm(x - point)}); }
  }
  // Facets that continue each other within the sphere form one contact, on the closest of them.
  std::vector<std::size_t> piece(near.size());
  for (std::size_t k = 0; k < near.size(); ++k) { piece[k] = k; }
  for (std::size_t k = 0; k < near.size(); ++k) {
    for (std::size_t other = 0; other < k; ++other) {
      if (piece[k] == piece[other] || !go_on_in_each_other(mesh, near[k].facet, near[other].facet)) { continue; }
      std::replace(piece.begin(), piece.end(), std::size_t(piece[k]), std::size_t(piece[other]));
    }
  }
  std::vector<std::size_t> minima;
  std::vector<Vec3d> points;
  for (const Candidate& one : near) {
    const bool is_minimum = std::none_of(near.begin(), near.end(), [&](const Candidate& other) {
      return other.distance < one.distance - 1e-12 * cell &&
             norm(closest(other.facet, one.point) - one.point) < 1e-9 * cell;
    });
    const bool is_first =
        std::none_of(points.begin(), points.end(), [&](const Vec3d& p) { return norm(p - one.point) < 1e-7 * cell; });
    if (!is_minimum || !is_first) { continue; }
    minima.push_back(std::size_t(&one - near.data()));
    points.push_back(one.point);
  }
  std::vector<std::uint32_t> touched;
  for (const std::size_t k : minima) {
    const bool is_closest = std::none_of(minima.begin(), minima.end(), [&](std::size_t other) {
      return piece[other] == piece[k] && near[other].distance < near[k].distance;
    });
    if (is_closest) { touched.push_back(near[k].facet); }
  }
  joined += touched.size() < minima.size() ? 1 : 0;
  return touched;
}

/// The features that each body touches, in the order of body ids, features ascending.
template <class R>
std::map<std::uint32_t, std::vector<std::uint32_t>> touching_features(System<R>& system) {
  BoundaryList<R>& near = SystemProbe::near_boundary(system);
  const auto id = SystemProbe::bodies(system).id.to_vector();
  const auto body = near.body_of_row.to_vector();
  const auto start = near.row_start.to_vector();
  const auto slot = near.slot.to_vector();
  std::map<std::uint32_t, std::vector<std::uint32_t>> result;
  for (std::size_t row = 0; row < body.size(); ++row) {
    for (offset_t k = start[row]; k < start[row + 1]; ++k) {
      if (slot[k].touching != 0) { result[id[body[row]]].push_back(slot[k].feature); }
    }
  }
  return result;
}

/// 306 spheres above and below the sheet, none near another, with radii from a third of a cell to three cells.
Scene spheres_at_the_sheet(Random& random) {
  Scene scene = glass_scene();
  constexpr double room = 40 * cell;
  for (int j = 0; j < 18; ++j) {
    for (int i = 0; i < 17; ++i) {
      const double radius = random(0.3, 3) * cell;
      const double x = (i + random(0.2, 0.8)) * room, y = (j + random(0.2, 0.8)) * room;
      const double side = random(-1, 1) < 0 ? -1 : 1;
      add_body(
          scene,
          {std::min(x, n_cells * cell), std::min(y, n_cells * cell), wave(x, y) + side * random(0.3, 1.2) * radius},
          radius);
    }
  }
  return scene;
}

TEST_F(LargeMesh, SpheresTouchTheFacetsOfBruteForce) {
  Random random(71);
  const TriangleMesh mesh = wavy_sheet(random);
  ASSERT_GT(mesh.triangles.size(), 1000000u);
  Scene scene = spheres_at_the_sheet(random);
  add_mesh(scene, mesh);
  System<float> system(scene, 1);
  system.advance(1, nullptr);
  auto found = touching_features(system);

  std::map<std::size_t, int> bodies_by_contacts;
  int joined = 0;
  for (std::uint32_t i = 0; i < scene.particles.size(); ++i) {
    const auto expected =
        touched_by_brute_force(mesh, scene.particles.position[i], double(float(scene.particles.radius[i])), joined);
    ASSERT_EQ(found[i], expected) << "body " << i;
    ++bodies_by_contacts[expected.size()];
  }
  EXPECT_GT(bodies_by_contacts[0], 30) << "every body touches: what is near but apart is not tested";
  EXPECT_GT(bodies_by_contacts[1], 100);
  EXPECT_GT(joined, 20) << "too few touch it in several places";
}

/// The number of searches while a paddle turns beside a body at rest. `far` adds a body that has escaped.
std::uint64_t searches_beside_a_paddle(bool far) {
  Scene scene = glass_scene(Precision::double_);
  add_body(scene, {0, 0, 20 * bead});
  if (far) { add_body(scene, {5, 6, 1000}); }
  add_mesh(scene, sheet({-10 * bead, 0, -10 * bead}, {20 * bead, 0, 0}, {0, 0, 20 * bead}, 4)).motion = {
      {Rotation{{0, 0, 1}, {}, 10}}};
  System<double> system(scene, 1);
  system.advance(2000, nullptr);
  return counts_of(system.run()).searches;
}

TEST_F(LargeMesh, AnEscapedBodyCausesNoSearchesForATurningMesh) {
  const std::uint64_t searches = searches_beside_a_paddle(false);
  // The corners are 14 beads from the axis. A search is due when they have moved by half the Verlet distance, a tenth
  // of a bead.
  EXPECT_NEAR(double(searches), 10 * 2000 * 4e-6 * std::sqrt(2) * 10 / 0.1, 5);
  EXPECT_EQ(searches_beside_a_paddle(true), searches);
}

TEST_F(LargeMesh, AMeshThatTurnsFarFromTheOriginCausesFewSearches) {
  Scene scene = glass_scene(Precision::double_);
  const double away = 1000;
  add_body(scene, {away, 0, 20 * bead});
  add_mesh(scene, sheet({away - 10 * bead, 0, -10 * bead}, {20 * bead, 0, 0}, {0, 0, 20 * bead}, 4)).motion = {
      {Rotation{{0, 0, 1}, {away, 0, 0}, 10}}};
  System<double> system(scene, 1);
  system.advance(2000, nullptr);
  EXPECT_EQ(counts_of(system.run()).searches, searches_beside_a_paddle(false));
}

/// A mesh below a body moves up in jerks that begin and end within a step, so that it is at rest at the beginning of
/// each step.
Scene jerking_mesh(double verlet) {
  Scene scene = glass_scene(Precision::double_);
  scene.verlet_distance = verlet * bead;
  add_body(scene, {0, 0, 1.3 * bead});
  SceneBoundary& floor = add_mesh(scene, sheet({-3 * bead, -2 * bead, 0}, {6 * bead, 0, 0}, {0, 5 * bead, 0}, 2));
  const double dt = scene.time_step, speed = 0.004 * bead / dt;
  for (int step = 0; step < 180; ++step) {
    floor.motion.push_back({Translation{{0, 0, speed}}, (step + 0.25) * dt, (step + 0.75) * dt});
  }
  return scene;
}

TEST_F(LargeMesh, AMotionWithinAStepCounts) {
  System<double> measure(jerking_mesh(1e-6), 1), system(jerking_mesh(0.1), 1);
  for (int step = 0; step < 180; ++step) {
    measure.advance(1, nullptr);
    system.advance(1, nullptr);
    ASSERT_TRUE(hash_of(system.run()) == hash_of(measure.run())) << "step " << step;
  }
  EXPECT_EQ(counts_of(measure.run()).boundary_contacts, 1u) << "they never met: nothing is tested";
  EXPECT_LT(counts_of(system.run()).searches, 20u);
}

}  // namespace scree::inline SCREE_BACKEND::large_mesh_test
