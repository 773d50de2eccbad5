#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "probe_readings.hpp"
#include "scenes.hpp"
#include "scree/errors.hpp"

// Probes that see some particles only, and the indices of mixing, against numbers worked out by hand.
namespace scree::physics::mixing_test {

constexpr Substance soft{1e7, 0.3, 2500}, heavy{1e7, 0.3, 5000};

/// Simple cubic lattice of n^3 spheres of radius 0.01 that overlap by 1e-6 radii, of material `kind(i, j, k)`.
template <class Kind>
Scene lattice(int n, const Kind& kind) {
  Scene scene = empty_scene(LawKind::cundall_strack, soft, heavy, {0, 0}, 1e-9);
  scene.material_names = {"light", "heavy"};
  const double spacing = 0.02 * (1 - 5e-7);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        // In the middle of cubes of 0.02 m, and so never on their faces.
        add_sphere(scene, {0.01 + spacing * i, 0.01 + spacing * j, 0.01 + spacing * k}, 0.01, {}, {}, kind(i, j, k));
      }
    }
  }
  return scene;
}

MixingProbe mixing_of(const std::string& material, double sample = 0.04) {
  MixingProbe probe;
  probe.of.materials = {material};
  probe.sample = sample;
  return probe;
}

// 64 spheres in 8 cubes of 8, each of one kind: S^2 = S0^2.
TEST(Mixing, KindsThatLieApartHaveTheIndexZero) {
  const Scene scene = lattice(4, [](int i, int, int) { return i < 2 ? 0u : 1u; });
  const auto engine = start(scene);
  engine->advance(1);
  auto light = read_probe({mixing_of("light")}, *engine, scene);
  EXPECT_EQ(light["share"], 0.5);
  EXPECT_NEAR(light["lacey"], 0, 1e-14);
  EXPECT_EQ(light["segregation_x"], -1) << "all light ones have smaller x than all heavy ones";
  EXPECT_EQ(light["segregation_y"], 0);
  EXPECT_EQ(light["segregation_z"], 0);
  // 3 x 48 contacts, of which 16 cross the plane between the kinds; of all 64 63 / 2 pairs 32 x 32 are unlike.
  EXPECT_NEAR(light["unlike_contacts"], 16.0 / 144 / (2 * 32 * 32 / (64.0 * 63)), 1e-14);
  EXPECT_LT(light["unlike_neighbours"], 0.6);
  EXPECT_GT(light["unlike_neighbours"], 0.3) << "half of the spheres lie at the plane between the kinds";
  auto heavy_ones = read_probe({mixing_of("heavy")}, *engine, scene);
  EXPECT_EQ(heavy_ones["segregation_x"], 1);
  EXPECT_NEAR(heavy_ones["lacey"], 0, 1e-14);
}

// Each cube holds four of each kind, S^2 = 0: better than at random, where SR^2 = p (1 - p) 7 / 63.
TEST(Mixing, AChessboardIsMixedBetterThanAtRandom) {
  const Scene scene = lattice(4, [](int i, int j, int k) { return static_cast<std::uint32_t>((i + j + k) % 2); });
  const auto engine = start(scene);
  engine->advance(1);
  auto mixed = read_probe({mixing_of("light")}, *engine, scene);
  EXPECT_NEAR(mixed["lacey"], 1 / (1 - 7.0 / 63), 1e-14);
  EXPECT_NEAR(mixed["unlike_contacts"], 1 / (2 * 32 * 32 / (64.0 * 63)), 1e-14);
  for (const char* axis : {"segregation_x", "segregation_y", "segregation_z"}) { EXPECT_EQ(mixed[axis], 0); }
}

// Five spheres in a row in three cubes: 2, 2 and 1 of them, of the first kind 2, 1 and 0. p = 3/5,
// S^2 = (2 (2/5)^2 + 2 (1/10)^2 + (3/5)^2) / 5 = 0.14, S0^2 = 0.24, SR^2 = 0.24 2/4 = 0.12.
TEST(Mixing, FiveSpheresByHand) {
  Scene scene = empty_scene(LawKind::cundall_strack, soft, heavy, {0, 0}, 1e-9);
  scene.material_names = {"light", "heavy"};
  const std::uint32_t kinds[] = {0, 0, 1, 0, 1};
  for (int i = 0; i < 5; ++i) { add_sphere(scene, {0.01 + 0.02 * i, 0.01, 0.01}, 0.009, {}, {}, kinds[i]); }
  const auto engine = start(scene);
  engine->advance(1);
  auto row = read_probe({mixing_of("light")}, *engine, scene);
  EXPECT_NEAR(row["lacey"], (0.24 - 0.14) / (0.24 - 0.12), 1e-14);
  // Pairs of a light and a heavy one: light at 0, 1, 3, heavy at 2, 4. One of six is in the order heavy, light.
  EXPECT_NEAR(row["segregation_x"], (1 - 5) / 6.0, 1e-15);
  EXPECT_TRUE(std::isnan(row["unlike_contacts"])) << "nothing touches";
  EXPECT_NEAR(row["unlike_neighbours"], 1, 1e-15) << "the nearest four are all others";
  // Two cubes of all particles, of a region that holds the first four: 2 and 2, of the first kind 2 and 1.
  MixingProbe part = mixing_of("light");
  part.region = BoxRegion{{0, 0, 0}, {0.08, 0.02, 0.02}};
  auto first_four = read_probe({part}, *engine, scene);
  EXPECT_EQ(first_four["share"], 0.75);
  EXPECT_NEAR(first_four["lacey"], (3 / 16.0 - 1 / 16.0) / (3 / 16.0 - 3 / 16.0 / 3), 1e-14);
}

// Any way to deal particles to cubes of one each, or to a single cube, has the same variance of shares. For all
// but the first of these numbers of particles, and of light ones among them, the two variances differ by rounding.
TEST(Mixing, CubesOfOneParticleHaveNoIndex) {
  for (const auto& [all, light] : {std::pair{2, 1}, {7, 1}, {7, 4}, {14, 3}, {26, 3}}) {
    Scene scene = empty_scene(LawKind::cundall_strack, soft, heavy, {0, 0}, 1e-9);
    scene.material_names = {"light", "heavy"};
    for (int i = 0; i < all; ++i) {
      add_sphere(scene, {0.01 + 0.02 * i, 0.01, 0.01}, 0.009, {}, {}, i < light ? 0 : 1);
    }
    const auto engine = start(scene);
    for (const double sample : {0.02, 10.0}) {
      auto row = read_probe({mixing_of("light", sample)}, *engine, scene);
      EXPECT_TRUE(std::isnan(row["lacey"])) << light << " of " << all << ": " << row["lacey"];
      EXPECT_EQ(row["share"], static_cast<double>(light) / all);
    }
  }
}

// The mean over random deals is 1: the index is made so. 400 deals have a standard error of about 0.01; the test
// allows four of its own estimate, and asks that this estimate is small.
TEST(Mixing, RandomDealsHaveTheIndexOneInTheMean) {
  std::mt19937_64 random(7);
  double sum = 0, squares = 0, contacts = 0, contact_squares = 0, near = 0, near_squares = 0;
  constexpr int deals = 400;
  for (int deal = 0; deal < deals; ++deal) {
    std::vector<std::uint32_t> kinds(216);
    for (std::size_t i = 0; i < kinds.size(); ++i) { kinds[i] = i < 72 ? 0 : 1; }
    for (std::size_t i = kinds.size(); i > 1; --i) { std::swap(kinds[i - 1], kinds[random() % i]); }
    const Scene scene =
        lattice(6, [&](int i, int j, int k) { return kinds[static_cast<std::size_t>(36 * i + 6 * j + k)]; });
    const auto engine = start(scene);
    engine->advance(1);
    auto one = read_probe({mixing_of("light")}, *engine, scene);
    sum += one["lacey"], squares += one["lacey"] * one["lacey"];
    contacts += one["unlike_contacts"], contact_squares += one["unlike_contacts"] * one["unlike_contacts"];
    near += one["unlike_neighbours"], near_squares += one["unlike_neighbours"] * one["unlike_neighbours"];
  }
  const auto check = [](double total, double total_squares) {
    const double mean = total / deals, error = std::sqrt((total_squares / deals - mean * mean) / deals);
    EXPECT_LT(error, 0.02);
    EXPECT_NEAR(mean, 1, 4 * error);
  };
  check(sum, squares);
  check(contacts, contact_squares);
  check(near, near_squares);
}

TEST(Mixing, KindsBySize) {
  Scene scene = empty_scene(LawKind::cundall_strack, soft, heavy, {0, 0}, 1e-9);
  scene.material_names = {"light", "heavy"};
  for (int i = 0; i < 10; ++i) { add_sphere(scene, {0.1, 0.1, 0.05 * i}, i < 4 ? 0.01 : 0.02); }
  const auto engine = start(scene);
  MixingProbe probe;
  probe.of.larger_than = 0.015;
  probe.sample = 0.1;
  auto sizes = read_probe({probe}, *engine, scene);
  EXPECT_EQ(sizes["share"], 0.6);
  EXPECT_EQ(sizes["segregation_z"], 1) << "the large ones are on top";
  probe.of.larger_than = 1;
  EXPECT_TRUE(std::isnan(read_probe({probe}, *engine, scene)["lacey"])) << "there is one kind only";
}

// What probes see of two materials adds up to what they see of both.
TEST(ChosenParticles, PartsAddUp) {
  const Scene scene = lattice(5, [](int i, int j, int k) { return (i * 25 + j * 5 + k) % 3 == 0 ? 0u : 1u; });
  const auto engine = start(scene);
  engine->advance(1);
  const Region region = BoxRegion{{0.02, 0.02, 0.02}, {0.08, 0.08, 0.08}};
  const auto seen = [&](const ProbeKind& kind, const std::vector<std::string>& materials) {
    return read_probe({kind, materials, {}}, *engine, scene);
  };
  for (const ProbeKind& kind : {ProbeKind(StressProbe{region}), ProbeKind(PorosityProbe{region})}) {
    auto all = seen(kind, {}), light = seen(kind, {"light"}), heavy_ones = seen(kind, {"heavy"});
    auto both = seen(kind, {"heavy", "light"});
    double largest = 0;
    for (const auto& [name, value] : all) { largest = std::fmax(largest, std::fabs(value)); }
    for (const auto& [name, value] : all) {
      EXPECT_EQ(both[name], value) << name;
      const double parts = light[name] + heavy_ones[name] - (name == "porosity" ? 1 : 0);
      EXPECT_NEAR(parts, value, 1e-12 * largest) << name;
    }
    EXPECT_NE(light.begin()->second, all.begin()->second);
  }
  auto light = seen(PorosityProbe{region}, {"light"});
  double count = 0;
  for (int i = 1; i < 4; ++i) {
    for (int j = 1; j < 4; ++j) {
      for (int k = 1; k < 4; ++k) { count += (i * 25 + j * 5 + k) % 3 == 0 ? 1 : 0; }
    }
  }
  EXPECT_EQ(light["particles"], count);
  // All 27 spheres in the region have six contacts, whoever the partner is.
  EXPECT_EQ(seen(CoordinationProbe{region}, {"light"})["mean"], 6);
  // Contacts between two heavy ones are not those of a light one.
  EXPECT_LT(seen(FabricProbe{region}, {"light"})["contacts"], seen(FabricProbe{region}, {})["contacts"]);
}

TEST(ChosenParticles, FlowCountsThoseOfAGroup) {
  Scene scene = empty_scene(LawKind::cundall_strack, soft, heavy, {0, 0}, 1e-3);
  scene.material_names = {"light", "heavy"};
  scene.groups.resize(3);
  scene.groups[1].name = "red", scene.groups[2].name = "blue";
  for (int k = 0; k < 6; ++k) {
    add_sphere(scene, {-0.05 - 0.1 * k, 0, 0}, 0.01, {1, 0, 0}, {}, k % 2 == 0 ? 0u : 1u);
    scene.particles.group.push_back(static_cast<std::uint32_t>(k % 3));
  }
  const auto engine = start(scene);
  const ProbeKind flow = FlowProbe{{{0, 0, 0}, {1, 0, 0}}};
  Probes all(series_with({flow}), scene, {}), red(series_with({flow, {}, {"red"}}), scene, {}),
      red_and_heavy(series_with({flow, {"heavy"}, {"red", "blue"}}), scene, {});
  const auto count = [&](Probes& probes) {
    return probes.measure(MeasuredState(*engine, probes.needs()), scene).at(0);
  };
  EXPECT_EQ(count(all) + count(red) + count(red_and_heavy), 0);
  engine->advance(500);  // five have passed: groups none, red, blue, none, red; heavy are the second and the fourth
  EXPECT_EQ(count(all), 5);
  EXPECT_EQ(count(red), 2);
  EXPECT_EQ(count(red_and_heavy), 1);
}

TEST(ChosenParticles, UnknownNamesAreRefused) {
  const Scene scene = lattice(2, [](int, int, int) { return 0u; });
  const auto refused = [&](const ProbeOutput& probe, const std::string& path) {
    try {
      Probes probes(series_with(probe), scene, {});
      FAIL() << path;
    } catch (const CaseError& error) { EXPECT_EQ(error.problems().front().path, "output.series.probes.p." + path); }
  };
  refused({CoordinationProbe{}, {"light", "lihgt"}, {}}, "materials.1");
  refused({CoordinationProbe{}, {}, {"nobody"}}, "groups.0");
  refused({mixing_of("nothing")}, "of.materials.0");
}

// --- fragments -------------------------------------------------------------------------------------------------

/// A block of 12 x 2 x 2 spheres of three sections, 5, 4 and 3 layers, bonded within a section, and with bonds of
/// strength 0 between sections, which move apart.
Scene cut_block(Precision precision, double apart) {
  Scene scene = empty_scene(LawKind::bonded, soft, soft, {0.3, 0}, 1e-5);
  scene.precision = precision;
  scene.material_names = {"end", "middle"};
  scene.interaction_range = 1.1;
  for (MaterialPair& pair : scene.pairs) { pair.bond = {1e12, 1e12, 1.05}; }
  scene.pairs[1].bond = scene.pairs[2].bond = {0, 0, 1.05};
  for (int i = 0; i < 12; ++i) {
    const int section = i < 5 ? 0 : i < 9 ? 1 : 2;
    for (int k = 0; k < 4; ++k) {
      add_sphere(scene, {0.02 * i, 0.02 * (k % 2), 0.02 * (k / 2)}, 0.01, {apart * section, 0, 0}, {},
                 section == 1 ? 1 : 0);
    }
  }
  return scene;
}

// Sections of one material stay whole, and the bonds between them break: 20, 16 and 12 spheres.
TEST(Fragments, ABlockIsCutIntoKnownPieces) {
  for (const Precision precision : {Precision::double_, Precision::mixed}) {
    const Scene scene = cut_block(precision, 0.1);
    const auto engine = start(scene);
    engine->advance(50);
    const Snapshot now = engine->snapshot({.fragment = true});
    for (std::uint32_t i = 0; i < 48; ++i) {
      EXPECT_EQ(now.fragment.at(i), i < 20 ? 0u : i < 36 ? 20u : 36u) << "the lowest id names a piece";
    }
    const double mass = sphere_mass(0.01, 2500);  // radii are rounded to single precision with mixed
    auto pieces = read_probe({FragmentProbe{}}, *engine, scene);
    EXPECT_EQ(pieces["fragments"], 3);
    EXPECT_EQ(pieces["single_particles"], 0);
    EXPECT_EQ(pieces["largest_fragment_particles"], 20);
    EXPECT_NEAR(pieces["largest_fragment[kg]"], 20 * mass, 1e-6 * 20 * mass);
    auto middle = read_probe({FragmentProbe{}, {"middle"}, {}}, *engine, scene);
    EXPECT_EQ(middle["fragments"], 1);
    EXPECT_NEAR(middle["largest_fragment[kg]"], 16 * mass, 1e-6 * 16 * mass);
    // A layer of 2 x 2 has 4 bonds, and 4 lead to the next layer.
    EXPECT_EQ(engine->counts().bonds, 4u * 12 + 4 * (4 + 3 + 2));
  }
}

TEST(Fragments, AnUncutBlockIsOnePieceAndFreeSpheresAreMany) {
  Scene scene = cut_block(Precision::double_, 0);
  for (MaterialPair& pair : scene.pairs) { pair.bond = {1e12, 1e12, 1.05}; }
  add_sphere(scene, {1, 1, 1}, 0.02);
  const auto engine = start(scene);
  auto before = read_probe({FragmentProbe{}}, *engine, scene);
  EXPECT_EQ(before["fragments"], 49) << "bonds are made in the first step";
  engine->advance(10);
  auto whole = read_probe({FragmentProbe{}}, *engine, scene);
  EXPECT_EQ(whole["fragments"], 2);
  EXPECT_EQ(whole["single_particles"], 1);
  EXPECT_EQ(whole["largest_fragment_particles"], 48);
}

}  // namespace scree::physics::mixing_test
