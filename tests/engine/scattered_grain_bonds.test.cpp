#include <algorithm>
#include <cmath>

#include "bond_kit.hpp"

// Bonds of level-set grains whose strengths are scattered by Weibull's law: each bonded node has its own.
namespace scree::inline SCREE_BACKEND::scattered_grain_bonds_test {

using ScatteredGrainBonds = BackendTest;

constexpr int looks = 150;
constexpr double most = 2.2;  // of the strength

/// The cube and the plate part at a constant speed, such that the stress of the bonds is `most` after all looks.
Scene pulled(double modulus, std::uint64_t seed) {
  Scene scene = held(cube_and_plate());
  scene.pairs[0].bond.weibull_modulus = modulus;
  scene.seed = seed;
  scene.particles.clumps[1].velocity = {0, 0, most * bond_strength / bond_stiffness / (looks * scene.time_step)};
  return scene;
}

/// [looks] Number of broken bonds; the run is restored after some looks.
std::vector<std::uint64_t> broken(const Scene& scene, int restart = 0) {
  auto engine = make_backend_engine(scene);
  engine->advance(1);
  EXPECT_EQ(engine->counts().bonds, face_nodes * face_nodes);
  std::vector<std::uint64_t> result;
  for (int k = 1; k <= looks; ++k) {
    engine->advance(1);
    result.push_back(engine->counts().broken_bonds);
    if (k == restart) {
      const EngineState state = engine->save();
      engine = make_backend_engine(scene);
      engine->restore(state);
    }
  }
  return result;
}

// The share of broken bonds over the stress is the distribution of 100 strengths: by Kolmogorov and Smirnov one sample
// in a hundred is farther than 0.163 from Weibull's. Equal strengths break all at once.
TEST_F(ScatteredGrainBonds, BreakByWeibullsLaw) {
  constexpr double n = double(face_nodes * face_nodes), modulus = 3;
  std::vector<std::uint64_t> first;
  for (const std::uint64_t seed : {4u, 5u}) {
    const std::vector<std::uint64_t> count = broken(pulled(modulus, seed));
    double distance = 0, from_other = 0;
    for (int k = 1; k <= looks; ++k) {
      const double stress = most * k / looks, share = double(count[std::size_t(k - 1)]) / n;
      distance = std::max(distance, std::abs(share - (1 - std::exp(-std::pow(stress, modulus)))));
      from_other = std::max(from_other, std::abs(share - (stress < 1 ? 0 : 1)));
    }
    EXPECT_LT(distance, 1.628 / std::sqrt(n));
    EXPECT_GT(from_other, 0.3);
    EXPECT_NE(count, first) << "strengths depend on the seed";
    first = count;
    EXPECT_EQ(broken(pulled(modulus, seed), 60), count) << "a restart changes no strength";
  }
}

}  // namespace scree::inline SCREE_BACKEND::scattered_grain_bonds_test
