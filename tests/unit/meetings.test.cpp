#include "host/scene/meetings.hpp"
#include "host/case/meeting_materials.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "scree/case.hpp"

namespace scree::meetings_test {

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

Pairs pairs_of(const MeetingMaterials& meeting) {
  Pairs pairs;
  meeting.for_each_pair([&](std::size_t a, std::size_t b) { pairs.emplace_back(a, b); });
  return pairs;
}

/// Material 0 belongs to a wall, 1 to an inlet, 2 to nothing, and 3 to particles and another wall.
Scene some_scene() {
  Scene scene;
  scene.materials.resize(4);
  scene.particles.position = {{0, 0, 0}, {1, 0, 0}};
  scene.particles.radius = {0.2, 0.1};
  scene.particles.material = {3, 3};
  scene.inlets.resize(1);
  scene.inlets[0].material = 1;
  scene.inlets[0].smallest_radius = 0.05;
  scene.inlets[0].largest_radius = 0.3;
  scene.boundaries.resize(2);
  scene.boundaries[0].material = 0;
  scene.boundaries[1].material = 3;
  return scene;
}

TEST(MeetingMaterials, ParticlesAndInletsMeetEachOtherAndBoundaries) {
  const MeetingMaterials meeting = meeting_materials(some_scene());
  EXPECT_EQ(pairs_of(meeting), (Pairs{{3, 3}, {3, 1}, {3, 0}, {1, 1}, {1, 0}}));
  EXPECT_TRUE(meeting.can_touch(0, 1));
  EXPECT_FALSE(meeting.can_touch(0, 0)) << "boundaries never meet";
  EXPECT_FALSE(meeting.can_touch(2, 3)) << "nothing is made of it";
  EXPECT_TRUE(meeting.has_boundaries(3) && meeting.has_particles(1) && !meeting.has_particles(0));
}

TEST(MeetingMaterials, AreTheSameForTheCaseOfAScene) {
  Case input;
  for (const char* name : {"wall", "rain", "idle", "bed"}) input.materials.emplace_back(name, Material{});
  for (const char* name : {"bed", "rain", "unknown"}) input.particles.emplace_back().material = name;
  for (const char* name : {"wall", "bed"}) {
    input.boundaries.emplace_back(name, Boundary{});
    input.boundaries.back().second.material = name;
  }
  EXPECT_EQ(pairs_of(meeting_materials(input)), pairs_of(meeting_materials(some_scene())));
}

TEST(Radii, CountParticlesAndInlets) {
  const Scene scene = some_scene();
  const auto by_material = radii_by_material(scene);
  EXPECT_EQ(by_material[3].smallest, 0.1);
  EXPECT_EQ(by_material[3].largest, 0.2);
  EXPECT_EQ(by_material[1].smallest, 0.05);
  EXPECT_FALSE(by_material[0].any());
  EXPECT_EQ(all_radii(scene).smallest, 0.05);
  EXPECT_EQ(all_radii(scene).largest, 0.3);
  EXPECT_EQ(inlet_radii(scene).largest, 0.3);
}

}  // namespace scree::meetings_test
