#include <gtest/gtest.h>

#include "host/case/laws.hpp"
#include "kernels/interactions/run_laws.hpp"
#include "scenes.hpp"

/// Which interaction two bodies have: kernels, host and scene agree for every ordered pair of materials.
namespace scree::physics::touch_classes_test {

/// Spheres of three materials and a plane of the fourth, with another law for almost every pair.
Scene mixed_scene() {
  Scene scene = empty_scene(LawKind::hertz_mindlin, {1e7, 0.3, 2500}, {1e7, 0.3, 2500}, {}, 1e-6);
  scene.materials.resize(4, scene.materials.front());
  scene.pairs.assign(16, {});
  const auto set = [&](std::size_t a, std::size_t b, LawKind law) {
    scene.pairs[4 * a + b].law = scene.pairs[4 * b + a].law = law;
  };
  set(0, 1, LawKind::jkr);
  set(1, 1, LawKind::bonded);
  set(0, 2, LawKind::cundall_strack);
  set(2, 2, LawKind::jaeger);
  set(2, 3, LawKind::jaeger);
  set(1, 3, LawKind::linear_spring_dashpot);
  for (const std::uint32_t material : {2u, 0u, 1u}) { add_sphere(scene, {}, 1, {}, {}, material); }
  add_plane(scene, {}, {1, 0, 0});
  scene.boundaries.back().material = 3;
  return scene;
}

template <class R>
void expect_one_answer() {
  const Scene scene = mixed_scene();
  RunLaws<R> laws = make_laws<R>(scene);
  const TouchClasses classes = laws.touch_classes();
  Bodies<R> bodies;
  bodies.material.assign(scene.particles.material);
  const std::vector<std::uint32_t> touch_class = TouchTable::classes_of(bodies);
  BodyView<R> view{};
  view.material = bodies.material.view();

  const auto expect_law = [&](std::uint32_t pair, const RunLaw<R>& law, LawKind kind) {
    const LawNeeds& needs = needs_of(kind);
    SCOPED_TRACE(needs.name);
    EXPECT_EQ(laws.laws[classes.interaction_of(pair)].get(), &law);
    EXPECT_EQ(law.has_stack(), needs.load_history);
    EXPECT_EQ(law.is_hertzian(), needs.held_by == HeldBy::hertz);
    EXPECT_EQ(classes.is_hertzian(pair), needs.held_by == HeldBy::hertz);
    EXPECT_EQ(classes.makes_bonds(pair), needs.makes_bonds());
    EXPECT_EQ(classes.holds_apart(pair), needs.holds_apart || needs.makes_bonds());
  };
  for (index_t i = 0; i < 3; ++i) {
    for (index_t j = 0; j < 3; ++j) {
      const auto [a, b] = std::pair(scene.particles.material[i], scene.particles.material[j]);
      expect_law(classes.pair_of(view, i, j), laws.of(touch_class[i], touch_class[j]), scene.law_of(a, b));
    }
    BoundaryInfo plane{};
    plane.material = 3;
    expect_law(classes.pair_of(plane, view, i), laws.of(TouchTable::class_of(scene.boundaries[0]), touch_class[i]),
               scene.law_of(3, scene.particles.material[i]));
  }
}

TEST(TouchClasses, KernelsHostAndSceneAgree) {
  expect_one_answer<float>();
  expect_one_answer<double>();
}

// Most runs: nothing is looked up in memory.
TEST(TouchClasses, OneLawNeedsNoTable) {
  Scene scene = empty_scene(LawKind::jkr, {1e7, 0.3, 2500}, {1e7, 0.3, 2500}, {}, 1e-6);
  for (const std::uint32_t material : {0u, 1u}) { add_sphere(scene, {}, 1, {}, {}, material); }
  RunLaws<double> laws = make_laws<double>(scene);
  EXPECT_TRUE(laws.touch_classes().has_one());
  EXPECT_TRUE(laws.of(1, 0).is_hertzian());
}

}  // namespace scree::physics::touch_classes_test
