#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/shapes/closest.hpp"
#include "scenes.hpp"

namespace scree::physics::facets_test {

// B01, closest feature of a triangle (closed form). Overlaps to 1e-12 as in the catalogue, normals to their nine
// decimals.
TEST(Facets, B01ClosestFeature) {
  const struct {
    Vec3d centre;
    TriangleRegion region;
    double overlap;
    Vec3d normal;
  } cases[] = {
      {{.2, .2, .095}, TriangleRegion::face, .005, {0, 0, 1}},
      {{.5, -.05, .08}, TriangleRegion::edge_ab, .005660188679, {0, -.529998940, .847998304}},
      {{-.03, -.04, .08}, TriangleRegion::vertex_a, .005660188679, {-.317999364, -.423999152, .847998304}},
      {{1.06, -.02, .05}, TriangleRegion::vertex_b, .019377422517, {.744208407, -.248069469, .620173673}},
      {{.55, .5, .06}, TriangleRegion::edge_bc, .030358058614, {.025, .025, .06}},
      {{.2, .3, -.07}, TriangleRegion::face, .03, {0, 0, -1}},
  };
  for (const auto& c : cases) {
    const ClosestOnTriangle closest = closest_on_triangle(c.centre, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    EXPECT_EQ(closest.region, c.region);
    const Vec3d away = c.centre - closest.point;
    const double distance = norm(away);
    EXPECT_NEAR(0.1 - distance, c.overlap, 1e-12);
    EXPECT_LT(norm((1 / distance) * away - (1 / norm(c.normal)) * c.normal), 1e-9);
  }
}

// B01 in a run: the force is K_N u n with K_N = E r, to the nine decimals of the normals.
TEST(Facets, B01ForcesOfASingleFacet) {
  const struct {
    Real3 centre;
    double overlap;
    Real3 normal;
  } cases[] = {{{.2, .2, .095}, .005, {0, 0, 1}},
               {{.5, -.05, .08}, .005660188679, {0, -.529998940, .847998304}},
               {{-.03, -.04, .08}, .005660188679, {-.317999364, -.423999152, .847998304}},
               {{1.06, -.02, .05}, .019377422517, {.744208407, -.248069469, .620173673}},
               {{.55, .5, .06}, .030358058614, {.358979079, .358979079, .861549790}},
               {{.2, .3, -.07}, .03, {0, 0, -1}}};
  for (const auto& c : cases) {
    Scene scene = linear_scene({1e4, 0.3, 1000}, 0.5, 1e-9);
    add_sphere(scene, c.centre, 0.1);
    add_mesh(scene, {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{{0, 1, 2}}}});
    const auto engine = start(scene);
    engine->advance(1);
    EXPECT_EQ(engine->counts().boundary_contacts, 1u);
    EXPECT_LT(norm(read(*engine).force - (1e4 * 0.1 * c.overlap) * c.normal), 1e4 * 0.1 * c.overlap * 1e-9);
  }
}

/// Squared distance by a fine search over the triangle. It is slow and shares no code with the engine.
double searched_distance(const Vec3d& x, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  double s0 = 0, t0 = 0, width = 1, best = 1e300;
  for (int round = 0; round < 12; ++round) {
    double best_s = s0, best_t = t0;
    for (int i = -8; i <= 8; ++i) {
      for (int j = -8; j <= 8; ++j) {
        const double s = std::clamp(s0 + width * i / 8, 0.0, 1.0);
        const double t = std::clamp(t0 + width * j / 8, 0.0, 1.0 - s);
        const double distance = norm(x - (a + s * (b - a) + t * (c - a)));
        if (distance < best) { best = distance, best_s = s, best_t = t; }
      }
    }
    s0 = best_s, t0 = best_t, width *= 0.3;
  }
  return best;
}

// B01 for random triangles, also obtuse ones, against a search with an error of at most 1e-3 in the distance.
TEST(Facets, B01ClosestPointOfRandomTriangles) {
  Numbers numbers(11);
  const auto point = [&] {
    const Real3 p = numbers.in_cube(1);
    return Vec3d{p[0], p[1], p[2]};
  };
  for (int k = 0; k < 300; ++k) {
    const Vec3d a = point(), b = point(), c = point(), x = point();
    const double found = norm(x - closest_on_triangle(x, a, b, c).point);
    const double searched = searched_distance(x, a, b, c);
    EXPECT_LT(found, searched + 1e-12) << k;
    EXPECT_GT(found, searched - 1e-3) << k;
  }
}

// --- B03 -----------------------------------------------------------------------------------------------------------

constexpr double cube = 1, ball = 0.21, pitch = 3, young = 1e4;

/// Cubes [0, 1]^3 + offset with 12 facets each, in one mesh.
TriangleMesh cubes_at(const std::vector<Real3>& offsets) {
  TriangleMesh mesh;
  for (const Real3& offset : offsets) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (std::uint32_t k = 0; k < 8; ++k) {
      mesh.vertices.push_back(offset + Real3{cube * double(k & 1), cube * double((k >> 1) & 1), cube * double(k >> 2)});
    }
    const std::uint32_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (const auto& q : quads) {
      mesh.triangles.push_back({first + q[0], first + q[1], first + q[2]});
      mesh.triangles.push_back({first + q[0], first + q[2], first + q[3]});
    }
  }
  return mesh;
}

struct Expected {
  std::uint32_t contacts = 0;
  Real3 force{};
};

Expected expected_on(const Real3& centre) {
  Expected result;
  const double stiffness = young * ball;
  const bool inside = std::all_of(centre.begin(), centre.end(), [](double x) { return x > 0 && x < cube; });
  if (inside) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (const bool upper : {false, true}) {
        const double distance = upper ? cube - centre[axis] : centre[axis];
        if (distance >= ball) { continue; }
        ++result.contacts;
        result.force[axis] += (upper ? -1 : 1) * stiffness * (ball - distance);
      }
    }
    return result;
  }
  Real3 away{};
  for (std::size_t axis = 0; axis < 3; ++axis) { away[axis] = centre[axis] - std::clamp(centre[axis], 0.0, cube); }
  const double distance = norm(away);
  if (distance < ball) { result = {1, (stiffness * (ball - distance) / distance) * away}; }
  return result;
}

/// Places outside and inside the unit cube: random ones near its surface, and others exactly above edges, vertices and
/// diagonals of the facets, where several facets are equally near.
std::vector<Real3> places_near_cube() {
  Numbers numbers(3);
  std::vector<Real3> places;
  const double marks[] = {-0.15, -0.1, -1e-3, 0.05, 0.1, 0.15, 0.5, 0.85, 0.9, 0.95, 1 + 1e-3, 1.1, 1.15};
  const auto add = [&](const Real3& p) {
    if (!std::isnan(expected_on(p).force[0])) { places.push_back(p); }  // on the surface there is no normal
  };
  for (const double x : marks) {
    for (const double y : marks) {
      for (const double z : marks) { add({x, y, z}); }
    }
  }
  for (const double height : {-0.1, 1.1, 0.1, 0.9}) {
    for (int k = 0; k <= 20; ++k) {  // above diagonals and edges of the facets
      const double s = k / 20.0;
      add({s, s, height}), add({s, 1 - s, height}), add({height, s, s}), add({s, height, s});
      add({s, 0, height}), add({0, s, height}), add({s, height, 0}), add({height, s, 1});
    }
  }
  while (places.size() < 7000) { add(Real3{.5, .5, .5} + numbers.in_cube(0.72)); }
  return places;
}

// B03: a sphere outside a cube touches it once; a sphere inside touches every face closer than its radius. The numbers
// must be exact. Forces to 1e-9 of the stiffness times the radius: rounding at coordinates up to 60.
TEST(Facets, B03CubeFromOutsideAndInside) {
  const std::vector<Real3> places = places_near_cube();
  Scene scene = linear_scene({young, 0.3, 1000}, 0.5, 1e-9);
  std::vector<Real3> offsets;
  for (std::size_t i = 0; i < places.size(); ++i) {
    offsets.push_back(pitch * Real3{double(i % 20), double(i / 20 % 20), double(i / 400)});
    add_sphere(scene, offsets.back() + places[i], ball);
  }
  add_mesh(scene, cubes_at(offsets));
  const auto engine = start(scene);
  engine->advance(1);
  const Snapshot after = engine->snapshot({true, true});
  std::array<int, 4> seen{};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Expected expected = expected_on(places[i]);
    ++seen.at(expected.contacts);
    EXPECT_EQ(after.coordination[i], expected.contacts) << places[i][0] << ' ' << places[i][1] << ' ' << places[i][2];
    EXPECT_LT(norm(after.force[i] - expected.force), 1e-9 * young * ball * ball)
        << places[i][0] << ' ' << places[i][1] << ' ' << places[i][2];
  }
  for (const int count : seen) { EXPECT_GT(count, 50); }  // each possible number of contacts occurs
}

}  // namespace scree::physics::facets_test
