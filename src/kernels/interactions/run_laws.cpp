#include "kernels/interactions/run_laws.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

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

  // In the order of the pairs that have them: the same in every run of a scene. Rolling resistance makes another law,
  // and so do nodes, cohesion and liquid.
  struct Kind {
    LawKind law;
    bool rolling, rolling_moment, nodes;
    Attraction attraction;
    bool operator==(const Kind&) const = default;
  };
  std::vector<Kind> kinds;
  std::vector<bool> among_particles;
  std::vector<std::uint32_t> law_of(n * n, 0);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      if (!meeting.can_touch(a, b)) { continue; }
      const bool nodes = scene.is_of_grains(a) || scene.is_of_grains(b);
      const RollingResistance& rolling = scene.pair(a, b).rolling;
      const Kind kind{scene.law_of(a, b), rolling.acts() && !rolling.is_moment(), rolling.is_moment(), nodes,
                      scene.pair(a, b).attraction()};
      const auto place = std::find(kinds.begin(), kinds.end(), kind);
      const auto index = static_cast<std::size_t>(place - kinds.begin());
      law_of[a * n + b] = static_cast<std::uint32_t>(index);
      if (place == kinds.end()) {
        kinds.push_back(kind);
        among_particles.push_back(false);
      }
      if (meeting.has_particles(a) && meeting.has_particles(b)) { among_particles[index] = true; }
    }
  }
  if (kinds.empty()) {
    kinds.push_back({scene.law, false, false, false, Attraction::none});
    among_particles.push_back(true);
  }
  SCREE_EXPECT(kinds.size() <= 32, "more than 32 kinds of contact laws, each with its rolling resistance and liquid");

  const std::vector<std::size_t>& own_materials = meeting.of_particles();
  const bool one_material = own_materials.size() <= 1;
  const auto own = static_cast<std::uint32_t>(own_materials.empty() ? 0 : own_materials.front());
  RunLaws<R> run;
  bool spheres = false;
  for (std::uint32_t k = 0; k < kinds.size(); ++k) {
    run.places.push_back({.kind = kinds[k].law,
                          .index = k,
                          .one_material = one_material,
                          .own = own,
                          .rolling = kinds[k].rolling,
                          .rolling_moment = kinds[k].rolling_moment,
                          .nodes = kinds[k].nodes,
                          .is_first = kinds[k].nodes ? !run.nodes : !spheres,
                          .attraction = kinds[k].attraction});
    run.laws.push_back(make_law<R>(scene, run.places.back()));
    (kinds[k].nodes ? run.nodes : spheres) = true;
    if (among_particles[k]) { run.among_particles.push_back(run.laws.back().get()); }
    run.history_size = std::max(run.history_size, run.laws.back()->history_size());
    run.own_history_size = std::max(run.own_history_size, run.laws.back()->own_history_size());
    run.couples = run.couples || run.laws.back()->has_couples();
    if (run.laws.back()->holds_apart()) { run.bits.holds_apart |= 1u << k; }
    if (run.laws.back()->is_hertzian()) { run.bits.is_hertzian |= 1u << k; }
    if (run.laws.back()->makes_bonds()) { run.bits.makes_bonds |= 1u << k; }
    run.bonds_nodes = run.bonds_nodes || run.laws.back()->bonds_nodes();
    run.stacks = run.stacks || run.laws.back()->has_stack();
  }
  // Kernels look at the nodes of all contacts if there are level-set shapes, even if no grain has one of them.
  run.nodes = run.nodes || !scene.grain_shapes.empty();
  run.table.assign(n, std::move(law_of), kinds.size() == 1);
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
