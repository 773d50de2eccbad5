#include "../engine/busy_scene.hpp"
#include "../engine/hot_scene.hpp"
#include "../physics/clump_shapes.hpp"
#include "state_scrambler.hpp"
#include "support.hpp"

/// No state may be forgotten in a checkpoint. The lists of names in state_scrambler.hpp must be complete, or this file
/// does not compile. Before a state is restored, everything that the scene does not fix is filled with nonsense. If
/// restore() leaves any of it unchanged, the run continues differently and the test fails.
///
/// After adding a member, name it in its list, scramble it, and see this test fail until the member is saved, or is
/// recomputed by restore() if it is not state.
namespace scree::inline SCREE_BACKEND {
namespace {

class CheckpointGuard : public BackendTest, public ::testing::WithParamInterface<LawKind> {};

/// A scene in which some bodies are damped more than others, and some cannot turn.
Scene grouped(Scene scene) {
  SceneGroup plain, heavy;
  plain.damping = scene.integration.damping;
  heavy.damping = 0.6;
  heavy.fixed = fixed_rotation;
  scene.groups = {plain, heavy};
  for (std::size_t i = 0; i < scene.particles.size(); ++i) { scene.particles.group.push_back(i % 3 == 0 ? 1 : 0); }
  return scene;
}

/// Two bodies to insert during the run, one for each group.
ParticleSet late_bodies() {
  ParticleSet set;
  for (const double x : {-3.0, 3.0}) {
    set.position.push_back({x * bead, 0.5 * bead, 30 * bead});
    set.velocity.push_back({0, 0, -1});
    set.angular_velocity.push_back({100, 0, 0});
    set.radius.push_back(bead);
    set.material.push_back(0);
    set.group.push_back(x > 0 ? 1 : 0);
  }
  return set;
}

template <class R>
void expect_nothing_forgotten(Precision precision, LawKind law, bool groups, bool adaptive = false) {
  Scene scene = groups ? grouped(busy_scene(precision, law, 0.2)) : busy_scene(precision, law, 0.2);
  if (law == LawKind::bonded) {
    scene.pairs.front().bond = {1e4, 1e4, 1.2};
    scene.interaction_range = 1.3;
    scene.pairs.front().rolling = {0.5, 0.1, 0.5, 0.1, 0};
  }
  scene.energies = scene.sums_losses = groups;
  if (groups) { scene.collisions = SceneCollisions{{1e-9, 1e-7, 1e-5}}; }
  if (adaptive && law == LawKind::hertz_mindlin) {
    scene.integration.rotation = RotationScheme::fincham;
    scene.clump_shapes = {physics::dumbbell(0.5 * bead, 0.5 * bead)};
    for (int k = 0; k < 4; ++k) {
      physics::add_clump(scene, 0, {-12.6 * bead, (k - 1.5) * 2.2 * bead, 6 * bead}, {0, 0, -2}, {10, 20, 30},
                         physics::turn({1, 1, 0}, k));
      if (groups) { scene.particles.group.insert(scene.particles.group.end(), 2, 0); }
    }
  }
  if (groups) { make_hot(scene); }
  if (adaptive) {
    scene.adaptive = AdaptiveStep{
        .safety = 0.3, .every = 7, .impact_limit = 2e-4, .impact_limit_at_unit_speed = 3e-5, .free_limit = 2e-5};
  }
  System<R> whole(scene, 1), scrambled(scene, 1);
  whole.advance(100, nullptr);
  if (groups) { whole.insert(late_bodies()); }
  whole.advance(50, nullptr);
  const EngineState state = whole.save();
  const StateHash hash = hash_of(whole.run());
  StateScrambler::scramble(scrambled);
  scrambled.restore(state);
  EXPECT_TRUE(hash_of(scrambled.run()) == hash);
  EXPECT_TRUE(scrambled.save() == state);
  whole.advance(1000, nullptr);
  scrambled.advance(1000, nullptr);
  EXPECT_TRUE(hash_of(scrambled.run()) == hash_of(whole.run()));
  EXPECT_TRUE(scrambled.save() == whole.save());
}

TEST_P(CheckpointGuard, NothingIsForgotten) {
  expect_nothing_forgotten<float>(Precision::mixed, GetParam(), false);
  expect_nothing_forgotten<double>(Precision::double_, GetParam(), false);
}

TEST_P(CheckpointGuard, NothingIsForgottenOfAStepThatAdapts) {
  expect_nothing_forgotten<float>(Precision::mixed, GetParam(), true, true);
  expect_nothing_forgotten<double>(Precision::double_, GetParam(), false, true);
}

TEST_P(CheckpointGuard, NothingIsForgottenOfGroupsAndLateBodies) {
  expect_nothing_forgotten<float>(Precision::mixed, GetParam(), true);
  expect_nothing_forgotten<double>(Precision::double_, GetParam(), true);
}

std::string law_name(const ::testing::TestParamInfo<LawKind>& tested) {
  switch (tested.param) {
    case LawKind::hertz_mindlin: return "hertz_mindlin";
    case LawKind::mindlin_reversal: return "mindlin_reversal";
    case LawKind::bonded: return "bonded";
    case LawKind::jaeger: return "jaeger";
    default: return "cundall_strack";
  }
}
INSTANTIATE_TEST_SUITE_P(Laws, CheckpointGuard,
                         ::testing::Values(LawKind::hertz_mindlin, LawKind::cundall_strack, LawKind::mindlin_reversal,
                                           LawKind::bonded, LawKind::jaeger),
                         law_name);

TEST(CheckpointGuardOfSlots, NamesEveryMember) {
  BoundarySlot<float> mixed{};
  BoundarySlot<double> full{};
  StateScrambler::name_slot_members(mixed);
  StateScrambler::name_slot_members(full);
}

}  // namespace
}  // namespace scree::inline SCREE_BACKEND
