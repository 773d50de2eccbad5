#include <algorithm>

#include "../engine/busy_scene.hpp"
#include "kernels/archive/state_io.hpp"
#include "support.hpp"

namespace scree::inline SCREE_BACKEND::checkpoint_test {

/// Everything readable at a step has the same bits in both engines.
void expect_same_readout(Engine& a, Engine& b, const std::string& where) {
  EXPECT_EQ(a.step(), b.step()) << where;
  EXPECT_EQ(a.time(), b.time()) << where;
  EXPECT_TRUE(a.hash() == b.hash()) << where;
  const Snapshot x = a.snapshot({true, true}), y = b.snapshot({true, true});
  EXPECT_EQ(x.id, y.id) << where;
  EXPECT_EQ(x.position, y.position) << where;
  EXPECT_EQ(x.velocity, y.velocity) << where;
  EXPECT_EQ(x.angular_velocity, y.angular_velocity) << where;
  EXPECT_EQ(x.radius, y.radius) << where;
  EXPECT_EQ(x.material, y.material) << where;
  EXPECT_EQ(x.force, y.force) << where;
  EXPECT_EQ(x.coordination, y.coordination) << where;
  const EngineCounts p = a.counts(), q = b.counts();
  EXPECT_EQ(p.particles, q.particles) << where;
  EXPECT_EQ(p.contacts, q.contacts) << where;
  EXPECT_EQ(p.boundary_contacts, q.boundary_contacts) << where;
  EXPECT_EQ(p.removed, q.removed) << where;
  EXPECT_EQ(p.removed_mass, q.removed_mass) << where;
  const auto loads = a.boundary_loads(), other_loads = b.boundary_loads();
  ASSERT_EQ(loads.size(), other_loads.size());
  for (std::size_t i = 0; i < loads.size(); ++i) {
    EXPECT_EQ(loads[i].force, other_loads[i].force) << where << ", boundary " << i;
    EXPECT_EQ(loads[i].torque, other_loads[i].torque) << where << ", boundary " << i;
    EXPECT_EQ(a.boundary_vertices(i), b.boundary_vertices(i)) << where << ", boundary " << i;
  }
}

struct Kind {
  Precision precision;
  LawKind law;
};
class Checkpoint : public BackendTest, public ::testing::WithParamInterface<Kind> {
 protected:
  Scene scene(double verlet) const { return busy_scene(GetParam().precision, GetParam().law, verlet); }
};

// E07: a resumed run has the same bits with contact history, moving boundaries and outlets, also if it continues with
// other lists or another number of threads.
TEST_P(Checkpoint, AResumedRunHasTheSameBits) {
  constexpr std::uint64_t end = 400;
  const auto whole = make_backend_engine(scene(0.2), 1);
  whole->advance(150);
  const EngineState middle = whole->save();
  whole->advance(end - 150);
  ASSERT_GT(whole->counts().removed[0], 0u);
  for (const double verlet : {0.2, 0.05, 1.0, -0.02}) {  // negative: automatic, starting from its absolute value
    Scene other = scene(std::abs(verlet));
    other.verlet_auto = verlet < 0;
    const auto resumed = make_backend_engine(other, verlet == 0.05 ? 2 : 1);
    resumed->restore(middle);
    EXPECT_TRUE(resumed->save() == middle);
    resumed->advance(end - 150);
    expect_same_readout(*whole, *resumed, "Verlet distance " + std::to_string(verlet));
    EXPECT_TRUE(resumed->save() == whole->save());
  }
}

TEST_P(Checkpoint, EverythingCanBeReadAtTheStepItself) {
  const auto engine = make_backend_engine(scene(0.2));
  const auto restored = make_backend_engine(scene(0.1));
  std::uint64_t removed = 0, removals = 0;
  for (const std::uint64_t step : {0u, 1u, 2u, 40u, 80u, 120u, 160u, 200u, 240u}) {
    engine->advance(step - engine->step());
    restored->restore(engine->save());
    expect_same_readout(*engine, *restored, "step " + std::to_string(step));
  }
  // Steps in which particles leave, some of them while in contact. Their contacts still count in that step.
  for (int k = 0; k < 60; ++k) {
    engine->advance(1);
    const auto counts = engine->counts().removed;
    if (counts[0] + counts[1] == removed) { continue; }
    removed = counts[0] + counts[1];
    ++removals;
    restored->restore(engine->save());
    expect_same_readout(*engine, *restored, "step " + std::to_string(engine->step()));
    restored->advance(1);
    const auto next = make_backend_engine(scene(0.2));
    next->restore(engine->save());
    next->advance(1);
    EXPECT_TRUE(next->hash() == restored->hash());
  }
  EXPECT_GT(removals, 3u);
}

TEST_P(Checkpoint, DoesNotDependOnListsOrThreads) {
  const auto engine = make_backend_engine(scene(0.2), 1), other = make_backend_engine(scene(1.0), 2);
  engine->advance(200);
  other->advance(200);
  EXPECT_TRUE(engine->save() == other->save());
}

std::string kind_name(const ::testing::TestParamInfo<Kind>& tested) {
  return std::string(tested.param.precision == Precision::mixed ? "mixed" : "double") +
         (tested.param.law == LawKind::jaeger          ? "_jaeger"
          : tested.param.law == LawKind::hertz_mindlin ? "_hertz_mindlin"
                                                       : "_cundall_strack");
}
INSTANTIATE_TEST_SUITE_P(Kinds, Checkpoint,
                         ::testing::Values(Kind{Precision::mixed, LawKind::hertz_mindlin},
                                           Kind{Precision::double_, LawKind::cundall_strack},
                                           Kind{Precision::mixed, LawKind::jaeger},
                                           Kind{Precision::double_, LawKind::jaeger}),
                         kind_name);

using CheckpointState = BackendTest;

/// One particle with forty times the radius of the others, which lie on it.
Scene large_particle_scene() {
  Scene scene = glass_scene(Precision::mixed);
  scene.gravity = {0, 0, -50};
  Random random(5);
  add_lattice(scene, {12, 12, 3}, {-15 * bead, -15 * bead, 41 * bead}, 2.5 * bead, {0.9 * bead, bead}, 0.3, random);
  scene.particles.position.insert(scene.particles.position.begin() + 100, Real3{0, 0, 0});
  scene.particles.velocity.insert(scene.particles.velocity.begin() + 100, Real3{});
  scene.particles.angular_velocity.insert(scene.particles.angular_velocity.begin() + 100, Real3{0, 0, 3});
  scene.particles.radius.insert(scene.particles.radius.begin() + 100, 40 * bead);
  scene.particles.material.insert(scene.particles.material.begin() + 100, 0);
  add_plane(scene, {0, 0, -40 * bead}, {0, 0, 1});
  return scene;
}

TEST_F(CheckpointState, OfALargeParticleHasItsForceAndItsCourse) {
  const Scene scene = large_particle_scene();
  const auto whole = make_backend_engine(scene), resumed = make_backend_engine(scene);
  whole->advance(3000);
  ASSERT_GT(whole->snapshot({true, true}).coordination[100], 5u);
  resumed->restore(whole->save());
  expect_same_readout(*whole, *resumed, "at the checkpoint");
  whole->advance(300);
  resumed->advance(300);
  expect_same_readout(*whole, *resumed, "afterwards");
}

TEST_F(CheckpointState, RowsMayHaveSeveralElements) {
  const std::vector<Vec3<float>> written{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
  EngineState state;
  StateWriter(state).rows(
      "a/b", "m", 2, [&](std::size_t k) -> const auto& { return written[2 * (1 - k)]; }, 2);
  ASSERT_EQ(state.arrays.size(), 1u);
  EXPECT_EQ(state.arrays[0].columns, 6u);
  EXPECT_EQ(state.arrays[0].rows(), 2u);
  std::vector<Vec3<float>> read(4);
  StateReader reader(state);
  reader.rows(
      "a/b", "", 2, [&](std::size_t k) -> auto& { return read[2 * k]; }, 2);
  reader.expect_all_read();
  EXPECT_EQ(read[0].x, 7);
  EXPECT_EQ(read[1].z, 12);
  EXPECT_EQ(read[2].x, 1);
  EXPECT_EQ(read[3].z, 6);
  EXPECT_THROW(reader.rows(
                   "a/b", "", 2, [&](std::size_t k) -> auto& { return read[k]; }),
               StateError);
}

TEST_F(CheckpointState, AFaultThatWasRaisedIsForgotten) {
  Scene scene = glass_scene();
  add_body(scene, {0, 0, 0});
  add_body(scene, {0, 0, 2.5 * bead}, bead, {0, 0, -400});
  const auto engine = make_backend_engine(scene);
  const EngineState start = engine->save();
  EXPECT_THROW(engine->advance(100), KernelFault);
  engine->restore(start);
  EXPECT_EQ(engine->step(), 0u);
  EXPECT_TRUE(engine->hash() == make_backend_engine(scene)->hash());
  EXPECT_THROW(engine->advance(100), KernelFault);
}

// The part of a velocity that rounding leaves out is state, and a resumed run continues with it. A checkpoint from a
// version that did not save this part can still be resumed.
TEST_F(CheckpointState, WhatVelocitiesLeaveOutIsOptional) {
  const Scene scene = busy_scene(Precision::mixed, LawKind::hertz_mindlin, 0.2);
  const auto engine = make_backend_engine(scene), same = make_backend_engine(scene), older = make_backend_engine(scene);
  engine->advance(100);
  EngineState state = engine->save();
  same->restore(state);
  ASSERT_EQ(std::erase_if(state.arrays, [](const auto& a) { return a.name == "bodies/velocity_rest"; }), 1u);
  older->restore(state);
  EXPECT_FALSE(older->hash() == engine->hash());  // so the hash sees this part
  for (Engine* each : {engine.get(), same.get(), older.get()}) { each->advance(50); }
  EXPECT_TRUE(same->hash() == engine->hash());
  const Snapshot with = engine->snapshot(), without = older->snapshot();
  for (std::size_t i = 0; i < with.id.size(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(without.position[i][axis], with.position[i][axis], 1e-5 * bead);
    }
  }
}

TEST_F(CheckpointState, OneThatDoesNotFitIsRefused) {
  const Scene scene = busy_scene(Precision::mixed, LawKind::hertz_mindlin, 0.2);
  const auto engine = make_backend_engine(scene);
  engine->advance(100);
  const EngineState good = engine->save();
  const auto refusal = [&](const auto& change) {
    EngineState state = good;
    change(state);
    try {
      make_backend_engine(scene)->restore(state);
    } catch (const StateError& error) { return std::string(error.what()); }
    return std::string("accepted");
  };
  const auto array = [](EngineState& state, const char* name) -> StateArray& {
    return const_cast<StateArray&>(*state.find(name));
  };
  EXPECT_EQ(refusal([](EngineState&) {}), "accepted");
  EXPECT_EQ(
      refusal([](EngineState& s) { std::erase_if(s.arrays, [](const auto& a) { return a.name == "pairs/shear"; }); }),
      "the array pairs/shear is missing");
  EXPECT_EQ(refusal([](EngineState& s) {
              s.arrays.push_back({"bodies/temperature", "K", ValueType::float64, 1, {}});
            }),
            "the array bodies/temperature is not known here");
  EXPECT_NE(refusal([&](EngineState& s) { array(s, "bodies/velocity").bytes.resize(12); }).find("bodies/velocity"),
            std::string::npos);
  EXPECT_NE(
      refusal([&](EngineState& s) { array(s, "bodies/velocity").type = ValueType::uint32; }).find("bodies/velocity"),
      std::string::npos);
  EXPECT_NE(refusal([&](EngineState& s) {
              auto& ids = array(s, "pairs/ids").bytes;
              std::rotate(ids.begin(), ids.begin() + 8, ids.end());
            }).find("must be above those before it"),
            std::string::npos);
  EXPECT_NE(refusal([&](EngineState& s) {
              for (const char* name : {"boundary_contacts/id", "boundary_forces/id"}) {
                array(s, name).bytes[3] = std::byte{0x7f};
              }
            }).find("which is not there"),
            std::string::npos);
}

}  // namespace scree::inline SCREE_BACKEND::checkpoint_test
