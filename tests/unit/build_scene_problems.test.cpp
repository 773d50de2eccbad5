#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "built_scenes.hpp"
#include "case_errors.hpp"
#include "scratch_folder.hpp"

namespace scree::build_scene_problems_test {

using namespace test::built_scenes;
using test::error_of;
using test::ScratchFolder;

TEST(BuildScene, RefusesAVerletDistanceThatIsNone) {
  Case input = small_case();
  input.neighbours = {VerletLength{-1}, 0.5};
  const auto error = error_of([&] { build(input); });
  EXPECT_IN("neighbours.verlet_distance: must be greater than 0, got -1", error);
  EXPECT_IN("neighbours.target_interval: must be at least 1, got 0.5", error);
  input.neighbours = {VerletFraction{0}, HUGE_VAL};
  const auto other = error_of([&] { build(input); });
  EXPECT_IN("neighbours.verlet_distance.of_smallest_radius: must be greater than 0, got 0", other);
  EXPECT_IN("neighbours.target_interval: must be finite, got inf", other);
}

TEST(BuildScene, WarnsOfBadStartsAndLongSteps) {
  Case input = small_case();
  std::get<PlaneBoundary>(input.boundaries[0].second.shape).point = {0, 0, 0.01};
  input.time.step = 0.01;
  input.domain.remove_outside = BoxRegion{{-1, -1, -1}, {0.5, 2, 2}};
  const auto warnings = report_of(input).warnings;
  ASSERT_EQ(warnings.size(), 3u);
  EXPECT_IN("time.step: 0.01 s is above the limit, the Rayleigh time 0.00428 s", warnings[0]);
  EXPECT_IN("boundaries.floor: 100 particles overlap it at the start, particle 0 by 20 % of its radius", warnings[1]);
  EXPECT_IN("domain: 100 particles start beyond \"outside\"", warnings[2]);
  std::get<PlaneBoundary>(input.boundaries[0].second.shape).point = {0, 0, 0.1};
  EXPECT_IN("100 have their centres behind the plane", report_of(input).warnings[1]);
}

TEST(BuildScene, DeepOverlapsNameBothPlaces) {
  const ScratchFolder folder;
  test::write_text(folder / "bed.csv", "x,y,z,radius\n0,0,1,0.1\n# c\n0.15,0,1,0.1\n5,0,1,0.1\n0.05,0.05,0.05,0.02\n");
  Case input = small_case();
  input.folder = folder.path();
  ParticleGroup group;
  group.material = "glass";
  group.file = "bed.csv";
  input.particles.push_back(group);
  const auto error = error_of([&] { build(input); });
  EXPECT_IN("particles.1.file: line 4 overlaps line 2 by 50 % of the smaller radius; at most 10 % is allowed", error);
  EXPECT_IN("particles.1.file: line 6 overlaps sphere 1 of particles.0 by", error);
}

TEST(BuildScene, AllProblemsOfValuesAreReportedTogether) {
  Case input = small_case();
  input.materials[0].second.density = 0;
  input.particles[0].material = "glas";
  std::get<PlaneBoundary>(input.boundaries[0].second.shape).normal = {0, 0, 0};
  Boundary mesh;
  mesh.shape = MeshBoundary{"absent.stl", 1, {}};
  mesh.material = "wood";
  input.boundaries.push_back({"door", mesh});
  const auto error = error_of([&] { build(input); });
  EXPECT_IN("materials.glass.density: must be greater than 0, got 0", error);
  EXPECT_IN("particles.0.material: unknown material \"glas\"; did you mean \"glass\"?", error);
  EXPECT_IN("boundaries.floor.normal: must not be the zero vector", error);
  EXPECT_IN("boundaries.door.file: there is no file \"absent.stl\"", error);
  EXPECT_IN("boundaries.door.material: unknown material \"wood\"", error);
}

TEST(BuildScene, ALatticeOfClumpsIsAskedForTheBallsAroundThem) {
  Case input = small_case();
  ClumpTemplate rod;  // two spheres that touch, with a ball of radius 2 around them
  rod.spheres = {{{-1, 0, 0}, 1}, {{1, 0, 0}, 1}};
  input.shapes = {{"rod", {rod}}};
  input.particles[0].shape = "rod";
  input.particles[0].radius.reset();
  input.particles[0].lattice = Lattice{LatticeKind::simple_cubic, {{0, 0, 0}, {10, 10, 10}}, 3, 0};
  const auto error = error_of([&] { build(input); });
  EXPECT_IN(
      "particles.0.lattice.spacing: must be at least twice the largest radius of the balls around the particles, 4, "
      "got 3",
      error);
  input.particles[0].lattice = Lattice{LatticeKind::simple_cubic, {{0, 0, 0}, {10, 10, 3}}, 4, 0};
  EXPECT_IN("particles.0.lattice.box: is too small for the ball around a particle, of radius 2 along axis 2",
            error_of([&] { build(input); }));
}

TEST(BuildScene, AllProblemsOfPlacesAndFilesAreReportedTogether) {
  const ScratchFolder folder;
  test::write_text(folder / "bed.csv", "x,y,z,radius\n0,0,1,x\n");
  test::write_text(folder / "door.stl", "solid nothing\nendsolid\n");
  Case input = small_case();
  input.folder = folder.path();
  input.particles.push_back(fill_group(5000));
  ParticleGroup from_file;
  from_file.material = "glass";
  from_file.file = "bed.csv";
  input.particles.push_back(from_file);
  input.particles.push_back(lattice_group());
  input.particles.back().lattice->spacing = 0.09;
  Boundary mesh;
  mesh.shape = MeshBoundary{"door.stl", 1, {}};
  mesh.material = "steel";
  input.boundaries.push_back({"door", mesh});
  const auto error = error_of([&] { build(input); });
  EXPECT_IN("particles.1.fill: cannot place 5 000 particles (solid fraction 1.34) in this box", error);
  EXPECT_IN("bed.csv: line 2: radius: \"x\" is not a number", error);
  EXPECT_IN("particles.2.file: ", error);
  EXPECT_IN("particles.3.lattice.spacing: must be at least twice the largest radius, 0.1, got 0.09", error);
  EXPECT_IN("boundaries.door.file: ", error);
}

TEST(BuildScene, RefusesDrivenBoundariesThatNoSpringHolds) {
  Case input = small_case();
  input.groups = {{"held", {}}};
  input.groups[0].second.fixed = {"x", "y", "z"};
  input.particles[0].group = "held";
  ContactRule rule;
  rule.between = {"*", "*"};
  rule.law = LawKind::linear_spring_dashpot;
  rule.contact_time = 1e-3;
  input.contacts = {rule};
  EXPECT_EQ(build(input).pairs.size(), 4U) << "the floor stands still";
  input.boundaries[0].second.drive = Drive{.translation = DrivenTranslation{.mass = 1}};
  EXPECT_IN("boundaries.floor: would pass through the particles of group \"held\"",
            error_of([&] { (void)build(input); }));
}

TEST(BuildScene, GroupsMustBeComplete) {
  Case input = small_case();
  input.particles[0].radius.reset();
  EXPECT_IN("particles.0.radius: is missing", error_of([&] { build(input); }));
  input = small_case();
  input.particles[0].fill = Fill{};
  EXPECT_IN("particles.0: must have exactly one of", error_of([&] { build(input); }));
  input = small_case();
  input.particles[0].shape = "cube";
  EXPECT_IN("particles.0.shape", error_of([&] { build(input); }));
  input = small_case();
  input.particles.clear();
  EXPECT_IN("must have at least one of \"particles\", \"start\"", error_of([&] { build(input); }));
}

}  // namespace scree::build_scene_problems_test
