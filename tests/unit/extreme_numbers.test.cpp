#include <gtest/gtest.h>

#include <ctime>
#include <limits>
#include <string>
#include <vector>

#include "case_errors.hpp"
#include "host/commands/contact.hpp"
#include "host/output/finite.hpp"
#include "scratch_folder.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

/// Numbers beyond what a run can hold are refused with their path.
namespace scree::extreme_numbers_test {

using test::error_of;

/// [s] Time that processors have spent on this process so far. Unlike the time of a clock it does not grow while other
/// processes keep this one waiting.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

const std::string heap = R"({
  "time": { "duration": 1, "step": 1e-6 },
  "precision": "mixed",
  "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
    "restitution": 0.8 } },
  "shapes": { "pair": { "type": "clump", "spheres": [ { "center": [0, 0, 0], "radius": 1e-3 },
    { "center": [1e-3, 0, 0], "radius": 1e-3 } ] } },
  "particles": [ { "material": "glass", "radius": 1e-3, "lattice": { "box": [[0, 0, 0], [0.1, 0.1, 0.1]],
    "spacing": 0.05 } } ],
  "boundaries": {
    "mill": { "type": "box", "min": [-1, -1, -1], "max": [1, 1, 1], "material": "glass",
              "motion": [ { "type": "oscillation", "axis": [0, 0, 1], "amplitude": 0.1, "frequency": 5 },
                          { "type": "rotation", "axis": [0, 0, 1], "rate": 1 } ] }
  }
})";

/// The error of the heap after changes, when it is read and built; "no error" if there is none.
std::string error_with(const std::vector<std::string>& settings) {
  return error_of([&] {
    SceneReport report;
    (void)build_scene(parse_case(heap, "/nowhere", settings), report);
  });
}

TEST(ExtremeNumbers, TheHeapItselfIsFine) { EXPECT_EQ(error_with({}), "no error"); }

TEST(ExtremeNumbers, AreRefusedWhereTheyStand) {
  const auto refused = [](const std::string& setting, const std::string& expected) {
    EXPECT_IN(expected, error_with({setting}));
  };
  refused("time.duration=1e300", "time.duration: must be at most 1e+30 in size, got 1e+300");
  refused("materials.glass.density=1e-60", "materials.glass.density: must be at least 1e-50, got 1e-60");
  refused("materials.glass.young_modulus=1e308",
          "materials.glass.young_modulus: must be at most 1e+30 in size, got 1e+308");
  refused("materials.glass.friction=1e-300", "materials.glass.friction: must be at least 1e-50, or 0, got 1e-300");
  refused("particles.0.velocity=[0,0,-1e308]", "particles.0.velocity.2: must be at most 1e+30 in size, got -1e+308");
  refused("shapes.pair.spheres.0.radius=1e-300", "shapes.pair.spheres.0.radius: must be at least 1e-50, got 1e-300");
  refused("particles.0.lattice.box=[[0,0,0],[0.1,0.1,5e-324]]",
          "particles.0.lattice.box.1.2: must be greater than 0 of the lowest corner, got 5e-324");
  refused("boundaries.mill.min=[-5e-324,-1,-1]", "no error");
  refused("boundaries.mill.max=[-1,1,1]", "boundaries.mill.max.0: must be greater than -1");
  refused("boundaries.mill.motion.0.phase=-1e308",
          "boundaries.mill.motion.0.phase: must be in [-1e+06, 1e+06], got -1e+308");
  EXPECT_EQ(error_with({"gravity=[0,1e-310,-9.81]"}), "no error") << "rounding leaves such numbers in vectors";
}

TEST(ExtremeNumbers, WhatFollowsFromThemIsLookedAt) {
  const auto refused = [](const std::vector<std::string>& settings, const std::string& expected) {
    EXPECT_IN(expected, error_with(settings));
  };
  refused({"materials.glass.density=1e-30"},
          "materials.glass: spheres of radius 1 mm have a mass of 4.189e-39 kg, which precision \"mixed\" cannot hold; "
          "use \"precision\": \"double\", or larger units of length and time");
  EXPECT_EQ(error_with({"materials.glass.density=1e-30", "precision=double"}), "no error");
  refused({"materials.glass.young_modulus=1e30", "materials.glass.density=1e-10"},
          "materials.glass: spheres of radius 1 mm have accelerations of up to about ");
  refused({"time.duration=1e20"}, "time.step: must be longer than 1e-15 of the duration, got 1e-06");
  refused({"time.duration=1e20", "time.step=auto", "boundaries={}"},
          "time.duration: must be less than 1e+15 time steps of ");
  refused({"time.step=1e-45", "time.duration=1e-40"},
          "time.step: the time step is 1e-45 s, which precision \"mixed\" cannot hold");
  refused({"neighbours={\"verlet_distance\":1e-45}"},
          "neighbours.verlet_distance: the least distance is 1e-45 m, which precision \"mixed\"");
  refused({"boundaries.mill.motion.1.rate=1e12"},
          "boundaries.mill.motion.1.rate: turns the boundary by 1e+12 rad during the run; at most 1e+08");
  refused({R"(boundaries.mill.motion.1={"type":"rotation","axis":[0,0,1],"rpm":6e12})"},
          "boundaries.mill.motion.1.rpm: turns the boundary by ");
  refused({"boundaries.mill.motion.0.amplitude=1e12"},
          "boundaries.mill.motion.0.amplitude: turns the boundary by 2e+12 rad");
  refused({"shapes.pair.scale=1e-50"},
          "shapes.pair.spheres: the radius of sphere 1 must be from 1e-50 to 1e+09 m, got 1e-53");
  refused({"particles.0.lattice.box=[[1e12,0,0],[1.0000000000001e12,0.1,0.1]]"},
          "particles: must be within 1e+09 m of the origin");
}

/// 1/I of glass spheres exceeds single precision below 4 nm. The message must recommend double precision and not blame
/// the step.
TEST(ExtremeNumbers, SmallParticlesInMixedPrecisionNameTheRemedy) {
  const std::vector<std::string> nano = {"particles.0.radius=3e-9",
                                         "particles.0.lattice={\"box\":[[0,0,0],[1e-7,1e-7,1e-7]],\"spacing\":5e-8}",
                                         "time.step=auto", "time.duration=1e-6"};
  const std::string error = error_with(nano);
  EXPECT_IN("materials.glass: spheres of radius 0.003 um have an inverse moment of inertia of ", error);
  EXPECT_IN("use \"precision\": \"double\"", error);
  auto with_double = nano;
  with_double.emplace_back("precision=double");
  EXPECT_EQ(error_with(with_double), "no error");
  auto larger = nano;
  larger[0] = "particles.0.radius=1e-8";
  EXPECT_EQ(error_with(larger), "no error");
}

TEST(ExtremeNumbers, JsonNestedDeepGetsAnAnswer) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  EXPECT_EQ(error_of([&] { (void)parse_case(deep, "/nowhere"); }), "must not be nested more than 100 levels deep");
  EXPECT_IN("time: must not be nested more than 100 levels deep",
            error_of([&] { (void)parse_case(heap, "/nowhere", {"time=" + deep}); }));
  std::string path = "time";
  for (int k = 0; k < 200'000; ++k) path += ".a";
  EXPECT_IN("--set: a path must have at most 100 keys, got 200001",
            error_of([&] { (void)parse_case(heap, "/nowhere", {path + "=1"}); }));
}

/// The time to build a scene grows only with the number of pairs of materials and the number of rules, because rules
/// are looked up in a table of pairs.
TEST(ExtremeNumbers, ManyMaterialsGetAnAnswerSoon) {
  const auto with = [](std::size_t count) {
    std::string materials, particles;
    for (std::size_t m = 0; m < count; ++m) {
      const std::string name = "m" + std::to_string(m);
      materials += std::string(m > 0 ? ", " : "") + "\"" + name +
                   "\": { \"density\": 2500, \"young_modulus\": 1e7, \"poisson_ratio\": 0.25, \"friction\": 0.4, "
                   "\"restitution\": 0.8 }";
      particles += std::string(m > 0 ? ", " : "") + "{ \"material\": \"" + name +
                   "\", \"radius\": 1e-3, \"lattice\": { \"box\": [[" + std::to_string(m) + ", 0, 0], [" +
                   std::to_string(m) + ".01, 0.01, 0.01]], \"spacing\": 0.01 } }";
    }
    return R"({ "time": { "duration": 1 }, "materials": {)" + materials + R"(}, "particles": [)" + particles +
           R"(], "contacts": [ { "between": ["m0", "*"], "friction": 0.1 }, { "between": ["*", "*"] } ] })";
  };
  const double start = processor_seconds();
  EXPECT_EQ(error_of([&] { (void)parse_case(with(3000), "/nowhere"); }),
            "materials: must be at most 500, since a table holds every pair of them, got 3000");
  SceneReport report;
  const Scene scene = build_scene(parse_case(with(300), "/nowhere"), report);
  EXPECT_EQ(scene.pair(0, 7).friction, 0.1);
  EXPECT_EQ(scene.pair(7, 8).friction, 0.4);
  EXPECT_LT(processor_seconds() - start, 20);
}

TEST(ExtremeNumbers, ParticlesOnOneSpotGetAnAnswerSoon) {
  const test::ScratchFolder folder;
  std::string table = "x,y,z,radius\n";
  for (int k = 0; k < 50'000; ++k) table += "0,0,0.01,0.001\n";
  test::write_text(folder / "heap.csv", table);
  const double start = processor_seconds();
  const std::string error = error_of([&] {
    SceneReport report;
    (void)build_scene(parse_case(heap, folder.path(), {R"(particles=[{"material":"glass","file":"heap.csv"}])"}),
                      report);
  });
  EXPECT_IN("particles.0.file: line 3 overlaps line 2 by 200 % of the smaller radius; at most 10 % is allowed", error);
  EXPECT_IN("and at least 995 more pairs overlap like these", error);
  EXPECT_LT(processor_seconds() - start, 10);
}

TEST(ExtremeNumbers, APathOfAContactThatIsTooFastIsRefused) {
  const auto moves = [](const std::string& path) {
    return contact_moves(parse_contact_path(path, "p"), {{0, 0}, {0.01, 0.01}, false});
  };
  EXPECT_EQ(moves("time,normal\n0,0\n1e-6,1e-6\n").size(), 2U);
  EXPECT_IN("place 2: time: the step from 0 s to 1e-300 s is too short",
            error_of([&] { (void)moves("time,normal\n0,0\n1e-300,1e-6\n2e-300,1e-6\n"); }));
  EXPECT_IN("place 3: time: the step from 1e-20 s to 2e-20 s is too short",
            error_of([&] { (void)moves("time,normal\n0,0\n1e-20,0\n2e-20,1e20\n"); }));
}

TEST(ExtremeNumbers, WhatIsWrittenIsFinite) {
  const auto fault = [](auto&& work) {
    try {
      work();
    } catch (const KernelFault& found) { return std::string(found.what()); }
    return std::string("no fault");
  };
  EXPECT_EQ(fault([] { expect_finite_row("1,-2e3,inf", "a,b,c", 3); }), "c is inf, not a finite number");
  EXPECT_EQ(fault([] { expect_finite_row("1,-2e3,0", "a,b,c", 3); }), "no fault");
  EXPECT_EQ(fault([] { expect_finite_row("1,-nan,0", "a,\"b,2[m]\",c", 3); }),
            "\"b,2[m]\" is -nan, not a finite number");
  Snapshot now;
  now.id = {7};
  now.position = now.velocity = now.angular_velocity = {{1, 2, 3}};
  EXPECT_EQ(fault([&] { expect_finite(now); }), "no fault");
  now.angular_velocity[0][1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(fault([&] { expect_finite(now); }), "the angular velocity of particle 7 is not finite");
  EngineState state;
  state.arrays.push_back({"bodies/spin", "1", ValueType::float32, 1, std::vector<std::byte>(8)});
  EXPECT_EQ(fault([&] { expect_finite(state, 0); }), "no fault");
  state.arrays[0].bytes[7] = std::byte{0x7f};  // second number: sign 0, exponent 254 ...
  state.arrays[0].bytes[6] = std::byte{0x80};  // ... and 255: infinite
  EXPECT_EQ(fault([&] { expect_finite(state, 0); }),
            "the array bodies/spin of the state has a number that is not finite");
}

}  // namespace scree::extreme_numbers_test
