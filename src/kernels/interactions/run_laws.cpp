#include "kernels/interactions/run_laws.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "scree/errors.hpp"
#include "scree/meeting_materials.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

template <class R>
std::unique_ptr<RunLaw<R>> make_law(const Scene& scene, const LawPlace& place) {
  using Make = std::unique_ptr<RunLaw<R>> (*)(const Scene&, const LawPlace&);
  constexpr Make makers[] = {
#define SCREE_LAW(name, ...) make_##name<R>,
#include "scree/laws.def"
  };
  const auto kind = static_cast<std::size_t>(place.kind);
  SCREE_EXPECT(kind < std::size(makers), "an unknown contact law");
  return makers[kind](scene, place);
}

/// The properties in which two laws of a run may differ. Rolling resistance makes another law, and so do nodes,
/// cohesion and liquid.
struct LawVariant {
  LawKind law;
  bool rolling, rolling_moment, nodes;
  Attraction attraction;
  bool operator==(const LawVariant&) const = default;
};

/// The laws that the pairs of classes of a scene need.
struct NeededLaws {
  std::vector<LawVariant> variants;    ///< in the order of the pairs that have them: the same in every run of a scene
  std::vector<bool> among_particles;   ///< [n_variants] whether pairs of particles can have them
  std::vector<std::uint32_t> of_pair;  ///< [n_classes * n_classes] index of a variant
};

LawVariant variant_of(const Scene& scene, std::size_t a, std::size_t b) {
  const RollingResistance& rolling = scene.pair(a, b).rolling;
  return {scene.law_of(a, b), rolling.acts() && !rolling.is_moment(), rolling.is_moment(),
          scene.is_of_grains(a) || scene.is_of_grains(b), scene.pair(a, b).attraction()};
}

NeededLaws needed_laws(const Scene& scene, const MeetingMaterials& meeting) {
  const std::size_t n = TouchTable::classes_in(scene);
  NeededLaws needed;
  needed.of_pair.assign(n * n, 0);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      if (!meeting.can_touch(a, b)) { continue; }
      const LawVariant variant = variant_of(scene, a, b);
      const auto place = std::find(needed.variants.begin(), needed.variants.end(), variant);
      const auto index = static_cast<std::size_t>(place - needed.variants.begin());
      needed.of_pair[a * n + b] = static_cast<std::uint32_t>(index);
      if (place == needed.variants.end()) {
        needed.variants.push_back(variant);
        needed.among_particles.push_back(false);
      }
      if (meeting.has_particles(a) && meeting.has_particles(b)) { needed.among_particles[index] = true; }
    }
  }
  if (needed.variants.empty()) {
    needed.variants.push_back({scene.law, false, false, false, Attraction::none});
    needed.among_particles.push_back(true);
  }
  SCREE_EXPECT(needed.variants.size() <= 32,
               "more than 32 kinds of contact laws, each with its rolling resistance and liquid");
  return needed;
}

/// Adds the needs of a law to those of the run.
template <class R>
void add_traits(RunLaws<R>& run, const RunLaw<R>& law, std::uint32_t index) {
  run.history_size = std::max(run.history_size, law.history_size());
  run.own_history_size = std::max(run.own_history_size, law.own_history_size());
  run.couples = run.couples || law.has_couples();
  if (law.holds_apart()) { run.bits.holds_apart |= 1u << index; }
  if (law.is_hertzian()) { run.bits.is_hertzian |= 1u << index; }
  if (law.makes_bonds()) { run.bits.makes_bonds |= 1u << index; }
  run.bonds_nodes = run.bonds_nodes || law.bonds_nodes();
  run.stacks = run.stacks || law.has_stack();
}

}  // namespace

BondRule bond_rule_of(const Scene& scene, std::size_t a, std::size_t b) {
  const Bond& bond = scene.pair(a, b).bond;
  const double until = bond.form_until.value_or(std::numeric_limits<double>::infinity());
  return {bond.weibull_modulus ? 1 / *bond.weibull_modulus : 0, bond.form == BondForm::near ? until : 0,
          bond.form == BondForm::kept ? 0u : 1u};
}

template <class R>
RunLaws<R> make_laws(const Scene& scene) {
  const std::size_t n = TouchTable::classes_in(scene);
  const MeetingMaterials meeting = meeting_materials(scene);
  NeededLaws needed = needed_laws(scene, meeting);
  const std::vector<std::size_t>& own_materials = meeting.of_particles();
  const bool one_material = own_materials.size() <= 1;
  const auto own = static_cast<std::uint32_t>(own_materials.empty() ? 0 : own_materials.front());
  RunLaws<R> run;
  bool spheres = false;
  for (std::uint32_t k = 0; k < needed.variants.size(); ++k) {
    const LawVariant& variant = needed.variants[k];
    run.places.push_back({.kind = variant.law,
                          .index = k,
                          .one_material = one_material,
                          .own = own,
                          .rolling = variant.rolling,
                          .rolling_moment = variant.rolling_moment,
                          .nodes = variant.nodes,
                          .is_first = variant.nodes ? !run.nodes : !spheres,
                          .attraction = variant.attraction});
    run.laws.push_back(make_law<R>(scene, run.places.back()));
    (variant.nodes ? run.nodes : spheres) = true;
    if (needed.among_particles[k]) { run.among_particles.push_back(run.laws.back().get()); }
    add_traits(run, *run.laws.back(), k);
  }
  if (scene.collisions) {
    run.history_size += collision_width;
    run.collisions = true;
  }
  // Kernels look at the nodes of all contacts if there are level-set shapes, even if no grain has one of them.
  run.nodes = run.nodes || !scene.grain_shapes.empty();
  run.ranges = RangeTable(scene);
  run.table.assign(n, std::move(needed.of_pair), needed.variants.size() == 1);
  if (run.make_bonds()) {
    std::vector<BondRule> rules;
    for (std::size_t k = 0; k < n * n; ++k) { rules.push_back(bond_rule_of(scene, k / n, k % n)); }
    run.bond_rules.assign(rules, "bonds");
    run.later_bonds = scene.forms_bonds();
  }
  return run;
}

template <class R>
void update_laws(RunLaws<R>& run, const Scene& scene) {
  for (std::size_t k = 0; k < run.laws.size(); ++k) {
    run.laws[k]->take_parameters(*make_law<R>(scene, run.places[k]));
  }
}

template RunLaws<float> make_laws<float>(const Scene&);
template RunLaws<double> make_laws<double>(const Scene&);
template void update_laws<float>(RunLaws<float>&, const Scene&);
template void update_laws<double>(RunLaws<double>&, const Scene&);

}  // namespace scree::inline SCREE_BACKEND
