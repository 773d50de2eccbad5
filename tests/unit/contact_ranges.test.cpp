#include <gtest/gtest.h>

#include <cmath>

#include "built_scenes.hpp"

// How far contacts of each pair of materials reach in the scene of a case: no pair is listed farther than it needs.
namespace scree::contact_ranges_test {

using namespace test::built_scenes;

constexpr std::size_t glass = 0, steel = 1;

/// Bonded glass on a floor of steel, and a layer of steel above it.
Case bonded_glass() {
  Case input = small_case();
  input.particles.push_back(lattice_group());
  input.particles[1].material = "steel";
  input.particles[1].lattice->box = {{0, 0, 0.4}, {1, 1, 0.6}};
  ContactRule bonded, any;
  bonded.between = {"glass", "glass"};
  bonded.law = LawKind::bonded;
  bonded.bond = Bond{.tensile_strength = 2e6, .cohesion = 2e6};
  input.contacts = {bonded, any};
  return input;
}

TEST(ContactRanges, OnlyBondedPairsReachAsFarAsTheirBonds) {
  const Scene scene = build(bonded_glass());
  // A bond breaks at the strain of 0.2 = 2e6 Pa / 1e7 Pa, and lists reach 5 % farther.
  EXPECT_DOUBLE_EQ(scene.range_of(glass, glass), 1.05 * 1.2);
  EXPECT_EQ(scene.range_of(glass, steel), 1);
  EXPECT_EQ(scene.range_of(steel, glass), 1);
  EXPECT_EQ(scene.range_of(steel, steel), 1);
  EXPECT_EQ(scene.interaction_range, scene.range_of(glass, glass));
}

TEST(ContactRanges, OnlyWetPairsReachAsFarAsTheirBridges) {
  Case input = bonded_glass();
  input.contacts[0].between = {"steel", "steel"};
  input.contacts[0].law = LawKind::hertz_mindlin;
  input.contacts[0].bond.reset();
  input.contacts[0].liquid = LiquidBridges{.surface_tension = 0.07, .volume = 1e-8};
  const Scene scene = build(input);
  EXPECT_EQ(scene.range_of(glass, glass), 1);
  EXPECT_EQ(scene.range_of(glass, steel), 1);
  // A bridge ruptures at the cube root of its volume. On the floor of steel that is a multiple of one radius.
  EXPECT_NEAR(scene.range_of(steel, steel), 1 + std::cbrt(1e-8) / 0.05, 1e-4);
}

TEST(ContactRanges, HeatReachesAcrossTheGapsOfAllPairs) {
  Case input = bonded_glass();
  input.heat = HeatSettings{};
  input.heat->radiation = Radiation{.range = 1.5};
  for (auto& [name, material] : input.materials) {
    material.thermal = Thermal{.conductivity = 1, .heat_capacity = 800, .emissivity = 0.5};
  }
  const Scene scene = build(input);
  for (const std::size_t a : {glass, steel}) {
    for (const std::size_t b : {glass, steel}) {
      EXPECT_GE(scene.range_of(a, b), 1.5);
      EXPECT_LT(scene.range_of(a, b), 1.51);
    }
  }
}

}  // namespace scree::contact_ranges_test
