#include <cmath>

#include "busy_scene.hpp"

/// Free rigid meshes among particles: the same bits in any run.
namespace scree::inline SCREE_BACKEND::free_bodies_test {

class FreeBodies : public BackendTest {};

/// The paddle of the busy scene as a body that particles and gravity move, let go after some steps.
Scene busy_body(Precision precision, double verlet) {
  Scene scene = busy_scene(precision, LawKind::hertz_mindlin, verlet);
  FreeBody body;
  body.mass = 2e-3;
  body.inertia = Real3{4e-8, 3e-8, 6e-8};
  body.center = Real3{0, 0, 10.5 * bead};
  body.principal_axes = QuaternionWxyz{0.8, 0, 0.6, 0};
  body.velocity = {0.5, -0.2, 0};
  body.angular_velocity = {20, 30, -40};
  body.torque = {1e-4, 0, 0};
  body.damping = 0.01;
  body.rotation_damping = 1e-7;
  Drive drive;
  drive.body = body;
  drive.from = 5e-5;
  scene.boundaries[2].motion.clear();
  scene.boundaries[2].drive = drive;
  return scene;
}

TEST_F(FreeBodies, SameBitsForThreadsListsAndRestarts) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const Scene scene = busy_body(precision, 0.2);
    const auto whole = make_backend_engine(scene);
    whole->advance(240);
    const BoundaryLoad load = whole->boundary_loads()[2];
    EXPECT_NE(load.force, (Real3{}));
    EXPECT_GT(std::fabs(load.spin[0] - 20) + std::fabs(load.spin[1] - 30) + std::fabs(load.spin[2] + 40), 1);
    const auto threads = make_backend_engine(scene, 2), lists = make_backend_engine(busy_body(precision, 0.05));
    for (int k = 0; k < 240; ++k) { threads->advance(1); }
    lists->advance(240);
    EXPECT_TRUE(whole->hash() == threads->hash()) << "two threads, step by step";
    EXPECT_TRUE(whole->hash() == lists->hash()) << "another list";
    for (const std::uint64_t steps : {2U, 110U}) {
      const auto first = make_backend_engine(scene), resumed = make_backend_engine(scene, 2);
      first->advance(steps);
      resumed->restore(first->save());
      EXPECT_TRUE(first->save() == resumed->save());
      resumed->advance(240 - steps);
      EXPECT_TRUE(whole->hash() == resumed->hash()) << "resumed";
      EXPECT_EQ(resumed->boundary_loads()[2].work, load.work);
      EXPECT_EQ(resumed->boundary_loads()[2].spin, load.spin);
    }
  }
}

/// The state has the rotation of bodies only where there is one, and refuses one that is no rotation.
TEST_F(FreeBodies, TheirRotationIsSaved) {
  const Scene scene = busy_body(Precision::double_, 0.2);
  const auto engine = make_backend_engine(scene);
  engine->advance(20);
  EngineState state = engine->save();
  ASSERT_NE(state.find("boundaries/bodies"), nullptr);
  EXPECT_EQ(state.find("boundaries/bodies")->columns, 7u);
  for (StateArray& array : state.arrays) {
    if (array.name == "boundaries/bodies") { array.bytes.assign(array.bytes.size(), std::byte{0}); }
  }
  EXPECT_THROW(make_backend_engine(scene)->restore(state), StateError);
  const auto without = make_backend_engine(busy_scene(Precision::double_, LawKind::hertz_mindlin, 0.2));
  EXPECT_EQ(without->save().find("boundaries/bodies"), nullptr);
}

TEST_F(FreeBodies, OnlyForcesMoveThem) {
  const auto engine = make_backend_engine(busy_body(Precision::double_, 0.2));
  EXPECT_THROW(engine->set_motion(2, {{Translation{{1, 0, 0}}}}, 0), ContractError);
  EXPECT_THROW(engine->set_drive(2, std::nullopt, 1.0), ContractError);
  engine->set_drive(2, Real3{1, 2, 3}, std::nullopt);
  engine->advance(10);
}

}  // namespace scree::inline SCREE_BACKEND::free_bodies_test
