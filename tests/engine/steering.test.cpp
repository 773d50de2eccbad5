#include <cmath>
#include <limits>

#include "cells.hpp"
#include "driven_scene.hpp"
#include "piles.hpp"

/// What a program changes between two steps. A change must lead to the bits of a run whose scene has said so.
namespace scree::inline SCREE_BACKEND::steering_test {

using Steering = BackendTest;

constexpr std::uint64_t before = 90, after = 160;  // steps; the busy scenes search several times in between

void expect_same(Engine& a, Engine& b) {
  EXPECT_EQ(a.hash().text(), b.hash().text());
  const auto loads = a.boundary_loads(), others = b.boundary_loads();
  for (std::size_t k = 0; k < loads.size(); ++k) {
    EXPECT_EQ(loads[k].force, others[k].force) << k;
    EXPECT_EQ(loads[k].work, others[k].work) << k;
  }
}

/// Steers an engine of `scene`, and compares it with an engine of `other` that takes over its state.
template <class Change>
void expect_bits_of(const Scene& scene, const Scene& other, const Change& change) {
  const auto steered = make_backend_engine(scene), told = make_backend_engine(other);
  steered->advance(before);
  told->restore(steered->save());
  change(*steered);
  steered->advance(after);
  told->advance(after);
  expect_same(*steered, *told);
  if (scene.energies) { EXPECT_EQ(steered->energies().gravity, told->energies().gravity); }
}

TEST_F(Steering, GravityIsThatOfAnotherScene) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    for (const bool energies : {false, true}) {
      Scene scene = driven_scene(precision, 0.2);
      scene.energies = energies;
      Scene other = scene;
      other.gravity = {100, 0, -500};
      expect_bits_of(scene, other, [&](Engine& engine) { engine.set_gravity(other.gravity); });
    }
  }
}

// A call that throws has changed nothing.
TEST_F(Steering, RefusedChangesChangeNothing) {
  Scene scene = driven_scene(Precision::double_, 0.2);
  expect_bits_of(scene, scene, [&](Engine& engine) {
    EXPECT_THROW(engine.set_friction({{0, 0, 5.0}, {77, 0, 0.1}}), ContractError);
    engine.set_friction({});
  });
  Scene cell = dense_cell(4);
  cell.cell->velocity_gradient = {{{0, 1, 0}, {0, 0, 0}, {0, 0, 0}}};
  ParticleSet late;
  late.position = {{0, 0, 0}}, late.velocity = {{0, 0, 0}}, late.angular_velocity = {{0, 0, 0}};
  late.radius = {bead}, late.material = {0};
  expect_bits_of(cell, cell, [&](Engine& engine) { EXPECT_THROW(engine.insert(late), ContractError); });
}

TEST_F(Steering, GroupForcesAreThoseOfAnotherScene) {
  Scene scene = busy_scene(Precision::mixed, LawKind::hertz_mindlin, 0.2);
  scene.groups.resize(2);
  for (std::uint32_t i = 0; i < scene.particles.size(); ++i) { scene.particles.group.push_back(i % 2); }
  Scene other = scene;
  other.groups[1].force = {1e-3, 0, 2e-3}, other.groups[1].torque = {0, 1e-7, 0};
  expect_bits_of(scene, other, [&](Engine& engine) {
    engine.set_group(1, {.force = other.groups[1].force, .torque = other.groups[1].torque});
  });
  const auto engine = make_backend_engine(scene);
  EXPECT_THROW(engine->set_group(2, {}), ContractError);
}

// A group that only has a name is a label: the particles that join it move on with the same bits.
TEST_F(Steering, JoiningALabelChangesNoMotion) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = busy_scene(precision, LawKind::hertz_mindlin, 0.2);
    scene.groups.resize(3);
    scene.groups[2].force = {1e-3, 0, 2e-3};
    for (std::uint32_t i = 0; i < scene.particles.size(); ++i) { scene.particles.group.push_back(i % 3); }
    expect_bits_of(scene, scene, [&](Engine& engine) {
      std::vector<std::uint32_t> half;
      for (std::uint32_t id = 0; id < scene.particles.size(); ++id) {
        if (id % 3 != 2 && id % 2 == 0) { half.push_back(id); }
      }
      engine.join_group(1, half);
      const Snapshot now = engine.snapshot({.group = true});
      for (std::size_t i = 0; i < now.id.size(); ++i) {
        const std::uint32_t id = now.id[i];
        EXPECT_EQ(now.group[i], id % 3 != 2 && id % 2 == 0 ? 1 : id % 3) << id;
      }
    });
    const auto engine = make_backend_engine(scene);
    EXPECT_THROW(engine->join_group(3, {}), ContractError);
    EXPECT_THROW(engine->join_group(1, {1U << 30U}), ContractError);
  }
}

TEST_F(Steering, DrivesAreThoseOfAnotherScene) {
  const Scene scene = driven_scene(Precision::mixed, 0.2);
  Scene other = scene;
  other.boundaries[2].drive->rotation->torque = -2e-4;
  other.boundaries[3].drive->translation->force = {0, 0, 3};
  expect_bits_of(scene, other, [](Engine& engine) {
    engine.set_drive(2, std::nullopt, -2e-4);
    engine.set_drive(3, Real3{0, 0, 3}, std::nullopt);
  });
  const auto engine = make_backend_engine(scene);
  EXPECT_THROW(engine->set_drive(1, Real3{1, 0, 0}, 0), ContractError);
}

TEST_F(Steering, AMotionGoesOnAsIfTheSceneHadSaidSo) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = busy_scene(precision, LawKind::hertz_mindlin, 0.2);
    scene.boundaries[1].motion = {{Translation{{0.3, 0, 0.2}}}};
    Scene other = scene;
    const auto steered = make_backend_engine(scene);
    steered->advance(before);
    const double now = steered->time();
    const Motion lift{Translation{{-0.1, 0.1, 0.3}}, now}, turn{Rotation{{1, 0, 0}, {0, 0, 0.01}, -20.0}, now};
    for (const std::size_t k : {std::size_t(1), std::size_t(2)}) {
      other.boundaries[k].motion.front().until = now;
      other.boundaries[k].motion.push_back(k == 1 ? lift : turn);
    }
    steered->set_motion(1, {lift}, steered->time());
    steered->set_motion(2, {turn}, steered->time());
    steered->advance(after);
    const auto told = make_backend_engine(other);
    told->advance(before + after);
    expect_same(*steered, *told);
    EXPECT_EQ(steered->boundary_vertices(2), told->boundary_vertices(2));
    EXPECT_THROW(steered->set_motion(0, {lift}, steered->time()), ContractError);  // the cylinder is at rest
    EXPECT_THROW(steered->set_motion(9, {lift}, steered->time()), ContractError);
  }
}

TEST_F(Steering, ASurfaceGoesOnAsIfTheSceneHadSaidSo) {
  for (const bool energies : {false, true}) {
    Scene scene = busy_scene(Precision::mixed, LawKind::hertz_mindlin, 0.2);
    scene.energies = energies;
    scene.boundaries[0].surface_motion = {{Rotation{{0, 0, 1}, {}, 50.0}}};
    scene.boundaries[2].surface_motion = {{Translation{{0, 0, 0.5}}}};
    Scene other = scene;
    const auto steered = make_backend_engine(scene);
    steered->advance(before);
    const double now = steered->time();
    const Motion up{Translation{{0, 0, 0.7}}, now}, turn{Rotation{{0, 0, 1}, {}, -80.0}, now};
    for (const std::size_t k : {std::size_t(0), std::size_t(2)}) {
      other.boundaries[k].surface_motion.front().until = now;
      other.boundaries[k].surface_motion.push_back(k == 0 ? turn : up);
    }
    steered->set_surface_motion(0, {turn}, steered->time());
    steered->set_surface_motion(2, {up}, steered->time());
    steered->advance(after);
    const auto told = make_backend_engine(other);
    told->advance(before + after);
    expect_same(*steered, *told);
    EXPECT_GT(steered->boundary_loads()[0].work, 0);
    if (energies) {
      // The scene knows in advance that the velocity jumps at the end of a step, so the mean over that step, of some
      // hundred, has half of the jump.
      EXPECT_NEAR(steered->energies().boundaries / told->energies().boundaries, 1, 1e-3);
    }
    EXPECT_THROW(steered->set_surface_motion(1, {up}, steered->time()), ContractError);
    EXPECT_THROW(steered->set_surface_motion(9, {up}, steered->time()), ContractError);
    EXPECT_THROW(steered->set_motion(0, {up}, steered->time()), ContractError);  // only its surface moves
  }
}

/// A boundary that is absent from the start leaves the bits of a scene without it; one that comes back is touched.
TEST_F(Steering, NothingTouchesABoundaryThatIsAbsent) {
  for (const std::size_t absent : {std::size_t(0), std::size_t(2)}) {  // a cylinder; a mesh that turns
    const Scene scene = busy_scene(Precision::mixed, LawKind::hertz_mindlin, 0.2);
    Scene without = scene;
    without.boundaries.erase(without.boundaries.begin() + static_cast<std::ptrdiff_t>(absent));
    const auto steered = make_backend_engine(scene), other = make_backend_engine(without);
    steered->set_present(absent, false);
    steered->advance(before + after), other->advance(before + after);
    const Snapshot a = steered->snapshot(), b = other->snapshot();
    EXPECT_EQ(a.id, b.id);
    EXPECT_EQ(a.position, b.position);
    EXPECT_EQ(a.velocity, b.velocity);
    EXPECT_EQ(a.angular_velocity, b.angular_velocity);
    EXPECT_EQ(steered->counts().boundary_contacts, other->counts().boundary_contacts);
    EXPECT_EQ(steered->boundary_loads()[absent].force, (Real3{0, 0, 0}));
    EXPECT_EQ(steered->clear_of_boundaries({{{14.5 * bead, 0, 30 * bead}}, {bead}})[0], absent == 0 ? 1 : 0);
  }
  const auto engine = make_backend_engine(busy_scene(Precision::mixed, LawKind::hertz_mindlin, 0.2));
  EXPECT_THROW(engine->set_present(9, false), ContractError);
}

TEST_F(Steering, ABoundaryThatComesBackIsTouched) {
  Scene scene = glass_scene(Precision::double_, LawKind::hertz_mindlin);
  scene.gravity = {0, 0, 0};
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  add_body(scene, {0, 0, 5 * bead}, bead, {0, 0, -1});
  const auto engine = make_backend_engine(scene);
  EXPECT_TRUE(engine->is_present(0));
  engine->set_present(0, false);
  EXPECT_FALSE(engine->is_present(0));
  const auto until_at = [&](double height) {
    while (engine->snapshot().position[0][2] > height) { engine->advance(10); }
  };
  until_at(0.5 * bead);  // it has passed the place of the surface
  EXPECT_EQ(engine->counts().boundary_contacts, 0u);
  engine->set_present(0, true);
  EXPECT_TRUE(engine->is_present(0));
  engine->advance(1);
  EXPECT_EQ(engine->counts().boundary_contacts, 1u);
}

TEST_F(Steering, SettingWhatIsThereChangesNoBit) {
  const Scene scene = busy_scene(Precision::double_, LawKind::hertz_mindlin, 0.2);
  const auto plain = make_backend_engine(scene), steered = make_backend_engine(scene);
  for (int k = 0; k < 5; ++k) {
    plain->advance(40), steered->advance(40);
    const Snapshot now = steered->snapshot();
    steered->set_bodies({now.id, now.position, now.velocity, now.angular_velocity});
  }
  plain->advance(40), steered->advance(40);
  EXPECT_GT(plain->counts().removed[0], 0u);
  expect_same(*plain, *steered);
}

TEST_F(Steering, ValuesAreReadBack) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const auto engine = make_backend_engine(pyramid(precision, LawKind::hertz_mindlin, 0.2));
    engine->advance(50);
    engine->set_bodies({{3, 1}, {{1, 2, 3}, {4, 5, 6}}, {{0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}}, {}});
    const Snapshot now = engine->snapshot();
    EXPECT_EQ(now.position[3], (Real3{1, 2, 3}));
    EXPECT_EQ(now.position[1], (Real3{4, 5, 6}));
    for (std::size_t k = 0; k < 3; ++k) { EXPECT_NEAR(now.velocity[1][k], 0.4 + 0.1 * double(k), 1e-14); }
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(engine->set_bodies({{100000}, {{0, 0, 0}}, {}, {}}), ContractError);
    EXPECT_THROW(engine->set_bodies({{1}, {{0, 0, nan}}, {}, {}}), ContractError);
    EXPECT_THROW(engine->set_bodies({{1, 2}, {{0, 0, 0}}, {}, {}}), ContractError);
    EXPECT_THROW(engine->set_bodies({{1, 2, 1}, {}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 1}}, {}}), ContractError);
  }
}

TEST_F(Steering, ColumnsAreTheBodiesThemselves) {
  const auto engine = make_backend_engine(pyramid(Precision::double_, LawKind::hertz_mindlin, 0.2));
  engine->advance(50);
  const auto column = [&](const char* name) {
    for (const BodyColumn& one : engine->bodies().columns) {
      if (one.name == name) { return one; }
    }
    return BodyColumn{};
  };
  const Snapshot now = engine->snapshot();
  ASSERT_EQ(engine->bodies().rows, now.id.size());
  if (engine->bodies().on_gpu) {  // this program cannot read there
    for (const BodyColumn& one : engine->bodies().columns) { EXPECT_NE(one.data, nullptr) << one.name; }
    return;
  }
  engine->begin_edit();
  const BodyColumn id = column("id"), velocity = column("velocity"), position = column("position");
  for (std::size_t i = 0; i < now.id.size(); ++i) {
    const auto at = *reinterpret_cast<const std::uint32_t*>(static_cast<const char*>(id.data) + i * id.stride);
    const auto* x = reinterpret_cast<const double*>(static_cast<const char*>(position.data) + i * position.stride);
    EXPECT_EQ((Real3{x[0], x[1], x[2]}), now.position[at]);
    reinterpret_cast<double*>(static_cast<char*>(velocity.data) + i * velocity.stride)[1] = at;
  }
  engine->end_edit();
  const Snapshot later = engine->snapshot();
  for (std::size_t i = 0; i < later.id.size(); ++i) { EXPECT_EQ(later.velocity[i][1], double(later.id[i])); }
}

TEST_F(Steering, AnEditThatChangesNothingChangesNoBit) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const Scene scene = busy_scene(precision, LawKind::hertz_mindlin, 0.2);
    const auto plain = make_backend_engine(scene), edited = make_backend_engine(scene);
    for (int k = 0; k < 4; ++k) {
      plain->advance(50), edited->advance(50);
      edited->begin_edit(), edited->end_edit();
    }
    plain->advance(50), edited->advance(50);
    expect_same(*plain, *edited);
  }
}

// A body that is put near a boundary touches it, however far from all boundaries it was before.
TEST_F(Steering, ABodyThatIsPutNearAWallTouchesIt) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = glass_scene(precision, LawKind::hertz_mindlin);
    scene.time_step = 8e-6;
    scene.verlet_distance = 0.1 * bead;
    add_body(scene, {40 * bead, 40 * bead, 40 * bead});
    add_box_walls(scene, {80 * bead, 80 * bead, 0});
    const auto engine = make_backend_engine(scene);
    engine->advance(500);
    engine->set_bodies(
        {.id = {0}, .position = {{5 * bead, 5 * bead, 0.99 * bead}}, .velocity = {{0, 0, 0}}, .angular_velocity = {}});
    engine->advance(2);
    EXPECT_EQ(engine->counts().boundary_contacts, 1u);
  }
}

TEST_F(Steering, FrictionThatContactsRememberStaysAsItIs) {
  Scene scene = busy_scene(Precision::double_, LawKind::jaeger, 0.2);
  const auto engine = make_backend_engine(scene);
  engine->advance(10);
  EXPECT_THROW(engine->set_friction({{0, 0, 0.1}}), ContractError);
}

// A drive that is led moves with the given velocity whatever pushes it, and is pushed again afterwards.
TEST_F(Steering, ALedDriveMovesAsItIsTold) {
  const Scene scene = driven_scene(Precision::double_, 0.2);
  const auto engine = make_backend_engine(scene);
  engine->advance(before);
  engine->lead_drive(3, Real3{0, 0, 0.25});
  const double start = engine->boundary_loads().at(3).shift[2];
  engine->advance(after);
  const BoundaryLoad led = engine->boundary_loads().at(3);
  EXPECT_NEAR(led.shift[2] - start, 0.25 * double(after) * scene.time_step, 1e-15);
  EXPECT_EQ(led.velocity[2], 0.25);
  const auto other = make_backend_engine(scene);
  other->restore(engine->save());
  other->lead_drive(3, Real3{0, 0, 0.25});
  other->advance(20), engine->advance(20);
  expect_same(*engine, *other);
  engine->lead_drive(3, std::nullopt);
  engine->advance(2);
  EXPECT_LT(engine->boundary_loads().at(3).velocity[2], 0.25);
  EXPECT_THROW(engine->lead_drive(2, Real3{0, 0, 1}), ContractError);
}

}  // namespace scree::inline SCREE_BACKEND::steering_test
