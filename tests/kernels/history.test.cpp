#include <map>

#include "../engine/piles.hpp"
#include "support.hpp"

namespace scree::inline SCREE_BACKEND::history_test {

/// The tangential force that each touching pair remembers, by ids.
template <class R>
std::map<IdPair, Vec3<R>> shear_of_pairs(System<R>& system) {
  const auto pairs = SystemProbe::pairs(system).bodies.to_vector();
  const auto shear = SystemProbe::pairs(system).shear.to_vector();
  const auto touching = SystemProbe::pairs(system).touching.to_vector();
  const auto id = SystemProbe::bodies(system).id.to_vector();
  std::map<IdPair, Vec3<R>> result;
  for (std::size_t slot = 0; slot < pairs.size(); ++slot) {
    if (touching[slot] != 0) { result[{id[pairs[slot].first], id[pairs[slot].second]}] = shear[slot]; }
  }
  return result;
}

/// The tangential force of each contact between a body and a feature of a boundary.
template <class R>
std::map<IdPair, Vec3<R>> shear_of_walls(System<R>& system) {
  const auto body = SystemProbe::near_boundary(system).body_of_row.to_vector();
  const auto start = SystemProbe::near_boundary(system).row_start.to_vector();
  const auto slot = SystemProbe::near_boundary(system).slot.to_vector();
  const auto id = SystemProbe::bodies(system).id.to_vector();
  std::map<IdPair, Vec3<R>> result;
  for (std::size_t row = 0; row < body.size(); ++row) {
    for (offset_t k = start[row]; k < start[row + 1]; ++k) {
      if (slot[k].touching != 0) { result[{id[body[row]], slot[k].feature}] = slot[k].shear; }
    }
  }
  return result;
}

template <class R>
void expect_same_bits(const std::map<IdPair, Vec3<R>>& a, const std::map<IdPair, Vec3<R>>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [pair, shear] : a) {
    const auto found = b.find(pair);
    ASSERT_TRUE(found != b.end()) << "the contact of " << pair.first << " and " << pair.second << " was lost";
    EXPECT_TRUE(shear.x == found->second.x && shear.y == found->second.y && shear.z == found->second.z)
        << "of " << pair.first << " and " << pair.second;
  }
}

template <class R>
double total_length(const std::map<IdPair, Vec3<R>>& shears) {
  double sum = 0;
  for (const auto& [pair, shear] : shears) { sum += double(norm(shear)); }
  return sum;
}

struct HeapKind {
  Precision precision;
  LawKind law;
};

class HistoryTest : public BackendTest, public ::testing::WithParamInterface<HeapKind> {
 protected:
  /// Runs a check in the precision under test.
  template <class Check>
  void with_precision(const Check& check) {
    if (GetParam().precision == Precision::mixed) {
      check.template operator()<float>();
    } else {
      check.template operator()<double>();
    }
  }
};

TEST_P(HistoryTest, TheVerletDistanceChangesNoBit) {
  with_precision([&]<class R>() {
    StateHash first{};
    std::uint64_t fewest = 0, most = 0;
    for (const double verlet : {0.05, 0.2, 1.0}) {
      System<R> system(heap(GetParam().precision, GetParam().law, verlet), 1);
      system.advance(2500, nullptr);
      if (verlet == 0.05) {
        first = hash_of(system.run());
        most = counts_of(system.run()).searches;
        EXPECT_GT(total_length(shear_of_pairs(system)), 0) << "no friction: nothing is tested";
        EXPECT_GT(total_length(shear_of_walls(system)), 0);
      } else {
        EXPECT_TRUE(first == hash_of(system.run())) << verlet;
        fewest = counts_of(system.run()).searches;
      }
    }
    EXPECT_GT(most, 4 * fewest);
  });
}

TEST_P(HistoryTest, APileAtRestKeepsItsFrictionThroughAHundredRebuilds) {
  with_precision([&]<class R>() {
    // Two runs of the same pile. In one of them, a plane that flies away far below makes the lists stale in every step.
    System<R> calm(pyramid(GetParam().precision, GetParam().law, 1.0), 1);
    Scene hasty = pyramid(GetParam().precision, GetParam().law, 0.1);
    add_plane(hasty, {0, 0, -1}, {0, 0, 1}).motion = {{Translation{{0, 0, -100}}}};
    System<R> restless(hasty, 1);
    calm.advance(5000, nullptr);
    restless.advance(5000, nullptr);
    const auto before = shear_of_pairs(calm);
    const std::uint64_t calm_before = counts_of(calm.run()).searches,
                        restless_before = counts_of(restless.run()).searches;
    calm.advance(1000, nullptr);
    restless.advance(1000, nullptr);
    EXPECT_EQ(counts_of(calm.run()).searches, calm_before);
    EXPECT_GE(counts_of(restless.run()).searches - restless_before, 100u);
    expect_same_bits(shear_of_pairs(calm), shear_of_pairs(restless));
    expect_same_bits(shear_of_walls(calm), shear_of_walls(restless));
    EXPECT_TRUE(hash_of(calm.run()) == hash_of(restless.run()));

    // At rest friction does not creep.
    const auto after = shear_of_pairs(calm);
    ASSERT_EQ(after.size(), before.size());
    const double scale = total_length(before);
    EXPECT_GT(scale, 1e-4) << "no friction: nothing is tested";
    for (const auto& [pair, shear] : before) {
      EXPECT_LT(double(norm(after.at(pair) - shear)), 1e-3 * scale) << "of " << pair.first << " and " << pair.second;
    }
  });
}

std::string kind_name(const ::testing::TestParamInfo<HeapKind>& tested) {
  return std::string(tested.param.precision == Precision::mixed ? "mixed" : "double") +
         (tested.param.law == LawKind::hertz_mindlin ? "_hertz_mindlin" : "_cundall_strack");
}
INSTANTIATE_TEST_SUITE_P(Heaps, HistoryTest,
                         ::testing::Values(HeapKind{Precision::mixed, LawKind::hertz_mindlin},
                                           HeapKind{Precision::double_, LawKind::hertz_mindlin},
                                           HeapKind{Precision::mixed, LawKind::cundall_strack},
                                           HeapKind{Precision::double_, LawKind::cundall_strack}),
                         kind_name);

using HistoryOfPairs = BackendTest;

TEST_F(HistoryOfPairs, AContactThatOpenedStartsAfresh) {
  // Two spheres rub, part and touch again. Nothing of the first contact may remain in the second.
  Scene scene = glass_scene(Precision::double_, LawKind::cundall_strack);
  scene.verlet_distance = 0.5 * bead;
  add_body(scene, {0, 0, 0}, bead, {}, {0, 0, 300});
  add_body(scene, {1.999 * bead, 0, 0}, bead, {0.01, 0, 0}, {0, 0, 300});
  System<double> system(scene, 1);
  system.advance(2, nullptr);
  ASSERT_EQ(touching_pairs(system).size(), 1u);
  EXPECT_GT(total_length(shear_of_pairs(system)), 0);
  while (system.run().step < 2000 && !touching_pairs(system).empty()) { system.advance(1, nullptr); }
  ASSERT_TRUE(touching_pairs(system).empty());
  EXPECT_EQ(SystemProbe::pairs(system).bodies.size(), 1u) << "still listed";
  const Vec3d left = SystemProbe::pairs(system).shear.element(0);
  EXPECT_EQ(left.x, 0);
  EXPECT_EQ(left.y, 0);
  EXPECT_EQ(left.z, 0);
}

}  // namespace scree::inline SCREE_BACKEND::history_test
