#include "host/run/lost_particles.hpp"

#include <gtest/gtest.h>

#include "case_errors.hpp"
#include "fake_engine.hpp"

/// What a run says at its end of particles that have fallen out of the case.
namespace scree::test::lost_particles_test {

/// The scene of the fake engine without its floor: meshes and places of the start reach 2 m along x. Particle 0 falls
/// at 1 m/s, the others stay.
Scene falling_scene() {
  Scene scene = small_scene();
  scene.gravity = {0, 0, -10};
  scene.boundaries.erase(scene.boundaries.begin());
  scene.particles.velocity = {{0, 0, -1}, {0, 0, 0}, {0, 0, 0}};
  return scene;
}

std::optional<std::string> said_after(const Scene& scene, double seconds) {
  FakeEngine engine(scene);
  engine.advance(static_cast<std::uint64_t>(seconds / scene.time_step));
  return lost_particles(scene, engine);
}

// The vertices of the fake engine move along x by a metre per second, so that the size grows: 1 m + t. What lies lower
// than that is lost after 2 s only if it falls faster.
TEST(LostParticles, AreToldWhereNothingIsBelow) {
  Scene scene = falling_scene();
  scene.particles.velocity[0][2] = -4;
  const std::string said = said_after(scene, 2).value_or("");
  EXPECT_IN("1 of 3 particles has fallen out of the case, up to 8 m below all boundaries and all places of the start",
            said);
  EXPECT_IN("remove_outside", said);
  EXPECT_FALSE(said_after(scene, 0.25).has_value()) << "not yet far";
  scene.particles.velocity[0] = {0, 0, 4};
  EXPECT_FALSE(said_after(scene, 2).has_value()) << "it comes back";
}

TEST(LostParticles, NothingIsSaidWhereTheyMayBeMeantToFall) {
  Scene scene = falling_scene();
  scene.particles.velocity[0][2] = -4;
  Scene other = scene;
  other.gravity = {0, 0, 0};
  EXPECT_FALSE(said_after(other, 2).has_value());
  other = scene;
  other.boundaries.clear();
  EXPECT_FALSE(said_after(other, 2).has_value());
  other = scene;
  other.cell.emplace();
  other.cell->edges = {{{9, 0, 0}, {0, 9, 0}, {0, 0, 9}}};
  EXPECT_FALSE(said_after(other, 2).has_value());
  other.cell->periodic[2] = false;
  EXPECT_TRUE(said_after(other, 2).has_value()) << "it repeats across gravity";
  other = scene;
  SceneBoundary slope;
  slope.shape = PlaneBoundary{{0, 0, -100}, {0, 0, 1}};
  other.boundaries.push_back(slope);
  EXPECT_FALSE(said_after(other, 2).has_value()) << "there is a floor";
}

}  // namespace scree::test::lost_particles_test
