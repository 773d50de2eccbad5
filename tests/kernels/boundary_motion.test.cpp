#include <cmath>
#include <limits>

#include "support.hpp"

namespace scree::inline SCREE_BACKEND::boundary_motion_test {

constexpr double forever = std::numeric_limits<double>::infinity();

Vec3d velocity_at(const Pose& pose, const Vec3d& x) { return pose.velocity + cross(pose.spin, x); }

void expect_near(const Vec3d& found, const Vec3d& expected, double tolerance) {
  EXPECT_NEAR(found.x, expected.x, tolerance);
  EXPECT_NEAR(found.y, expected.y, tolerance);
  EXPECT_NEAR(found.z, expected.z, tolerance);
}

void expect_rotation(const Pose& pose) {
  EXPECT_NEAR(dot(pose.row_x, pose.row_x), 1, 1e-14);
  EXPECT_NEAR(dot(pose.row_y, pose.row_y), 1, 1e-14);
  EXPECT_NEAR(dot(pose.row_x, pose.row_y), 0, 1e-14);
  expect_near(cross(pose.row_x, pose.row_y), pose.row_z, 1e-14);
}

/// The velocity field of a pose must be the time derivative of the positions that it gives to points (central
/// difference).
void expect_velocity_is_the_derivative(const std::vector<Motion>& motions, double time) {
  constexpr double h = 1e-5;
  const Pose now = pose_at(motions, time), before = pose_at(motions, time - h), after = pose_at(motions, time + h);
  expect_rotation(now);
  for (const Vec3d& reference : {Vec3d{0, 0, 0}, Vec3d{1, 2, -3}, Vec3d{-4, 0.5, 2}}) {
    const Vec3d moved = (0.5 / h) * (after.place(reference) - before.place(reference));
    expect_near(velocity_at(now, now.place(reference)), moved, 1e-7);
    expect_near(now.place_back(now.place(reference)), reference, 1e-12);
  }
}

TEST(BoundaryMotion, NoMotionStandsStill) {
  const Pose pose = pose_at({}, 12.5);
  expect_near(pose.place({1, 2, 3}), {1, 2, 3}, 0);
  expect_near(velocity_at(pose, {1, 2, 3}), {0, 0, 0}, 0);
}

TEST(BoundaryMotion, Translation) {
  const std::vector<Motion> motions{{Translation{{1, -2, 0.5}}, 0, forever}};
  expect_near(pose_at(motions, 3).place({1, 1, 1}), {4, -5, 2.5}, 1e-14);
  expect_near(velocity_at(pose_at(motions, 3), {7, 8, 9}), {1, -2, 0.5}, 0);
  expect_velocity_is_the_derivative(motions, 3);
}

TEST(BoundaryMotion, TranslationBetweenTwoTimes) {
  const std::vector<Motion> motions{{Translation{{1, 0, 0}}, 2, 5}};
  EXPECT_EQ(pose_at(motions, 1).place({0, 0, 0}).x, 0);
  EXPECT_EQ(pose_at(motions, 2).place({0, 0, 0}).x, 0);
  EXPECT_EQ(pose_at(motions, 3.5).place({0, 0, 0}).x, 1.5);
  EXPECT_EQ(pose_at(motions, 5).place({0, 0, 0}).x, 3);
  EXPECT_EQ(pose_at(motions, 100).place({0, 0, 0}).x, 3);
  EXPECT_EQ(pose_at(motions, 1.999).velocity.x, 0);
  EXPECT_EQ(pose_at(motions, 2).velocity.x, 1);
  EXPECT_EQ(pose_at(motions, 4.999).velocity.x, 1);
  EXPECT_EQ(pose_at(motions, 5).velocity.x, 0);
}

TEST(BoundaryMotion, RotationAboutAnAxisThroughAPoint) {
  // A quarter turn about the vertical through (1, 0, 0).
  const double rate = 0.5 * 3.14159265358979323846;
  const std::vector<Motion> motions{{Rotation{{0, 0, 3}, {1, 0, 0}, rate}, 0, forever}};
  expect_near(pose_at(motions, 1).place({3, 0, 5}), {1, 2, 5}, 1e-14);
  expect_near(pose_at(motions, 2).place({3, 0, 5}), {-1, 0, 5}, 1e-14);
  expect_near(pose_at(motions, 1).place({1, 0, -7}), {1, 0, -7}, 1e-14);
  expect_near(velocity_at(pose_at(motions, 1), {1, 2, 5}), {-2 * rate, 0, 0}, 1e-13);
  expect_velocity_is_the_derivative(motions, 0.7);
}

TEST(BoundaryMotion, AFullTurnComesBack) {
  const std::vector<Motion> motions{{Rotation{{1, 2, 3}, {0.3, -0.2, 5}, 2 * 3.14159265358979323846}, 0, 1000}};
  expect_near(pose_at(motions, 1).place({1, 2, 3}), {1, 2, 3}, 1e-13);
  expect_near(pose_at(motions, 1000).place({1, 2, 3}), {1, 2, 3}, 1e-10);
  expect_near(pose_at(motions, 2000).spin, {0, 0, 0}, 0);
  expect_near(velocity_at(pose_at(motions, 2000), {1, 2, 3}), {0, 0, 0}, 0);
}

TEST(BoundaryMotion, OneMotionAppliesAfterTheOther) {
  const double rate = 0.5 * 3.14159265358979323846;
  const Translation shift{{1, 0, 0}};
  const Rotation turn{{0, 0, 1}, {0, 0, 0}, rate};
  // Shift by (1, 0, 0), then a quarter turn about the origin; then in the other order.
  expect_near(pose_at({{shift, 0, 1}, {turn, 0, 1}}, 1).place({1, 0, 0}), {0, 2, 0}, 1e-14);
  expect_near(pose_at({{turn, 0, 1}, {shift, 0, 1}}, 1).place({1, 0, 0}), {1, 1, 0}, 1e-14);
}

Oscillation random_oscillation(Random& random) {
  Oscillation swing;
  (random.whole(2) == 0 ? swing.direction : swing.axis) = random.direction();
  if (swing.axis) { swing.origin = random.point({-2, -2, -2}, {2, 2, 2}); }
  swing.amplitude = random(-1, 1), swing.frequency = random(0.1, 1), swing.phase = random(-4, 4);
  return swing;
}

TableMotion random_table(Random& random) {
  TableMotion table;
  (random.whole(2) == 0 ? table.direction : table.axis) = random.direction();
  if (table.axis) { table.origin = random.point({-2, -2, -2}, {2, 2, 2}); }
  TimeTable rows;
  for (double time = random(0, 1); time < 4; time += random(0.3, 1)) { rows.push_back({time, random(-1, 1)}); }
  (random.whole(2) == 0 ? table.position : table.velocity) = rows;
  return table;
}

TEST(BoundaryMotion, VelocitiesOfComposedMotionsAreDerivatives) {
  Random random(51);
  int checked = 0;
  for (int trial = 0; trial < 600; ++trial) {
    std::vector<Motion> motions;
    const std::uint64_t n = 1 + random.whole(4);
    for (std::uint64_t i = 0; i < n; ++i) {
      const double from = random(0, 2), until = random.whole(2) == 0 ? forever : from + random(0.5, 3);
      if (const std::uint64_t kind = random.whole(4); kind == 0) {
        motions.push_back({Translation{random.point({-1, -1, -1}, {1, 1, 1})}, from, until});
      } else if (kind == 1) {
        motions.push_back({random_oscillation(random), from, until});
      } else if (kind == 2) {
        motions.push_back({random_table(random), from, until});
      } else {
        motions.push_back(
            {Rotation{random.direction(), random.point({-2, -2, -2}, {2, 2, 2}), random(-4, 4)}, from, until});
      }
    }
    const double time = random(0, 5);
    bool smooth = true;
    for (const Motion& motion : motions) {
      smooth = smooth && std::abs(time - motion.from) > 1e-3 && std::abs(time - motion.until) > 1e-3;
      if (const auto* table = std::get_if<TableMotion>(&motion.kind)) {
        for (const auto& row : table->position ? *table->position : *table->velocity) {
          smooth = smooth && std::abs(time - motion.from - row[0]) > 1e-3;
        }
      }
    }
    if (!smooth) { continue; }
    expect_velocity_is_the_derivative(motions, time);
    ++checked;
  }
  EXPECT_GT(checked, 400);
}

TEST(BoundaryMotion, OscillationAlongALine) {
  const double pi = 3.14159265358979323846;
  Oscillation swing;
  swing.direction = Real3{0, 0, 2};
  swing.amplitude = 0.3, swing.frequency = 0.5, swing.phase = pi / 6;
  const std::vector<Motion> motions{{swing, 1, forever}};
  // The oscillation starts where the boundary stands: 0.3 (sin(pi t + pi/6) - 1/2).
  expect_near(pose_at(motions, 0.5).place({1, 2, 3}), {1, 2, 3}, 0);
  expect_near(pose_at(motions, 1).place({1, 2, 3}), {1, 2, 3}, 1e-16);
  expect_near(pose_at(motions, 1 + 1.0 / 3).place({1, 2, 3}), {1, 2, 3.15}, 1e-14);
  expect_near(pose_at(motions, 1 + 1.0 / 3).velocity, {0, 0, 0}, 1e-14);
  expect_near(pose_at(motions, 1).velocity, {0, 0, 0.3 * pi * std::sqrt(0.75)}, 1e-14);
  expect_near(pose_at(motions, 2001).place({1, 2, 3}), {1, 2, 3}, 1e-12);  // after 1000 cycles
}

TEST(BoundaryMotion, OscillationAboutAnAxis) {
  const double pi = 3.14159265358979323846;
  Oscillation swing;
  swing.axis = Real3{0, 0, 1}, swing.origin = {1, 0, 0};
  swing.amplitude = pi / 2, swing.frequency = 0.25;
  const std::vector<Motion> motions{{swing, 0, 1.5}};
  expect_near(pose_at(motions, 1).place({3, 0, 5}), {1, 2, 5}, 1e-14);
  expect_near(pose_at(motions, 1).spin, {0, 0, 0}, 1e-14);
  expect_near(pose_at(motions, 0).spin, {0, 0, pi * pi / 4}, 1e-14);
  // The motion ends half way back, and the boundary stays there.
  const double angle = pi / 2 * std::sqrt(0.5);
  expect_near(pose_at(motions, 7).place({3, 0, 5}), {1 + 2 * std::cos(angle), 2 * std::sin(angle), 5}, 1e-14);
  expect_near(pose_at(motions, 7).spin, {0, 0, 0}, 0);
}

// Linear interpolation between the rows of the table, by hand; the table begins at 10 s.
TEST(BoundaryMotion, TableOfPositions) {
  TableMotion table;
  table.direction = Real3{0, 3, 0};
  table.position = TimeTable{{1, 0.5}, {2, 1.5}, {4, 0}};
  const std::vector<Motion> motions{{table, 10, forever}};
  const auto y = [&](double time) { return pose_at(motions, time).place({0, 0, 0}).y; };
  const auto v = [&](double time) { return pose_at(motions, time).velocity.y; };
  EXPECT_EQ(y(5), 0.5);
  EXPECT_EQ(v(10.5), 0);
  EXPECT_NEAR(y(11.25), 0.75, 1e-15);
  EXPECT_NEAR(v(11.25), 1, 1e-15);
  EXPECT_NEAR(y(13), 0.75, 1e-15);
  EXPECT_NEAR(v(12), -0.75, 1e-15);
  EXPECT_EQ(y(20), 0);
  EXPECT_EQ(v(14), 0);
}

// Closed form: a speed that is linear in time gives a parabola exactly.
TEST(BoundaryMotion, TableOfSpeedsIsIntegrated) {
  TableMotion table;
  table.axis = Real3{1, 0, 0};
  table.velocity = TimeTable{{0, 0}, {2, 4}, {3, -2}};
  const std::vector<Motion> motions{{table, 0, forever}};
  const auto angle = [&](double time) {
    const Vec3d p = pose_at(motions, time).place({0, 1, 0});
    return std::atan2(p.z, p.y);
  };
  EXPECT_NEAR(angle(1), 1, 1e-14);  // t^2
  EXPECT_NEAR(angle(1.5), 2.25, 1e-14);
  EXPECT_NEAR(angle(2.5) + 2 * std::acos(-1.0), 4 + 4 * 0.5 - 3 * 0.25, 1e-14);
  EXPECT_NEAR(angle(9) + 2 * std::acos(-1.0), 5, 1e-14);
  EXPECT_NEAR(pose_at(motions, 2.5).spin.x, 1, 1e-14);
  EXPECT_EQ(pose_at(motions, 3).spin.x, 0);
}

// The same check for a boundary that forces turn and shift while prescribed motions carry it along.
TEST(BoundaryMotion, VelocitiesOfDrivenBoundariesAreDerivatives) {
  Random random(53);
  for (int trial = 0; trial < 100; ++trial) {
    SceneBoundary boundary;
    boundary.motion = {{random_oscillation(random)}, {Rotation{random.direction(), {0.3, 0, 0.1}, random(-2, 2)}}};
    Drive drive;
    drive.translation = DrivenTranslation{.mass = 1};
    drive.rotation = DrivenRotation{.inertia = 1, .axis = random.direction(), .origin = {1, -0.5, 0.2}};
    boundary.drive = drive;
    const BoundaryPath path(boundary);
    DrivenState state = path.start();
    state.shift = {random(-1, 1), 2, 0.5}, state.velocity = {1, random(-1, 1), -0.7};
    state.angle = random(-2, 2), state.rate = random(-3, 3);
    constexpr double h = 1e-5;
    const auto at = [&](double later) {
      DrivenState there = state;
      there.shift += later * state.velocity;
      there.angle += later * state.rate;
      return path.at(1.3 + later, there);
    };
    const Pose now = at(0), before = at(-h), after = at(h);
    expect_rotation(now);
    const Pose mean = mean_velocity(now, before, after, 2 * h);
    for (const Vec3d& reference : {Vec3d{0, 0, 0}, Vec3d{1, 2, -3}}) {
      const Vec3d moved = (0.5 / h) * (after.place(reference) - before.place(reference));
      expect_near(velocity_at(now, now.place(reference)), moved, 1e-6);
      expect_near(velocity_at(mean, now.place(reference)), moved, 1e-6);
    }
  }
}

class BoundaryTravel : public BackendTest {};

TEST_F(BoundaryTravel, NoPointOutrunsTheBound) {
  Random random(52);
  for (int trial = 0; trial < 100; ++trial) {
    Scene scene = glass_scene();
    SceneBoundary& plane = add_plane(scene, {0, 0, 0}, {0, 0, 1});
    plane.motion = {{Rotation{random.direction(), random.point({-2, -2, -2}, {2, 2, 2}), random(-4, 4)}, 0, forever},
                    {Translation{random.point({-1, -1, -1}, {1, 1, 1})}, 0, forever},
                    {Rotation{random.direction(), random.point({-2, -2, -2}, {2, 2, 2}), random(-4, 4)}, 0, forever}};
    const BoundarySystem boundaries(scene);
    const double time = random(0, 3), step = 1e-4, extent = 5;
    const Pose now = pose_at(plane.motion, time), next = pose_at(plane.motion, time + step);
    const double bound = boundaries.most_travel(time, step, extent);
    for (int k = 0; k < 20; ++k) {
      const Real3 d = random.direction();
      const Vec3d x = random(0, extent) * Vec3d{d[0], d[1], d[2]};
      ASSERT_LE(norm(next.place(now.place_back(x)) - x), bound * (1 + 1e-3));
    }
  }
}

TEST_F(BoundaryTravel, VerticesFollowTheirPose) {
  Scene scene = glass_scene();
  add_mesh(scene, sheet({5, 5, 5}, {1, 0, 0}, {0, 1, 0}, 3));  // this mesh does not move
  SceneBoundary& moving = add_mesh(scene, sheet({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 2));
  moving.motion = {{Rotation{{1, 1, 0}, {0.5, 0, 0}, 2}, 0, forever}, {Translation{{0, 0, 3}}, 0, forever}};
  const std::vector<Motion> motions = moving.motion;
  const TriangleMesh still_mesh = scene.boundaries[0].mesh, moving_mesh = moving.mesh;
  BoundarySystem boundaries(scene);
  Exec exec(1);
  for (const double time : {0.0, 0.3, 1.7, 0.3}) {
    boundaries.place(exec, time);
    const Pose pose = pose_at(motions, time);
    const std::vector<Vec3d> still = boundaries.vertices(0, time), moved = boundaries.vertices(1, time);
    ASSERT_EQ(still.size(), still_mesh.vertices.size());
    ASSERT_EQ(moved.size(), moving_mesh.vertices.size());
    for (std::size_t i = 0; i < moved.size(); ++i) {
      const Real3& v = moving_mesh.vertices[i];
      expect_near(moved[i], pose.place({v[0], v[1], v[2]}), 0);
    }
    for (std::size_t i = 0; i < still.size(); ++i) {
      const Real3& v = still_mesh.vertices[i];
      expect_near(still[i], {v[0], v[1], v[2]}, 0);
    }
  }
}

TEST_F(BoundaryTravel, BoundariesStandWhereTheirTimeSays) {
  // The engine places boundaries by time, not step by step, so its vertices are exactly those of the pose.
  Scene scene = glass_scene();
  add_body(scene, {0, 0, 1});
  SceneBoundary& moving = add_mesh(scene, sheet({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 1));
  moving.motion = {{Translation{{0, 2, 0}}, 1e-4, 3e-4}};
  const auto engine = make_backend_engine(scene);
  EXPECT_EQ(engine->boundary_vertices(0)[0][1], 0);
  engine->advance(50);  // 2e-4 s
  EXPECT_NEAR(engine->boundary_vertices(0)[0][1], 2e-4, 1e-15);
  engine->advance(100);
  EXPECT_NEAR(engine->boundary_vertices(0)[0][1], 4e-4, 1e-15);
}

// A program may steer a boundary in every step of a long run: the path remembers the last steps only.
TEST(BoundaryMotion, APathThatIsSteeredInEveryStep) {
  constexpr double step = 1.0 / 1024;
  BoundaryPath path(std::vector<Motion>{});
  for (int k = 0; k < 1000000; ++k) {
    path.steer(k * step, {{Translation{{0, 0, k % 2 == 0 ? 2.0 : -1.0}}, k * step, forever}});
  }
  const double end = 1000000 * step;
  EXPECT_EQ(path.at(end).shift.z, 500000 * step);
  EXPECT_EQ(path.at(end - step).shift.z, 500001 * step);
  EXPECT_EQ(path.at(end - step).velocity.z, -1);
  EXPECT_EQ(path.at(end - 1.5 * step).shift.z, 500000 * step);
  EXPECT_EQ(path.at(end - 1.5 * step).velocity.z, 2);
  EXPECT_EQ(path.at(end - 2 * step).shift.z, 499999 * step);

  // Twice in one moment: the path of before stays known.
  path.steer(end, {{Translation{{0, 0, 5}}, end, forever}});
  path.steer(end, {{Translation{{0, 0, 7}}, end, forever}});
  EXPECT_EQ(path.at(end - 0.5 * step).velocity.z, -1);
  EXPECT_EQ(path.at(end).velocity.z, 7);
  EXPECT_EQ(path.at(end).shift.z, 500000 * step);
}

}  // namespace scree::inline SCREE_BACKEND::boundary_motion_test
