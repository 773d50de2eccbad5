#include "kernels/interactions/run_laws.hpp"

#include <algorithm>

#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

template <class R>
std::unique_ptr<RunLaw<R>> make_law(LawKind kind, const Scene& scene, const LawPlace& place) {
  switch (kind) {
    case LawKind::hertz_mindlin: return make_hertz_mindlin<R>(scene, place);
    case LawKind::cundall_strack: return make_cundall_strack<R>(scene, place);
    case LawKind::hertz_mindlin_rescaled: return make_hertz_mindlin_rescaled<R>(scene, place);
    case LawKind::hertz_mindlin_dmt: return make_hertz_mindlin_dmt<R>(scene, place);
    case LawKind::mindlin_reversal: return make_mindlin_reversal<R>(scene, place);
    case LawKind::jkr: return make_jkr<R>(scene, place);
    case LawKind::linear_spring_dashpot: return make_linear_spring_dashpot<R>(scene, place);
    case LawKind::bonded: return make_bonded<R>(scene, place);
    case LawKind::jaeger: return make_jaeger<R>(scene, place);
  }
  throw ContractError("an unknown contact law");
}

/// Whether its normal force goes with the overlap to 3/2, and not in proportion to it.
bool is_hertzian(LawKind kind) {
  return kind != LawKind::cundall_strack && kind != LawKind::linear_spring_dashpot && kind != LawKind::bonded;
}

}  // namespace

template <class R>
RunLaws<R> make_laws(const Scene& scene) {
  const std::size_t n = scene.materials.size();
  std::vector<std::uint32_t> material = scene.particles.material;
  // their particles come later
  for (const SceneInlet& inlet : scene.inlets) { material.push_back(inlet.material); }
  std::vector<bool> of_particles(n), used(n);
  for (const std::uint32_t m : material) { used[m] = of_particles[m] = true; }
  for (const SceneBoundary& boundary : scene.boundaries) { used[boundary.material] = true; }

  // In the order of the pairs that have them: the same in every run of a scene. Rolling resistance makes another law.
  std::vector<std::pair<LawKind, bool>> kinds;
  std::vector<bool> among_particles;
  std::vector<std::uint32_t> law_of(n * n, 0);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      if (!((of_particles[a] && used[b]) || (used[a] && of_particles[b]))) { continue; }
      const std::pair kind{scene.law_of(a, b), scene.pair(a, b).rolling.acts()};
      const auto place = std::find(kinds.begin(), kinds.end(), kind);
      const auto index = static_cast<std::size_t>(place - kinds.begin());
      law_of[a * n + b] = static_cast<std::uint32_t>(index);
      if (place == kinds.end()) {
        kinds.push_back(kind);
        among_particles.push_back(false);
      }
      if (of_particles[a] && of_particles[b]) { among_particles[index] = true; }
    }
  }
  if (kinds.empty()) {
    kinds.emplace_back(scene.law, false);
    among_particles.push_back(true);
  }

  const bool one_material =
      std::all_of(material.begin(), material.end(), [&](std::uint32_t m) { return m == material.front(); });
  const std::uint32_t own = material.empty() ? 0 : material.front();
  RunLaws<R> run;
  for (std::uint32_t k = 0; k < kinds.size(); ++k) {
    run.laws.push_back(make_law<R>(kinds[k].first, scene, {k, one_material, own, kinds[k].second}));
    if (among_particles[k]) { run.among_particles.push_back(run.laws.back().get()); }
    run.history_size = std::max(run.history_size, run.laws.back()->history_size());
    run.own_history_size = std::max(run.own_history_size, run.laws.back()->own_history_size());
    run.couples = run.couples || run.laws.back()->has_couples();
    if (run.laws.back()->holds_apart()) { run.holding |= 1u << k; }
    if (is_hertzian(kinds[k].first)) { run.hertzian |= 1u << k; }
    if (run.laws.back()->makes_bonds()) { run.bonding |= 1u << k; }
    run.stacks = run.stacks || run.laws.back()->has_stack();
  }
  if (kinds.size() > 1) { run.law_of.assign(law_of, "contact law"); }
  return run;
}

template RunLaws<float> make_laws<float>(const Scene&);
template RunLaws<double> make_laws<double>(const Scene&);

}  // namespace scree::inline SCREE_BACKEND
