#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fill_cases.hpp"
#include "host/packing/mixture.hpp"

/// Fills and lists of particles of several kinds.
namespace scree::test::fill_mixtures_test {

using namespace fill_cases;

const std::string three_kinds = R"("mixture": [
  { "mass_fraction": 0.2, "material": "glass", "radius": { "uniform": [0.02, 0.04] }, "group": "a" },
  { "mass_fraction": 0.5, "material": "steel", "radius": 0.03 },
  { "mass_fraction": 0.3, "material": "glass", "shape": "pair", "radius": 0.035 } ])";
const std::string pair_shape = R"(, "groups": { "a": { "gravity": false } }, "shapes": { "pair": { "type": "clump",
  "spheres": [ { "center": [-0.5, 0, 0], "radius": 1 }, { "center": [0.5, 0, 0], "radius": 1 } ] } })";

/// Mass of each of the three kinds.
std::vector<double> masses(const Scene& scene) {
  std::vector<double> mass(3);
  std::vector<bool> member(scene.particles.size());
  for (const Clump& clump : scene.particles.clumps) {
    const double own = scene.clump_shapes[clump.shape].volume;
    mass[2] += 2500 * own * clump.size * clump.size * clump.size;
    member[clump.first] = member[clump.first + 1] = true;
  }
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    const bool steel = scene.particles.material[i] == 1;
    if (!member[i]) mass[steel ? 1 : 0] += (steel ? 7800 : 2500) * ball(scene.particles.radius[i]);
  }
  return mass;
}

// No kind is ahead of its share by more than one of its own particles, nor behind by more than one of each other kind.
void expect_shares(const std::vector<double>& mass, const std::vector<double>& share,
                   const std::vector<double>& largest) {
  double total = 0, all = 0;
  for (const double m : mass) total += m;
  for (const double m : largest) all += m;
  for (std::size_t k = 0; k < mass.size(); ++k) {
    EXPECT_LE(mass[k] - share[k] * total, largest[k] * (1 + 1e-9)) << k;
    EXPECT_LE(share[k] * total - mass[k], (all - largest[k]) * (1 + 1e-9)) << k;
  }
}

const std::vector<double> shares{0.2, 0.5, 0.3};
const std::vector<double> largest_masses{2500 * ball(0.04), 7800 * ball(0.03), 2500 * ball(0.035)};

TEST(Mixtures, FillsKeepTheirMassFractions) {
  const std::string by_fraction = R"("fill": { "box": [[0, 0, 0], [1, 1, 1]], "solid_fraction": 0.15 })";
  const Built whole(case_of("{ " + three_kinds + ", " + by_fraction + " }", pair_shape));
  const std::vector<double> mass = masses(whole.scene);
  expect_shares(mass, shares, largest_masses);
  const double volume = mass[0] / 2500 + mass[1] / 7800 + mass[2] / 2500;
  EXPECT_NEAR(volume, 0.15, 0.5 * ball(0.04)) << "half of the largest particle";
  EXPECT_EQ(whole.scene.particles.group.at(0), 1U);
  EXPECT_EQ(std::count(whole.scene.particles.group.begin(), whole.scene.particles.group.end(), 1U),
            std::count_if(whole.scene.particles.radius.begin(), whole.scene.particles.radius.end(),
                          [n = std::size_t{0}, &set = whole.scene.particles](double) mutable {
                            const std::size_t i = n++;
                            return set.material[i] == 0 && (set.clumps.empty() || i < set.clumps.front().first);
                          }));
  EXPECT_IN("of the mass", whole.report.notes.at(whole.report.notes.size() - 1));
  const std::string by_count = R"("fill": { "box": [[0, 0, 0], [1, 1, 1]], "count": 500 })";
  const Built counted(case_of("{ " + three_kinds + ", " + by_count + " }", pair_shape));
  expect_shares(masses(counted.scene), shares, largest_masses);
  EXPECT_EQ(counted.scene.particles.size() - counted.scene.particles.clumps.size(), 500U);
}

TEST(Mixtures, DrawnKindsStayNearTheirSharesAtAnyLength) {
  packing::MassShares mixture({0.01, 0.09, 0.4, 0.5});
  const std::vector<double> one{3, 1, 0.2, 2};
  for (int i = 0; i < 2000; ++i) {
    const std::size_t kind = mixture.next();
    mixture.add(kind, one[kind]);
    expect_shares(mixture.mass(), {0.01, 0.09, 0.4, 0.5}, one);
  }
}

// Half of the mass, and 0.757 of the volume, is fine glass: 0.1 * 0.757 / ball(5e-6) particles.
TEST(Mixtures, OfTooManyParticlesAreRefusedBeforeTheyAreDrawn) {
  EXPECT_NEAR(0.1 * (0.5 / 2500) / (0.5 / 2500 + 0.5 / 7800) / ball(5e-6), 1.45e14, 0.05e14);
  EXPECT_IN("particles.0.fill: needs about 1.4e+14 particles, more than", error_with(case_of(R"({ "mixture": [
    { "mass_fraction": 0.5, "material": "glass", "radius": 5e-6 },
    { "mass_fraction": 0.5, "material": "steel", "radius": { "uniform": [1e-3, 2e-3] } } ],
    "fill": { "box": [[0, 0, 0], [1, 1, 1]], "solid_fraction": 0.1 } })")));
}

TEST(Mixtures, AreRefusedWhereTheyMakeNoSense) {
  const std::string fill = R"(, "fill": { "box": [[0, 0, 0], [1, 1, 1]], "count": 5 } })";
  const auto with = [&](const std::string& first, const std::string& beside = "") {
    return error_with(case_of(R"({ "mixture": [ { "mass_fraction": )" + first +
                              R"(, "material": "glass", "radius": 0.1 },
                              { "mass_fraction": 0.5, "material": "steel", "radius": 0.1 } ])" +
                              beside + fill));
  };
  EXPECT_EQ(with("0.5"), "no error");
  EXPECT_IN("particles.0.mixture: the mass fractions must sum to 1 within 1e-06, got 0.9", with("0.4"));
  EXPECT_IN("particles.0.material: is not allowed with \"mixture\"", with("0.5", R"(, "material": "glass")"));
  EXPECT_IN("particles.0.radius: is not allowed with \"mixture\"", with("0.5", R"(, "radius": 0.1)"));
  const std::string lattice = R"({ "mixture": [ { "mass_fraction": 0.5, "material": "glass", "radius": 0.1 },
      { "mass_fraction": 0.5, "material": "lead" } ], "lattice": { "box": [[0, 0, 0], [1, 1, 1]], "spacing": 0.3 } })";
  EXPECT_IN("particles.0.mixture.1.radius: is missing", error_with(case_of(lattice)));
  EXPECT_IN("particles.0.mixture.1.material: unknown material \"lead\"", error_with(case_of(lattice)));
  EXPECT_IN("particles.0.material: is missing", error_with(case_of(R"({ "radius": 0.1 )" + fill)));
}

}  // namespace scree::test::fill_mixtures_test
