#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "case_errors.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

/// A case from a file and a case made in C++ obey the same rules and are refused with the same sentences.
namespace scree::case_both_ways_test {

using test::error_of;

const std::string base = R"({
  "time": { "duration": 1, "step": 1e-4 },
  "materials": {
    "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.8 },
    "steel": { "density": 7800, "young_modulus": 1e9, "poisson_ratio": 0.3, "friction": 0.2, "restitution": 0.6 }
  },
  "contacts": [{ "between": ["*", "*"] }],
  "shapes": { "pair": { "type": "clump", "spheres": [
    { "center": [0, 0, 0], "radius": 1 }, { "center": [1, 0, 0], "radius": 1 }] } },
  "particles": [
    { "material": "glass", "radius": { "uniform": [0.05, 0.05] },
      "lattice": { "box": [[0, 0, 0], [1, 1, 0.2]], "spacing": 0.1 } },
    { "material": "steel", "radius": 0.02,
      "inlet": { "rate": 10, "region": { "box": [[0, 0, 1], [1, 1, 2]] }, "from": 0.5 } }
  ],
  "groups": { "roof": { "fixed": ["x"] } },
  "boundaries": {
    "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "steel",
      "motion": [{ "type": "rotation", "axis": [0, 0, 1], "rate": 1, "until": 2 }] },
    "drum": { "type": "cylinder", "from": [0, 0, -5], "to": [0, 0, 5], "radius": 9, "material": "steel",
      "drive": { "rotation": { "inertia": 3, "axis": [0, 0, 1] } } }
  },
  "domain": { "outlets": { "spout": { "point": [0, 0, -1], "normal": [0, 0, -1] } },
              "remove_outside": { "box": [[-1, -1, -1], [2, 2, 2]] } },
  "output": { "frames": { "every": 0.1, "fields": ["velocity"] } }
})";

struct BrokenCase {
  std::string setting;  ///< in the case file
  std::function<void(Case&)> change;
};

template <class Shape>
Shape& shape_of(Case& c, std::size_t boundary) {
  return std::get<Shape>(c.boundaries[boundary].second.shape);
}

const std::vector<BrokenCase>& broken_cases() {
  static const std::vector<BrokenCase> all = {
      {"time.duration=0", [](Case& c) { c.time.duration = 0; }},
      {"time.duration=1e40", [](Case& c) { c.time.duration = 1e40; }},
      {"time.step=-1e-4", [](Case& c) { c.time.step = -1e-4; }},
      {"time.step=1e-60", [](Case& c) { c.time.step = 1e-60; }},
      {"time.safety=1.5", [](Case& c) { c.time.safety = 1.5; }},
      {"time.update_interval=0", [](Case& c) { c.time.update_interval = 0; }},
      {"time.adaptive=true", [](Case& c) { c.time.adaptive = true; }},
      {"materials={}", [](Case& c) { c.materials.clear(); }},
      {"materials.glass.density=0", [](Case& c) { c.materials[0].second.density = 0; }},
      {"materials.glass.poisson_ratio=0.5", [](Case& c) { c.materials[0].second.poisson_ratio = 0.5; }},
      {"materials.steel.friction=-1", [](Case& c) { c.materials[1].second.friction = -1; }},
      {"materials.steel.restitution=2", [](Case& c) { c.materials[1].second.restitution = 2; }},
      {R"(materials.glass.rolling={"friction":0.1})",
       [](Case& c) { c.materials[0].second.rolling = RollingResistance{.friction = 0.1}; }},
      {"contacts.0.between.0=glas", [](Case& c) { c.contacts[0].between[0] = "glas"; }},
      {"contacts.0.between.0=glass", [](Case& c) { c.contacts[0].between[0] = "glass"; }},
      {"contacts.0.law=jkr", [](Case& c) { c.contacts[0].law = LawKind::jkr; }},
      {"contacts.0.law=bonded", [](Case& c) { c.contacts[0].law = LawKind::bonded; }},
      {"contacts.0.contact_time=1e-3", [](Case& c) { c.contacts[0].contact_time = 1e-3; }},
      {R"(shapes.pair={"type":"clump"})",
       [](Case& c) { std::get<ClumpTemplate>(c.shapes[0].second.kind).spheres.clear(); }},
      {"shapes.pair.spheres.1.radius=0",
       [](Case& c) { std::get<ClumpTemplate>(c.shapes[0].second.kind).spheres[1].radius = 0; }},
      {"shapes.pair.resolution=4", [](Case& c) { std::get<ClumpTemplate>(c.shapes[0].second.kind).resolution = 4; }},
      {"particles.0.material=glas", [](Case& c) { c.particles[0].material = "glas"; }},
      {"particles.0.shape=cube", [](Case& c) { c.particles[0].shape = "cube"; }},
      {"particles.0.group=rof", [](Case& c) { c.particles[0].group = "rof"; }},
      {"particles.0.file=absent.csv", [](Case& c) { c.particles[0].file = "absent.csv"; }},
      {"particles.0.allow_overlap=1", [](Case& c) { c.particles[0].allow_overlap = 1; }},
      {R"(particles.0.radius={"uniform":[0.05,0.04]})",
       [](Case& c) {
         c.particles[0].radius = UniformSize{0.05, 0.04};
       }},
      {R"(particles.0.radius={"discrete":{"values":[0.05],"weights":[]}})",
       [](Case& c) {
         c.particles[0].radius = DiscreteSize{{0.05}, {}};
       }},
      {R"(particles.0.radius={"sieve":{"passing":[[0.04,0],[0.05,0.5]]}})",
       [](Case& c) {
         c.particles[0].radius = SieveSize{{{0.04, 0}, {0.05, 0.5}}};
       }},
      {"particles.0.lattice.spacing=0", [](Case& c) { c.particles[0].lattice->spacing = 0; }},
      {"particles.0.lattice.box.1.2=0", [](Case& c) { c.particles[0].lattice->box.max[2] = 0; }},
      {"particles.1.inlet.rate=0", [](Case& c) { c.particles[1].inlet->rate = 0; }},
      {"particles.1.inlet.mass_flow=2", [](Case& c) { c.particles[1].inlet->mass_flow = 2; }},
      {"particles.1.inlet.until=0.25", [](Case& c) { c.particles[1].inlet->until = 0.25; }},
      {"particles.1.inlet.orientation=[1,0,0,0]",
       [](Case& c) {
         c.particles[1].inlet->orientation = QuaternionWxyz{1, 0, 0, 0};
       }},
      {"particles.1.velocity=[0,0,-1]",
       [](Case& c) {
         c.particles[1].velocity = {0, 0, -1};
       }},
      {R"(groups.roof.fixed=["x","q"])",
       [](Case& c) {
         c.groups[0].second.fixed = {"x", "q"};
       }},
      {R"(groups.roof.fixed=["x","x"])",
       [](Case& c) {
         c.groups[0].second.fixed = {"x", "x"};
       }},
      {"groups.roof.velocity=[0,0,1]",
       [](Case& c) {
         c.groups[0].second.velocity = Real3{0, 0, 1};
       }},
      {"boundaries.floor.material=wood", [](Case& c) { c.boundaries[0].second.material = "wood"; }},
      {"boundaries.floor.normal=[0,0,0]", [](Case& c) { shape_of<PlaneBoundary>(c, 0).normal = {}; }},
      {"boundaries.floor.point=[0,1e31,0]",
       [](Case& c) {
         shape_of<PlaneBoundary>(c, 0).point = {0, 1e31, 0};
       }},
      {"boundaries.floor.motion.0.axis=[0,0,0]",
       [](Case& c) { std::get<Rotation>(c.boundaries[0].second.motion[0].kind).axis = {}; }},
      {"boundaries.floor.motion.0.from=3", [](Case& c) { c.boundaries[0].second.motion[0].from = 3; }},
      {"boundaries.drum.radius=0", [](Case& c) { shape_of<CylinderBoundary>(c, 1).radius = 0; }},
      {"boundaries.drum.to=[0,0,-5]",
       [](Case& c) {
         shape_of<CylinderBoundary>(c, 1).to = {0, 0, -5};
       }},
      {"boundaries.drum.drive={}", [](Case& c) { c.boundaries[1].second.drive = Drive{}; }},
      {"boundaries.drum.drive.rotation.inertia=-3",
       [](Case& c) { c.boundaries[1].second.drive->rotation->inertia = -3; }},
      {"domain.outlets.spout.normal=[0,0,0]", [](Case& c) { c.domain.outlets[0].second.normal = {}; }},
      {"domain.remove_outside.box.1.0=-2", [](Case& c) { c.domain.remove_outside->max[0] = -2; }},
      {"domain.velocity_gradient=[[0,0,0],[0,0,0],[0,0,0]]", [](Case& c) { c.domain.velocity_gradient.emplace(); }},
      {R"(domain.periodic={"axes":["x"]})",
       [](Case& c) {
         c.domain.periodic.emplace();
         c.domain.periodic->axes = {"x"};
       }},
      {R"(domain.periodic={"size":[1,1,0]})",
       [](Case& c) {
         c.domain.periodic.emplace();
         c.domain.periodic->size = Real3{1, 1, 0};
       }},
      {"integration.damping=1", [](Case& c) { c.integration.damping = 1; }},
      {"neighbours.verlet_distance=0", [](Case& c) { c.neighbours.verlet_distance = VerletLength{0}; }},
      {R"(neighbours.verlet_distance={"of_smallest_radius":-1})",
       [](Case& c) { c.neighbours.verlet_distance = VerletFraction{-1}; }},
      {"neighbours.target_interval=0.5", [](Case& c) { c.neighbours.target_interval = 0.5; }},
      {"output.frames.every=0", [](Case& c) { c.output.frames->every = 0; }},
      {R"(output.frames.fields=["velocty"])", [](Case& c) { c.output.frames->fields = {"velocty"}; }},
      {R"(output.series={"every":1,"probes":{"t":{"type":"track","particles":[]}}})",
       [](Case& c) {
         c.output.series = SeriesOutput{.every = 1, .probes = {{"t", ProbeOutput{TrackProbe{}}}}};
       }},
  };
  return all;
}

std::string error_of_file(const std::string& setting) {
  return error_of([&] { (void)parse_case(base, "/nowhere", {setting}); });
}
std::string error_in_cpp(const std::function<void(Case&)>& change) {
  Case input = parse_case(base, "/nowhere");
  change(input);
  return error_of([&] {
    SceneReport report;
    (void)build_scene(input, report);
  });
}

TEST(CaseBothWays, TheBaseIsGood) {
  EXPECT_EQ(error_in_cpp([](Case&) {}), "no error");
}

TEST(CaseBothWays, ABrokenRuleIsToldInTheSameSentence) {
  for (const BrokenCase& broken : broken_cases()) {
    const std::string told = error_of_file(broken.setting);
    EXPECT_NE(told, "no error") << broken.setting;
    EXPECT_EQ(error_in_cpp(broken.change), told) << broken.setting;
  }
}

TEST(CaseBothWays, WhatNoFileCanHoldIsRefusedAsWell) {
  EXPECT_EQ(error_in_cpp([](Case& c) { c.materials[0].second.density = std::nan(""); }),
            "materials.glass.density: must be finite, got nan");
  EXPECT_EQ(error_in_cpp([](Case& c) { c.time.duration = std::numeric_limits<double>::infinity(); }),
            "time.duration: must be finite, got inf");
  EXPECT_EQ(error_in_cpp([](Case& c) { c.contacts[0].law = static_cast<LawKind>(99); }).substr(0, 41),
            "contacts.0.law: is none of \"hertz_mindlin");
  EXPECT_EQ(error_in_cpp([](Case& c) { c.materials.push_back(c.materials[0]); }),
            "materials.glass: this key is given twice");
}

}  // namespace scree::case_both_ways_test
