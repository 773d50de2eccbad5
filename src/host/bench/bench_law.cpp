#include "host/bench/bench_law.hpp"

#include "host/case/laws.hpp"
#include "scree/errors.hpp"

namespace scree {

namespace {

const std::string rolling_suffix = "+rolling";

// A sphere of 1 mm in the middle of the bed overlaps its neighbours by about 3e-6 m. At this overlap the secant
// stiffness of Hertz's force is 300 N/m.
constexpr double spring_young = 3e5;       // [Pa] E r = 300 N/m
constexpr double spring_stiffness = 300;   // [N/m] with the next three values the restitution is about 0.5
constexpr double shear_stiffness = 75;     // [N/m]
constexpr double spring_dashpot = 0.0171;  // [N s/m]
constexpr double shear_dashpot = 0.00456;  // [N s/m]
constexpr double bond_young = 2e5;         // [Pa] E pi r / 2 = 314 N/m
constexpr double bond_strength = 1e5;      // [Pa] 0.3 N, the weight of some thousand particles
constexpr double surface_energy = 2e-3;    // [J/m2] pull-off at 1e-5 N
constexpr double plasticity = 0.5;         // [-] unloading is twice as stiff

LawKind kind_of(const std::string& word) {
  for (const LawNeeds& law : laws::all) {
    if (word == law.name) { return law.kind; }
  }
  throw ContractError("no contact law is called " + word);
}

void use_law(Scene& scene, LawKind kind) {
  const LawNeeds& law = needs_of(kind);
  scene.law = kind;
  for (MaterialPair& pair : scene.pairs) {
    pair.surface_energy = surface_energy;
    // Laws with dashpots have given springs, as in other programs; springs of other laws follow from the moduli.
    if (law.held_by == HeldBy::springs && law.dashpots) {
      pair.springs = {.from_moduli = false,
                      .stiffness = spring_stiffness,
                      .shear_stiffness = shear_stiffness,
                      .dashpot = spring_dashpot,
                      .shear_dashpot = shear_dashpot};
    }
    pair.plasticity = {.ratio = law.plastic ? plasticity : 0};
    pair.bond = {bond_strength, bond_strength, 1.0, NormalStrain::linear};
  }
  if (law.held_by == HeldBy::springs) { scene.materials[0].young_modulus = spring_young; }
  if (law.makes_bonds()) {
    scene.materials[0].young_modulus = bond_young;
    scene.materials[1].young_modulus = 3 * bond_young;  // a wall loads a sphere as its mirror image does
  }
}

}  // namespace

const std::vector<std::string>& bench_law_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    all.reserve(laws::all.size());
    for (const LawNeeds& law : laws::all) { all.emplace_back(law.name); }
    for (const LawNeeds& law : laws::all) {
      if (law.rolling) { all.push_back(std::string(law.name) + rolling_suffix); }
    }
    return all;
  }();
  return names;
}

void use_bench_law(Scene& scene, const std::string& name) {
  const bool rolling = name.ends_with(rolling_suffix);
  use_law(scene, kind_of(rolling ? name.substr(0, name.size() - rolling_suffix.size()) : name));
  if (!rolling) { return; }
  for (MaterialPair& pair : scene.pairs) {
    const double rough = pair.friction > 0 ? 1 : 0;  // smooth walls stay smooth
    pair.rolling = {.stiffness = 0.25,
                    .friction = 0.1 * rough,
                    .twisting_stiffness = 0.25,
                    .twisting_friction = 0.05 * rough,
                    .damping = 0.1};
  }
}

}  // namespace scree
