#include <algorithm>
#include <functional>
#include <limits>

#include "support.hpp"

namespace scree::inline SCREE_BACKEND::large_bodies_test {

/// Adds a small body where it overlaps no other body and no boundary much.
void add_where_free(Scene& scene, const Real3& x, const Real3& velocity, const Real3& spin) {
  if (x[2] < 0.99 * bead || x[0] < -17 * bead) { return; }
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    const Real3& y = scene.particles.position[i];
    const double dx = y[0] - x[0], dy = y[1] - x[1], dz = y[2] - x[2],
                 nearest = scene.particles.radius[i] + 0.98 * bead;
    if (dx * dx + dy * dy + dz * dz < nearest * nearest) { return; }
  }
  add_body(scene, x, bead, velocity, spin);
}

/// Two boulders and a cobble among some 1600 beads: a layer of beads lies on the floor, and others fall on each large
/// body from all sides. One boulder leans on a facet a hundred times as large as a bead, and the other boulder rams it.
/// The boulders are so large that their contacts are summed in parts.
Scene boulders(Precision precision) {
  Scene scene = glass_scene(precision);
  scene.gravity = {0, 0, -50};
  scene.verlet_distance = 0.3 * bead;
  struct Boulder {
    Real3 centre;  // lengths are in beads
    double radius;
    Real3 velocity;
    int n_shell;
  };
  const std::vector<Boulder> all{{{0, 0, 19.97}, 18, {0, 0, 0}, 350},
                                 {{35.3, 3, 18.98}, 17, {-1, 0, 0}, 320},
                                 {{3, 40, 12}, 10, {0.3, -0.3, 0}, 120}};
  const auto beads = [](const Real3& x) { return Real3{x[0] * bead, x[1] * bead, x[2] * bead}; };
  for (const Boulder& b : all) { add_body(scene, beads(b.centre), b.radius * bead, b.velocity, {0, 5, 5}); }
  Random random(81);
  for (int j = -6; j < 6; ++j) {
    for (int i = -6; i < 24; ++i) {
      add_where_free(scene, beads({2.03 * i, 2.03 * j, 0.995}), random.point({-0.2, -0.2, -0.2}, {0.2, 0.2, 0.2}), {});
    }
  }
  for (const Boulder& b : all) {
    for (int i = 0; i < 2 * b.n_shell; ++i) {  // two shells of beads, evenly spaced along a spiral
      const int along = i / 2;
      const double z = 1 - (2 * along + 1.0) / b.n_shell, across = std::sqrt(1 - z * z), turn = 2.399963 * along;
      const Real3 d{across * std::cos(turn), across * std::sin(turn), z}, c = b.centre;
      const double far = b.radius + (i % 2 == 0 ? 0.99 : 3.05), inwards = random(-1, 0);
      const Real3 x{c[0] + far * d[0], c[1] + far * d[1], c[2] + far * d[2]};
      const Real3 v{b.velocity[0] + inwards * d[0], b.velocity[1] + inwards * d[1], b.velocity[2] + inwards * d[2]};
      add_where_free(scene, beads(x), v, random.point({-100, -100, -100}, {100, 100, 100}));
    }
  }
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  TriangleMesh wall;
  const double x = -17.99;
  wall.vertices = {beads({x, -50, -10}), beads({x, 50, -10}), beads({x, 0, 90})};
  wall.triangles = {{0, 1, 2}};
  add_mesh(scene, wall);
  return scene;
}

using LargeBodies = BackendTest;

/// Settings of a run that must not change a bit of the result.
struct Manner {
  const char* name;
  int threads = 1;
  double verlet = 0.3;
  bool by_speed = false;
  double target_interval = 0;
  std::uint64_t forced_every = 0;  ///< [steps] 0: only searches that are due
};

StateHash hash_after(const Scene& base, const Manner& manner, std::uint64_t steps) {
  Scene scene = base;
  scene.verlet_distance = manner.verlet * bead;
  scene.verlet_auto = manner.by_speed;
  scene.target_interval = manner.target_interval;
  const auto engine = make_backend_engine(scene, manner.threads);
  const std::uint64_t stride = manner.forced_every > 0 ? manner.forced_every : steps;
  for (std::uint64_t done = 0; done < steps; done += stride) {
    engine->advance(std::min(stride, steps - done));
    if (manner.forced_every > 0) { static_cast<void>(engine->search_neighbours()); }
  }
  return engine->hash();
}

TEST_F(LargeBodies, HaveTheSameBitsInAnyManner) {
  const std::vector<Manner> manners{{"2 threads", 2},
                                    {"3 threads", 3, 0.3, false, 0, 20},
                                    {"short lists", 1, 0.02},
                                    {"long lists", 2, 2},
                                    {"skins by speed", 1, 0.1, true},
                                    {"skins by speed for 50 steps", 1, 0.1, true, 50},
                                    {"a share of the distance", 1, 0.3, false, 20},
                                    {"forced searches", 1, 0.3, false, 0, 7},
                                    {"forced searches, skins by speed", 2, 0.1, true, 0, 7}};
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = boulders(precision);
    add_outlet(scene, "side", {0, 19 * bead, 0}, {0, 1, 0});  // a few bodies leave, so lists get shorter
    const StateHash measure = hash_after(scene, {"measure"}, 300);
    for (const Manner& manner : manners) { EXPECT_TRUE(hash_after(scene, manner, 300) == measure) << manner.name; }
  }
}

TEST_F(LargeBodies, TouchWhatBruteForceSays) {
  Scene scene = boulders(Precision::mixed);
  scene.verlet_auto = true;
  System<float> system(scene, 1);
  std::size_t most_of_first = 0, most_of_second = 0;
  for (int check = 0; check < 20; ++check) {
    system.advance(14, nullptr);
    const Snapshot before = snapshot_of(system.run(), {});
    system.advance(1, nullptr);
    const std::set<IdPair> touching = touching_pairs(system);
    ASSERT_TRUE(touching == overlapping_pairs(before)) << "step " << system.run().step;
    std::size_t of_first = 0, of_second = 0;
    for (const IdPair& pair : touching) {
      of_first += pair.first == 0 ? 1 : 0;
      of_second += pair.first == 1 ? 1 : 0;
    }
    most_of_first = std::max(most_of_first, of_first);
    most_of_second = std::max(most_of_second, of_second);
  }
  EXPECT_GT(most_of_first, 200u) << "few contacts: nothing is tested";
  EXPECT_GT(most_of_second, 200u);
  EXPECT_TRUE(touching_pairs(system).count({0, 1}) > 0) << "the boulders never met";
}

/// Sums over the records of pairs and slots of one body, in double.
struct Sum {
  Vec3d force{0, 0, 0}, torque{0, 0, 0};
  double force_sizes = 0, torque_sizes = 0;  ///< sums of the lengths of the terms
  double terms = 0;
  bool at_boundary = false;
};

/// The sums for all bodies, [n_bodies] in the order of memory.
template <class R>
std::vector<Sum> sums_of_records(System<R>& system) {
  const auto pairs = SystemProbe::pairs(system).bodies.to_vector();
  const auto touching = SystemProbe::pairs(system).touching.to_vector();
  const auto record = SystemProbe::pairs(system).force.to_vector();
  const auto radius = SystemProbe::bodies(system).radius().to_vector();
  std::vector<Sum> sums(radius.size());
  const auto add = [&](index_t body, double sign, const PairForce<R>& pair) {
    const Vec3d force{double(pair.force[0]), double(pair.force[1]), double(pair.force[2])};
    const Vec3d moment{double(pair.moment[0]), double(pair.moment[1]), double(pair.moment[2])};
    const double arm = double(radius[body]) - double(pair.half_overlap());
    sums[body].force += sign * force;
    sums[body].torque += arm * moment;
    sums[body].force_sizes += norm(force);
    sums[body].torque_sizes += arm * norm(moment);
    sums[body].terms += 1;
  };
  for (std::size_t slot = 0; slot < pairs.size(); ++slot) {
    if (touching[slot] == 0) { continue; }
    add(pairs[slot].first, -1, record[slot]);
    add(pairs[slot].second, 1, record[slot]);
  }
  const auto body = SystemProbe::near_boundary(system).body_of_row.to_vector();
  const auto start = SystemProbe::near_boundary(system).row_start.to_vector();
  const auto slot = SystemProbe::near_boundary(system).slot.to_vector();
  for (std::size_t row = 0; row < body.size(); ++row) {
    for (offset_t k = start[row]; k < start[row + 1]; ++k) {
      if (slot[k].touching == 0) { continue; }
      Sum& sum = sums[body[row]];
      sum.force += convert<double>(slot[k].force);
      sum.force_sizes += double(norm(slot[k].force));
      sum.terms += 1;
      sum.at_boundary = true;
    }
  }
  return sums;
}

/// In a step without damping, every body gets the sum of the forces of its contacts, and only gravity and boundaries
/// change the total momentum, because the two forces of a pair cancel. A sum of k terms has an error of at most k
/// roundings of the sum of the terms' sizes; a velocity has one rounding of itself and three of its change. `u` is half
/// the last place of R. These tolerances are far below the force of a single contact.
template <class R>
void expect_balance(const Scene& scene) {
  const double u = 0.5 * double(std::numeric_limits<R>::epsilon());
  const double dt = double(static_cast<R>(scene.time_step));
  System<R> system(scene, 1);
  for (int check = 0; check < 10; ++check) {
    system.advance(29, nullptr);
    const auto id = SystemProbe::bodies(system).id.to_vector();
    auto& bodies = SystemProbe::bodies(system);
    std::vector<Vec3d> velocity(id.size()), spin(id.size());  // by id
    const auto remember = [&] {
      const auto ids = bodies.id.to_vector();
      const auto v = bodies.velocity().to_vector(), w = bodies.angular_velocity().to_vector();
      for (std::size_t i = 0; i < ids.size(); ++i) {
        velocity[ids[i]] = convert<double>(v[i]);
        spin[ids[i]] = convert<double>(w[i]);
      }
    };
    remember();
    const std::vector<Vec3d> velocity_before = velocity, spin_before = spin;
    system.advance(1, nullptr);
    remember();

    const auto ids = bodies.id.to_vector();
    const auto inverse_mass = bodies.inverse_mass().to_vector(), inverse_inertia = bodies.inverse_inertia().to_vector();
    const Snapshot after = snapshot_of(system.run(), {true, false});
    const std::vector<Sum> sums = sums_of_records(system);
    Vec3d momentum{0, 0, 0}, impulse{0, 0, 0};
    double tolerance = 0, force_sizes = 0, contacts = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const std::uint32_t name = ids[i];
      const Real3& f = after.force[name];
      const Vec3d force{f[0], f[1], f[2]};
      ASSERT_LE(norm(force - sums[i].force), 2 * u * (sums[i].terms + 1) * sums[i].force_sizes) << "force on " << name;

      const double mass = 1 / double(inverse_mass[i]);
      momentum += mass * (velocity[name] - velocity_before[name]);
      impulse += dt * mass * Vec3d{scene.gravity[0], scene.gravity[1], scene.gravity[2]};
      tolerance += 2 * u *
                   (mass * norm(velocity[name]) + dt * (sums[i].terms + 4) * sums[i].force_sizes +
                    4 * dt * mass * std::abs(scene.gravity[2]));
      force_sizes += sums[i].force_sizes;
      contacts += sums[i].terms;
      if (sums[i].at_boundary) { continue; }  // the moments of slots are not stored
      const Vec3d turned = spin[name] - spin_before[name], expected = dt * double(inverse_inertia[i]) * sums[i].torque;
      const double inertia_dt = dt * double(inverse_inertia[i]);
      ASSERT_LE(norm(turned - expected), 2 * u *
                                             (norm(spin[name]) + norm(spin_before[name]) +
                                              (sums[i].terms + 8) * inertia_dt * sums[i].torque_sizes))
          << "torque on " << name;
    }
    for (const BoundaryLoad& load : boundary_loads(system.run())) {
      impulse -= dt * Vec3d{load.force[0], load.force[1], load.force[2]};
    }
    EXPECT_LE(norm(momentum - impulse), tolerance) << "step " << system.run().step;
    EXPECT_LT(tolerance, dt * force_sizes / contacts) << "a missing contact would not be seen";
  }
}

TEST_F(LargeBodies, GetWhatTheirContactsGiveAndNoMore) {
  expect_balance<float>(boulders(Precision::mixed));
  expect_balance<double>(boulders(Precision::double_));
}

}  // namespace scree::inline SCREE_BACKEND::large_bodies_test
