#include <functional>

#include "support.hpp"

namespace scree::inline SCREE_BACKEND::boundary_flights_test {

/// Adds bodies that fly towards a target from up to 50 radii away, slow or fast, and arrive some hundred steps later.
/// If `side` is not zero, all of them come from that side.
void add_flights(Scene& scene, Random& random, const Real3& side, const std::function<Real3(Random&)>& target) {
  while (scene.particles.size() < 80) {
    const Real3 to = target(random), d = random.direction();
    const double far = random(2.5, 50) * bead, speed = std::min(far / random(100, 500), 0.15 * bead) / scene.time_step;
    const Real3 x{to[0] + far * d[0], to[1] + far * d[1], to[2] + far * d[2]};
    if (side[0] * d[0] + side[1] * d[1] + side[2] * d[2] < (side == Real3{} ? 0 : 0.3)) { continue; }
    bool is_free = true;
    for (const Real3& y : scene.particles.position) {
      is_free = is_free && std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]) > 2 * bead;
    }
    if (is_free) { add_body(scene, x, bead * random(0.5, 1), {-speed * d[0], -speed * d[1], -speed * d[2]}); }
  }
}

/// Distance [m] from x to the surface of boundary `b` in a pose; negative behind a plane.
double distance_to(const Scene& scene, std::size_t b, const Pose& pose, const Vec3d& x) {
  const SceneBoundary& boundary = scene.boundaries[b];
  const auto at = [&](const Real3& p) { return pose.place({p[0], p[1], p[2]}); };
  if (const auto* plane = std::get_if<PlaneBoundary>(&boundary.shape)) {
    const Real3& n = plane->normal;
    return dot(x - at(plane->point), pose.turn({n[0], n[1], n[2]}));
  }
  if (const auto* shell = std::get_if<CylinderBoundary>(&boundary.shape)) {
    const Vec3d from = at(shell->from), to = at(shell->to), axis = (1 / norm(to - from)) * (to - from);
    const double along = dot(x - from, axis), radial = norm(x - from - along * axis) - shell->radius;
    const double beyond = std::max({0.0, -along, along - norm(to - from)});
    return std::sqrt(radial * radial + beyond * beyond);
  }
  double nearest = 1e300;
  for (const auto& t : boundary.mesh.triangles) {
    const auto& v = boundary.mesh.vertices;
    const Vec3d away = x - closest_on_triangle(x, at(v[t[0]]), at(v[t[1]]), at(v[t[2]])).point;
    nearest = std::min(nearest, norm(away));
  }
  return nearest;
}

using Touches = std::set<std::pair<std::uint32_t, std::uint32_t>>;  ///< (id of body, number of boundary)

Touches touches_by_brute_force(const Scene& scene, const Snapshot& state) {
  Touches touches;
  for (std::size_t b = 0; b < scene.boundaries.size(); ++b) {
    const Pose pose = pose_at(scene.boundaries[b].motion, state.time);
    for (std::size_t i = 0; i < state.id.size(); ++i) {
      const Vec3d x{state.position[i][0], state.position[i][1], state.position[i][2]};
      if (distance_to(scene, b, pose, x) < state.radius[i]) {
        touches.insert({state.id[i], static_cast<std::uint32_t>(b)});
      }
    }
  }
  return touches;
}

/// `boundary_of[f]` is the boundary that feature f belongs to.
template <class R>
Touches listed_touches(System<R>& system, const std::vector<std::uint32_t>& boundary_of) {
  const auto body = SystemProbe::near_boundary(system).body_of_row.to_vector();
  const auto start = SystemProbe::near_boundary(system).row_start.to_vector();
  const auto slot = SystemProbe::near_boundary(system).slot.to_vector();
  const auto id = SystemProbe::bodies(system).id.to_vector();
  Touches touches;
  for (std::size_t row = 0; row < body.size(); ++row) {
    for (offset_t k = start[row]; k < start[row + 1]; ++k) {
      if (slot[k].touching != 0) { touches.insert({id[body[row]], boundary_of[slot[k].feature]}); }
    }
  }
  return touches;
}

/// The number of the boundary for each feature. Features of planes and cylinders come first, then the facets of each
/// mesh.
std::vector<std::uint32_t> boundaries_of_features(const Scene& scene) {
  std::vector<std::uint32_t> result;
  for (const bool meshes : {false, true}) {
    for (std::uint32_t b = 0; b < scene.boundaries.size(); ++b) {
      const SceneBoundary& boundary = scene.boundaries[b];
      if (boundary.is_mesh() != meshes) { continue; }
      result.insert(result.end(), meshes ? boundary.mesh.triangles.size() : 1, b);
    }
  }
  return result;
}

/// Checks in each step that the touching bodies are the same as by brute force. Returns the number of touches in all
/// steps.
template <class R>
std::size_t checked_touches(const Scene& scene, int steps) {
  System<R> system(scene, 1);
  const std::vector<std::uint32_t> boundary_of = boundaries_of_features(scene);
  std::size_t n = 0;
  for (int step = 0; step < steps; ++step) {
    const Touches expected = touches_by_brute_force(scene, snapshot_of(system.run(), {}));
    system.advance(1, nullptr);
    const bool same = listed_touches(system, boundary_of) == expected;
    EXPECT_TRUE(same) << "a contact was missed or invented in step " << step;
    if (!same) { break; }
    n += expected.size();
  }
  return n;
}

struct Flight {
  const char* name;
  std::function<void(Scene&, Random&)> place;
  std::vector<Motion> motion;  ///< one per boundary
};

void PrintTo(const Flight& flight, std::ostream* out) { *out << flight.name; }

void place_wall(Scene& scene, Random& random) {
  add_plane(scene, {0, 0, 0}, {0.6, 0, 0.8});
  add_flights(scene, random, {0.6, 0, 0.8}, [](Random& r) {
    const double along = r(-20, 20) * bead;
    return Real3{0.8 * along, r(-20, 20) * bead, -0.6 * along};
  });
}

void place_pipe(Scene& scene, Random& random) {
  add_cylinder(scene, {-10 * bead, 0, 0}, {10 * bead, 4 * bead, 0}, 6 * bead);
  add_flights(scene, random, {}, [](Random& r) {
    return r.point({-12 * bead, -6 * bead, -6 * bead}, {12 * bead, 6 * bead, 6 * bead});
  });
}

void place_sheets(Scene& scene, Random& random) {
  add_mesh(scene, sheet({-8 * bead, -8 * bead, 0}, {16 * bead, 0, 0}, {0, 16 * bead, 2 * bead}, 4));
  add_mesh(scene, sheet({0, -8 * bead, -8 * bead}, {0, 16 * bead, 0}, {3 * bead, 0, 16 * bead}, 3));
  add_flights(scene, random, {}, [](Random& r) {
    return r.point({-8 * bead, -8 * bead, -8 * bead}, {8 * bead, 8 * bead, 8 * bead});
  });
}

const Motion drift{Translation{{4, -3, 5}}}, turn{Rotation{{0, 0.6, 0.8}, {bead, 0, 2 * bead}, 400}};
const std::vector<Flight> flights{{"wall", place_wall, {}},
                                  {"drifting_wall", place_wall, {drift}},
                                  {"turning_wall", place_wall, {turn}},
                                  {"pipe", place_pipe, {}},
                                  {"drifting_pipe", place_pipe, {drift}},
                                  {"turning_pipe", place_pipe, {turn}},
                                  {"sheets", place_sheets, {}},
                                  {"drifting_sheets", place_sheets, {drift}},
                                  {"tumbling_sheets", place_sheets, {turn, drift}}};

class BoundaryFlights : public BackendTest, public ::testing::WithParamInterface<Flight> {};

TEST_P(BoundaryFlights, EndInTime) {
  // The search passes over a body that is far from all boundaries until it may have come near. If it passes over a body
  // for too long, contacts begin too late.
  for (const double verlet : {0.02, 0.2, 2.0}) {
    SCOPED_TRACE("Verlet distance " + std::to_string(verlet));
    Random random(91);
    Scene scene = glass_scene();
    scene.materials[0].young_modulus = 1e8;  // stiff enough that no body goes through a boundary
    scene.verlet_distance = verlet * bead;
    GetParam().place(scene, random);
    for (SceneBoundary& boundary : scene.boundaries) { boundary.motion = GetParam().motion; }
    EXPECT_GT(checked_touches<float>(scene, 600), 300u) << "hardly any contacts: nothing is tested";
    if (verlet != 0.2) { continue; }
    checked_touches<double>(scene, 300);
    scene.verlet_auto = true;
    checked_touches<float>(scene, 600);
  }
}

std::string name_of(const ::testing::TestParamInfo<Flight>& tested) { return tested.param.name; }
INSTANTIATE_TEST_SUITE_P(Boundaries, BoundaryFlights, ::testing::ValuesIn(flights), name_of);

}  // namespace scree::inline SCREE_BACKEND::boundary_flights_test
