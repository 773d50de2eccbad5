#include <algorithm>
#include <cmath>

#include "../physics/clump_shapes.hpp"
#include "busy_scene.hpp"

// Clumps in a busy scene: the same bits with any number of threads, with any lists and after a restart. Clumps are
// removed and inserted as a whole.
namespace scree::inline SCREE_BACKEND::clumps_test {

using physics::turn;

struct Kind {
  Precision precision;
  RotationScheme scheme;
};
class ClumpRun : public BackendTest, public ::testing::WithParamInterface<Kind> {
 protected:
  /// The busy scene with every third particle replaced by a clump of three spheres of its size.
  Scene scene(double verlet) const {
    Scene scene = busy_scene(GetParam().precision, LawKind::hertz_mindlin, verlet);
    scene.integration.rotation = GetParam().scheme;
    scene.clump_shapes = {physics::shape_of({{-0.5 * bead, 0, 0}, {0.5 * bead, 0, 0}}, {0.5 * bead, 0.5 * bead}),
                          overlapping()};
    const ParticleSet spheres = scene.particles;
    scene.particles = {};
    Random random(17);
    for (std::size_t i = 0; i < spheres.size(); ++i) {
      if (i % 3 == 1) {
        const auto shape = static_cast<std::uint32_t>(i / 3 % 2);
        const double angle = random(0, 6);
        const Real3 axis{random(-1, 1), random(-1, 1), 1};
        const Real3 spin{random(-50, 50), random(-50, 50), random(-50, 50)};
        physics::add_clump(scene, shape, spheres.position[i], spheres.velocity[i], spin, turn(axis, angle),
                           spheres.radius[i] / bead);
      } else {
        physics::add_sphere(scene, spheres.position[i], spheres.radius[i], spheres.velocity[i]);
      }
    }
    scene.verlet_distance = verlet * bead;
    return scene;
  }

  /// Three overlapping spheres. Mass and inertia need not be those of their union.
  static ClumpShape overlapping() {
    ClumpShape shape =
        physics::shape_of({{-0.3 * bead, -0.1 * bead, 0}, {0.3 * bead, -0.1 * bead, 0}, {0, 0.2 * bead, 0}},
                          {0.5 * bead, 0.5 * bead, 0.5 * bead});
    shape.volume *= 0.7;
    return shape;
  }
};

TEST_P(ClumpRun, HasTheSameBitsWithAnyListsAndThreads) {
  const auto engine = make_backend_engine(scene(0.2), 1), other = make_backend_engine(scene(0.7), 2);
  engine->advance(400);
  other->advance(400);
  EXPECT_GT(engine->counts().contacts, 40u);
  EXPECT_GT(engine->counts().removed[0] + engine->counts().removed[1], 0u);
  EXPECT_TRUE(engine->hash() == other->hash());
  EXPECT_TRUE(engine->save() == other->save());
}

TEST_P(ClumpRun, GoesOnAfterARestart) {
  const auto whole = make_backend_engine(scene(0.2));
  whole->advance(150);
  for (const double verlet : {0.2, 0.05}) {
    const auto resumed = make_backend_engine(scene(verlet), verlet == 0.05 ? 2 : 1);
    resumed->restore(whole->save());
    EXPECT_TRUE(resumed->hash() == whole->hash());
    EXPECT_TRUE(resumed->save() == whole->save());
    const auto straight = make_backend_engine(scene(0.2));
    straight->restore(whole->save());
    straight->advance(250);
    resumed->advance(250);
    EXPECT_TRUE(resumed->save() == straight->save());
  }
  const auto resumed = make_backend_engine(scene(0.1));
  resumed->restore(whole->save());
  whole->advance(250);
  resumed->advance(250);
  EXPECT_TRUE(resumed->hash() == whole->hash());
}

/// Counts, masses and members of the remaining bodies agree at every moment.
TEST_P(ClumpRun, LeaveAsAWhole) {
  const Scene scene = this->scene(0.2);
  const auto engine = make_backend_engine(scene);
  const std::uint64_t start = engine->counts().particles;
  EXPECT_EQ(
      start, scene.particles.size() - [&] {
        std::size_t beyond = 0;
        for (const Clump& c : scene.particles.clumps) { beyond += scene.clump_shapes[c.shape].radius.size() - 1; }
        return beyond;
      }());
  std::uint64_t clumps = engine->counts().clumps;
  for (int k = 0; k < 40; ++k) {
    engine->advance(10);
    const EngineCounts counts = engine->counts();
    const Snapshot now = engine->snapshot();
    std::size_t members = 0;
    for (const SnapshotClump& c : now.clumps) {
      members += c.members;
      for (std::uint32_t m = 0; m < c.members; ++m) {
        EXPECT_TRUE(std::binary_search(now.id.begin(), now.id.end(), c.first + m));
      }
    }
    EXPECT_EQ(now.clumps.size(), counts.clumps);
    EXPECT_EQ(now.id.size() - members + now.clumps.size(), counts.particles);
    EXPECT_EQ(counts.particles, start - counts.removed[0] - counts.removed[1]);
    EXPECT_LE(counts.clumps, clumps);
    clumps = counts.clumps;
  }
  EXPECT_LT(clumps, scene.particles.clumps.size()) << "none has left";
}

TEST_P(ClumpRun, ComeDuringTheRun) {
  const Scene scene = this->scene(0.2);
  const auto engine = make_backend_engine(scene, 1), other = make_backend_engine(this->scene(0.6), 2);
  Scene more = scene;
  more.particles = {};
  for (int k = 0; k < 5; ++k) {
    physics::add_clump(more, 1, {-6 * bead + 3 * k * bead, 0, 17 * bead}, {0, 0, -1}, {100, 0, 0});
  }
  for (Engine* e : {engine.get(), other.get()}) {
    e->advance(100);
    e->insert(more.particles);
    EXPECT_EQ(e->counts().inserted, 5u);
    EXPECT_EQ(e->snapshot().clumps.size(), e->counts().clumps);
    e->advance(200);
  }
  EXPECT_TRUE(engine->hash() == other->hash());
}

std::string kind_name(const ::testing::TestParamInfo<Kind>& tested) {
  const char* scheme[] = {"spiral", "omelyan", "fincham"};
  return std::string(tested.param.precision == Precision::mixed ? "mixed_" : "double_") +
         scheme[int(tested.param.scheme)];
}
INSTANTIATE_TEST_SUITE_P(Kinds, ClumpRun,
                         ::testing::Values(Kind{Precision::mixed, RotationScheme::spiral},
                                           Kind{Precision::double_, RotationScheme::spiral},
                                           Kind{Precision::mixed, RotationScheme::omelyan},
                                           Kind{Precision::double_, RotationScheme::fincham}),
                         kind_name);

}  // namespace scree::inline SCREE_BACKEND::clumps_test
