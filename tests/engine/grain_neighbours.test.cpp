#include "grain_kit.hpp"

#include <map>

// A node that touches several bodies at once remembers its shear for each of them.
namespace scree::inline SCREE_BACKEND::grain_neighbours_test {

using physics::add_clump;
using physics::cross;
using physics::dot;
using physics::turn;

constexpr double overlap = 0.15 * bead, big = 1.5 * bead;
/// What grain 0 touches: two grains, and two planes that oscillate.
enum Partner { grain_b, grain_c, plane_p, plane_q, n_partners };

/// Directions from the centre of grain 0, 28 or 40 degrees apart: caps of 25 degrees or more overlap.
Real3 direction_of(int partner) {
  const double side = 0.25;
  const Real3 x{partner % 2 == 0 ? side : -side, partner / 2 == 0 ? side : -side, -1};
  return (1 / length_of(x)) * x;
}

void add_oscillating_plane(Scene& scene, int partner) {
  const Real3 out = direction_of(partner);
  SceneBoundary& plane = add_plane(scene, (bead - overlap) * out, -1.0 * out);
  plane.name = "plane " + std::to_string(partner);
  const Real3 along = cross(out, {partner == plane_p ? 1.0 : 0.3, 1, 0});
  plane.motion = {
      {Oscillation{.direction = (1 / length_of(along)) * along, .amplitude = 0.1 * bead, .frequency = 1200}}};
}

struct Kind {
  Precision precision;
  LawKind law;
  bool two_pass;
};

/// Grain 0 moves across its first partner and away from the second one, and spins. All motion is prescribed.
Scene scene_with(const Kind& kind, const std::vector<int>& partners) {
  Scene scene = glass_scene(kind.precision, kind.law);
  scene.time_step = 1e-5;
  scene.grain_contacts.two_pass = kind.two_pass;
  add_grain_shape(scene, grain_of(ball(bead), bead, 0.1 * bead, 2562));
  add_grain_shape(scene, grain_of(ball(big), big, 0.1 * bead, 4000));
  const Real3 b = direction_of(grain_b), c = direction_of(grain_c), away = dot(b, c) * b - c;
  add_clump(scene, 0, {0, 0, 0}, (0.2 / length_of(away)) * away, {100, -80, 60}, turn({1, 2, 3}, 0.4));
  for (const int partner : partners) {
    if (partner < plane_p) {
      add_clump(scene, 1, (bead + big - overlap) * direction_of(partner), {}, {}, turn({3, 1, -1}, 1 + partner));
    } else {
      add_oscillating_plane(scene, partner);
    }
  }
  scene.groups.resize(2);
  scene.groups[1].fixed = fixed_translation | fixed_rotation;
  scene.particles.group.assign(scene.particles.size(), 1);
  return scene;
}

/// Numbers of nodes of grain 0 that touch a partner and another one at the start.
std::size_t shared_nodes(const Scene& scene, int one, int two) {
  const auto touches = [](const Real3& x, int partner) {
    const Real3 out = direction_of(partner);
    return partner < plane_p ? length_of(x - (bead + big - overlap) * out) < big : dot(x, out) > bead - overlap;
  };
  std::size_t count = 0;
  for (const Real3& node : scene.grain_shapes[0].node) {
    const Real3 x = physics::turned_by(scene.particles.clumps[0].orientation, node);
    count += touches(x, one) && touches(x, two) ? 1 : 0;
  }
  return count;
}

/// Contacts of grain 0 by their place in `partners`.
std::map<int, TouchingContact> contacts_of(Engine& engine, const std::vector<int>& partners) {
  std::vector<int> bodies{-1}, planes;
  for (const int p : partners) { (p < plane_p ? bodies : planes).push_back(p); }
  std::map<int, TouchingContact> found;
  for (const TouchingContact& c : engine.touching_contacts()) {
    if (c.with_boundary && c.second == 0) { found[planes.at(c.first)] = c; }
    if (!c.with_boundary && c.first == 0) { found[bodies.at(c.second)] = c; }
  }
  return found;
}

class GrainNeighbours : public BackendTest, public ::testing::WithParamInterface<Kind> {};

// All motion is prescribed, so each contact has the force that it has without the others. A node with one memory for
// all of them would forget or mix them.
TEST_P(GrainNeighbours, EachContactOfANodeHasTheShearThatItHasAlone) {
  const std::vector<int> all = {grain_b, grain_c, plane_p, plane_q};
  const Scene together = scene_with(GetParam(), all);
  for (const int one : all) {
    for (int two = 0; two < one; ++two) { EXPECT_GT(shared_nodes(together, one, two), 3u) << one << two; }
  }
  const auto whole = make_backend_engine(together);
  std::vector<std::unique_ptr<Engine>> alone;
  alone.reserve(all.size());
  for (const int p : all) { alone.push_back(make_backend_engine(scene_with(GetParam(), {p}))); }
  // The sums run over the same nodes in the same order.
  const double rounding = GetParam().precision == Precision::double_ ? 1e-12 : 1e-5;
  std::array<int, n_partners> sheared{};
  for (int k = 0; k < 20; ++k) {
    whole->advance(10);
    const auto found = contacts_of(*whole, all);
    for (const int p : all) {
      Engine& engine = *alone[static_cast<std::size_t>(p)];
      engine.advance(10);
      const auto expected = contacts_of(engine, {p});
      ASSERT_EQ(found.count(p), expected.count(p)) << p << " after " << whole->step();
      if (!expected.contains(p)) { continue; }
      const TouchingContact &a = found.at(p), &b = expected.at(p);
      const double force = length_of(b.force);
      const Real3 shear = b.force - dot(b.force, b.normal) * b.normal;
      sheared[static_cast<std::size_t>(p)] += length_of(shear) > 0.2 * force ? 1 : 0;
      EXPECT_LT(length_of(a.force - b.force), rounding * force) << p << " after " << whole->step();
    }
  }
  for (const int n : sheared) { EXPECT_GT(n, 8); }
  EXPECT_FALSE(contacts_of(*whole, all).contains(grain_c)) << "it has parted, while the others went on";
}

INSTANTIATE_TEST_SUITE_P(Laws, GrainNeighbours,
                         ::testing::Values(Kind{Precision::double_, LawKind::linear_spring_dashpot, false},
                                           Kind{Precision::double_, LawKind::hertz_mindlin, true},
                                           Kind{Precision::mixed, LawKind::mindlin_reversal, false}));

}  // namespace scree::inline SCREE_BACKEND::grain_neighbours_test
