#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "case_in_folder.hpp"
#include "host/geometry/real3.hpp"
#include "host/run/inlets.hpp"
#include "scree/engine.hpp"

// Clumps at places and in orientations that the case gives. The three spheres of the template do not overlap, so its
// mass and inertia are sums over them.
namespace scree::test::placed_clumps_test {

using namespace geometry;

constexpr double density = 1000;
const std::vector<Real3> centre = {{1e-3, 2e-3, 0}, {4e-3, 2e-3, 1e-3}, {1e-3, 5e-3, 3e-3}};  // [m]
const std::vector<double> radius = {1e-3, 1.5e-3, 0.5e-3};                                    // [m]

const std::string base = R"({
  "time": { "duration": 1, "step": 1e-5 }, "gravity": [0, 0, 0], "precision": "double",
  "materials": { "m": { "density": 1000, "young_modulus": 1e6, "poisson_ratio": 0.2, "friction": 0.3,
    "restitution": 1 } },
  "shapes": { "hook": { "type": "clump", "scale": 0.001, "spheres": [
    { "center": [1, 2, 0], "radius": 1 }, { "center": [4, 2, 1], "radius": 1.5 }, { "center": [1, 5, 3],
      "radius": 0.5 } ] },
    "rod": { "type": "clump", "scale": 0.001, "spheres": [
    { "center": [-2, 0, 0], "radius": 1 }, { "center": [0, 0, 0], "radius": 1 }, { "center": [2, 0, 0],
      "radius": 1 } ] } },
  "particles": [ { "shape": "hook", "material": "m", "lattice": { "box": [[0, 0, 0], [0.02, 0.02, 0.02]],
    "spacing": 0.02 } } ]
})";

/// v turned by a quaternion of length 1.
Real3 turned_by(const QuaternionWxyz& q, const Real3& v) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  return {(1 - 2 * (y * y + z * z)) * v[0] + 2 * (x * y - w * z) * v[1] + 2 * (x * z + w * y) * v[2],
          2 * (x * y + w * z) * v[0] + (1 - 2 * (x * x + z * z)) * v[1] + 2 * (y * z - w * x) * v[2],
          2 * (x * z - w * y) * v[0] + 2 * (y * z + w * x) * v[1] + (1 - 2 * (x * x + y * y)) * v[2]};
}
QuaternionWxyz opposite(const QuaternionWxyz& q) { return {q[0], -q[1], -q[2], -q[3]}; }

double mass_of(std::size_t k) { return density * 4.0 / 3.0 * std::acos(-1.0) * radius[k] * radius[k] * radius[k]; }
Real3 arm_of(std::size_t k) {
  Real3 sum{};
  double mass = 0;
  for (std::size_t m = 0; m < 3; ++m) sum = along(sum, mass_of(m), centre[m]), mass += mass_of(m);
  return along(centre[k], -1 / mass, sum);
}
/// Angular momentum of the template at the spin w, both in the frame of the template.
Real3 momentum_of(const Real3& w) {
  Real3 sum{};
  for (std::size_t k = 0; k < 3; ++k) {
    sum = along(sum, mass_of(k), cross(arm_of(k), cross(w, arm_of(k))));
    sum = along(sum, 0.4 * mass_of(k) * radius[k] * radius[k], w);
  }
  return sum;
}

class PlacedClumps : public CaseInFolder {
 protected:
  PlacedClumps() : CaseInFolder(base) {}
};

/// The members of clump c must have the places of the turned template about its centre, `size` times as far away. The
/// tolerance is rounding, 1e-12 of the size.
void expect_turned(const ParticleSet& set, std::size_t c, const QuaternionWxyz& q, double size) {
  for (std::size_t k = 0; k < 3; ++k) {
    const Real3 wanted = along(set.clumps.at(c).position, size, turned_by(q, arm_of(k)));
    EXPECT_LT(length(subtract(set.position.at(3 * c + k), wanted)), 1e-12 * 5e-3) << c << " " << k;
  }
}

TEST_F(PlacedClumps, TheOrientationTurnsTheTemplate) {
  const Scene plain = built({"particles.0.orientation=[1,0,0,0]"});
  ASSERT_EQ(plain.particles.clumps.size(), 1U);
  expect_turned(plain.particles, 0, {1, 0, 0, 0}, 1);
  expect_turned(built({"particles.0.orientation=[0.36,0.48,0,0.8]"}).particles, 0, {0.36, 0.48, 0, 0.8}, 1);
  expect_turned(built({"particles.0.orientation=[-0.36,-0.48,0,-0.8]"}).particles, 0, {0.36, 0.48, 0, 0.8}, 1);
  const double half = std::sqrt(0.5);  // four digits are enough: the length may be wrong by 1e-3
  expect_turned(built({"particles.0.orientation=[0.7071,0,0.7071,0]"}).particles, 0, {half, 0, half, 0}, 1);
}

TEST_F(PlacedClumps, AFileGivesEachItsOwn) {
  const double own = std::cbrt(1e-9 + 3.375e-9 + 0.125e-9);  // equivalent radius
  write_text(folder / "hooks.csv", "x,y,z,radius,qw,qx,qy,qz\n0,0,0," + std::to_string(1e6 * own) +
                                       "e-6,0.6,0,0.8,0\n0.05,0,0,0.003,0,0,0,-1\n");
  const Scene scene =
      built({R"(particles.0={"shape":"hook","material":"m","file":"hooks.csv","orientation":[1,0,0,0]})"});
  ASSERT_EQ(scene.particles.clumps.size(), 2U);
  expect_turned(scene.particles, 0, {0.6, 0, 0.8, 0}, scene.particles.clumps[0].size);
  expect_turned(scene.particles, 1, {0, 0, 0, 1}, 0.003 / own);
  write_text(folder / "hooks.csv", "x,y,z,radius\n0,0,0,0.001\n0.05,0,0,0.003\n");
  const Scene common =
      built({R"(particles.0={"shape":"hook","material":"m","file":"hooks.csv","orientation":[0.6,0.8,0,0]})"});
  expect_turned(common.particles, 1, {0.6, 0.8, 0, 0}, 0.003 / own);
}

TEST_F(PlacedClumps, AnInletBringsThemSo) {
  const Case input = parsed(
      {R"(particles.0={"shape":"hook","material":"m","inlet":{"rate":3000,"region":{"box":[[0,0,0],[0.1,0.1,0.1]]},
                                 "orientation":[0.36,0.48,0,0.8]}})"});
  SceneReport report;
  const Scene scene = build_scene(input, report);
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  Inlets inlets(input, scene);
  engine->advance(inlets.next_after(engine->step()));
  (void)inlets.feed(*engine);
  const Snapshot now = engine->snapshot();
  ASSERT_GT(now.clumps.size(), 0U);
  for (std::size_t k = 0; k < 3; ++k) {
    const Real3 wanted = add(now.clumps[0].position, turned_by({0.36, 0.48, 0, 0.8}, arm_of(k)));
    EXPECT_LT(length(subtract(now.position.at(k), wanted)), 1e-14) << k;
  }
}

// A free clump keeps the energy and the angular momentum that follow from the given orientation and spin, in the frame
// of the world. In 5,000 steps it makes a full turn. The integrator is of second order, with steps of 2e-4 of a turn,
// and the spin belongs to half a step before the orientation: 1e-3 of the angular momentum; 1e-6 of the energy, which
// hardly depends on this half step.
TEST_F(PlacedClumps, AFreeOneKeepsEnergyAndAngularMomentum) {
  const QuaternionWxyz q = {0.36, 0.48, 0, 0.8};
  const Real3 spin = {60, -90, 70};  // [rad/s]
  const Scene scene = built({"particles.0.orientation=[0.36,0.48,0,0.8]", "particles.0.angular_velocity=[60,-90,70]"});
  const Real3 wanted = turned_by(q, momentum_of(turned_by(opposite(q), spin)));
  const double energy = 0.5 * dot(spin, wanted);
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  for (int look = 0; look < 10; ++look) {
    engine->advance(look == 0 ? 1 : 500);
    const SnapshotClump now = engine->snapshot().clumps.at(0);
    const Real3 w = turned_by(opposite(now.orientation), now.angular_velocity);
    const Real3 own = {now.inertia[0] * w[0], now.inertia[1] * w[1], now.inertia[2] * w[2]};
    EXPECT_LT(length(subtract(turned_by(now.orientation, own), wanted)), 1e-3 * length(wanted)) << look;
    EXPECT_NEAR(0.5 * dot(w, own) / energy, 1, 1e-6) << look;
  }
}

// Rods side by side: their bounding spheres overlap by half, but the rods leave a gap of 1 % of the radius.
TEST_F(PlacedClumps, GivenOnesMayBeAsNearAsTheirSpheres) {
  const double own = std::cbrt(3.0) * 1e-3;
  const auto rods = [&](const std::string& turn, double gap) {
    const std::string r = std::to_string(1e3 * own) + "e-3";
    write_text(folder / "rods.csv", "x,y,z,radius" + std::string(turn.empty() ? "" : ",qw,qx,qy,qz") + "\n0,0,0," + r +
                                        turn + "\n" + std::to_string(2e-3 + gap) + ",0,0," + r + turn + "\n");
    return error_with({R"(particles.0={"shape":"rod","material":"m","file":"rods.csv"})"});
  };
  EXPECT_EQ(rods(",0.70710678,0,0,0.70710678", 1e-5), "no error");
  EXPECT_IN("particles.0.file: line 3 overlaps line 2 by 20 % of the smaller radius; at most 10 % is allowed",
            rods(",0.70710678,0,0,0.70710678", -2e-4));
  EXPECT_IN("particles.0.file: line 3 overlaps line 2 by ", rods("", 1e-5));
  EXPECT_IN("overlaps line 2 by 200 % of the smaller radius", rods(",1,0,0,0", 0));
}

TEST_F(PlacedClumps, WhatIsWrittenReadsBack) {
  write_text(folder / "rods.csv", "x,y,z,radius\n0,0,0,0.001\n");
  const Case input = parsed({"particles.0.orientation=[0.36,0.48,0,0.8]",
                             R"(particles=[{"shape":"rod","material":"m","file":"rods.csv","allow_overlap":0.3,)"
                             R"("orientation":[0.6,0,0,0.8]}])"});
  const std::string once = write_case(input);
  const Case again = parse_case(once, folder.path());
  EXPECT_EQ(write_case(again), once);
  EXPECT_EQ(again.particles[0].orientation, (QuaternionWxyz{0.6, 0, 0, 0.8}));
  EXPECT_EQ(again.particles[0].allow_overlap, 0.3);
}

TEST_F(PlacedClumps, MistakesGetOneSentenceEach) {
  write_text(folder / "one.csv", "x,y,z,radius,qw,qx,qy,qz\n0,0,0,0.001,1,0,0,0\n");
  write_text(folder / "long.csv", "x,y,z,radius,qw,qx,qy,qz\n0,0,0,0.001,1,0,0,1\n");
  write_text(folder / "three.csv", "x,y,z,radius,qw,qx,qy\n0,0,0,0.001,1,0,0\n");
  const auto inlet = [](const std::string& more, const std::string& inner) {
    return R"(particles.0={"shape":"hook","material":"m",)" + more +
           R"("inlet":{"rate":1,"region":{"box":[[0,0,0],[1,1,1]]})" + inner + "}}";
  };
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"particles.0.orientation=[90,0,0,1]",
       "particles.0.orientation: must be a quaternion [w, x, y, z] of length 1 within 0.001"},
      {"particles.0.orientation=[0,0,0,0]",
       "particles.0.orientation: must be a quaternion [w, x, y, z] of length 1 within 0.001"},
      {"particles.0.orientation=[0,0,1]", "particles.0.orientation: must be a list of 4 numbers, got 3"},
      {inlet("", R"(,"orientation":[2,0,0,0])"), "particles.0.inlet.orientation: must be a quaternion"},
      {inlet(R"("orientation":[1,0,0,0],)", ""),
       "particles.0.orientation: is not allowed with \"inlet\"; give inlet.orientation"},
      {R"(particles.0={"material":"m","radius":1,"fill":{"box":[[0,0,0],[9,9,9]],"count":1},"orientation":[1,0,0,0]})",
       "particles.0.orientation: is not allowed for spheres, which have none"},
      {R"(particles.0={"material":"m","file":"one.csv"})",
       "particles.0.file: spheres have no orientation: leave out qw, qx, qy, qz"},
      {R"(particles.0={"shape":"rod","material":"m","file":"long.csv"})",
       "line 2: qw, qx, qy, qz: must be a quaternion of length 1 within 0.001"},
      {R"(particles.0={"shape":"rod","material":"m","file":"three.csv"})", "line 1: column \"qz\" is missing"}};
  for (const auto& [setting, message] : mistakes) {
    const std::string error = error_with({setting});
    EXPECT_IN(message, error);
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

// --- allow_overlap
// -------------------------------------------------------------------------------------------------------

class AllowedOverlap : public PlacedClumps {
 protected:
  /// The error of a file with two spheres, of radius 1 mm and 2 mm, that overlap by `share` of the smaller radius.
  [[nodiscard]] std::string error_of_pair(double share, const std::string& more) const {
    write_text(folder / "two.csv", "x,y,z,radius\n0,0,0,0.001\n" + std::to_string(3 - share) + "e-3,0,0,0.002\n");
    return error_with({R"(particles.0={"material":"m","file":"two.csv")" + more + "}"});
  }
};

TEST_F(AllowedOverlap, AFileMayBeDenserThanByDefault) {
  EXPECT_EQ(error_of_pair(0.09, ""), "no error");
  EXPECT_EQ(error_of_pair(0.3, R"(,"allow_overlap":0.31)"), "no error");
  EXPECT_EQ(error_of_pair(0, R"(,"allow_overlap":0)"), "no error");
}

TEST_F(AllowedOverlap, MoreIsRefusedAndTheKeyIsNamed) {
  EXPECT_EQ(error_of_pair(0.3, ""),
            "particles.0.file: line 3 overlaps line 2 by 30 % of the smaller radius; at most 10 % is allowed, which "
            "particles.0.allow_overlap can change");
  EXPECT_EQ(error_of_pair(0.3, R"(,"allow_overlap":0.25)"),
            "particles.0.file: line 3 overlaps line 2 by 30 % of the smaller radius; at most 25 % is allowed, which "
            "particles.0.allow_overlap can change");
  EXPECT_IN("by 5 % of the smaller radius; at most 1 % is allowed", error_of_pair(0.05, R"(,"allow_overlap":0.01)"));
}

TEST_F(AllowedOverlap, OfTwoEntriesTheLargerCounts) {
  // This sphere overlaps the sphere of the lattice by 20 %.
  write_text(folder / "one.csv", "x,y,z,radius\n0.0015,0.0015,0.0033,0.001\n");
  const std::string lattice =
      R"({"material":"m","radius":0.001,"lattice":{"box":[[0.0005,0.0005,0.0005],[0.0025,0.0025,0.0025]],)"
      R"("spacing":0.002})";
  const auto both = [&](const std::string& first, const std::string& second) {
    return error_with({"particles=[" + lattice + first + R"(},{"material":"m","file":"one.csv")" + second + "}]"});
  };
  EXPECT_IN(
      "particles.1.file: line 2 overlaps sphere 1 of particles.0 by 20 % of the smaller radius; at most 10 % is "
      "allowed",
      both("", ""));
  EXPECT_EQ(both("", R"(,"allow_overlap":0.21)"), "no error");
  EXPECT_EQ(both(R"(,"allow_overlap":0.21)", R"(,"allow_overlap":0)"), "no error");
}

TEST_F(AllowedOverlap, BadValuesAreRefused) {
  EXPECT_EQ(error_of_pair(0, R"(,"allow_overlap":1)"), "particles.0.allow_overlap: must be in [0, 1), got 1");
  EXPECT_EQ(error_of_pair(0, R"(,"allow_overlap":-0.1)"), "particles.0.allow_overlap: must be in [0, 1), got -0.1");
  EXPECT_IN("particles.0.allow_overlap: must be a number", error_of_pair(0, R"(,"allow_overlap":"much")"));
  EXPECT_EQ(
      error_with({R"(particles.0={"material":"m","radius":0.001,"fill":{"box":[[0,0,0],[1,1,1]],"count":1},)"
                  R"("allow_overlap":0.2})"}),
      "particles.0.allow_overlap: is only allowed with \"file\", \"lattice\", \"positions\" and \"membrane\": other "
      "particles never overlap at the start");
}

// A start with an allowed overlap runs: a pair that overlaps by 60 % is pushed apart and stays symmetric.
TEST_F(AllowedOverlap, SuchAStartRuns) {
  write_text(folder / "two.csv", "x,y,z,radius\n0,0,0,0.001\n0.0014,0,0,0.001\n");
  const Scene scene = built({R"(particles.0={"material":"m","file":"two.csv","allow_overlap":0.7})"});
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  engine->advance(1);
  EXPECT_EQ(engine->counts().contacts, 1U);
  engine->advance(2000);
  const Snapshot now = engine->snapshot();
  EXPECT_EQ(engine->counts().contacts, 0U);
  EXPECT_LT(now.velocity[0][0], 0);
  EXPECT_NEAR(now.velocity[0][0], -now.velocity[1][0], 1e-12 * std::fabs(now.velocity[0][0]));
}

}  // namespace scree::test::placed_clumps_test
