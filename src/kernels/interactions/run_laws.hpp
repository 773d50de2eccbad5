#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/interactions/run_law_of.hpp"
#include "kernels/interactions/run_node_law_of.hpp"
#include "kernels/interactions/touch_table.hpp"
#include "kernels/laws/energies.hpp"
#include "kernels/laws/with_rolling.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

/// The laws of a run, and which ordered pair of classes of touch has which.
template <class R>
struct RunLaws {
  std::vector<std::unique_ptr<RunLaw<R>>> laws;
  std::vector<RunLaw<R>*> among_particles;  ///< those that pairs of particles can have
  TouchTable table;                         ///< which pair of classes has which
  InteractionBits bits;                     ///< of these laws
  std::uint32_t history_size = 0;           ///< largest of all laws
  std::uint32_t own_history_size = 0;       ///< the same without the energy ledger
  bool couples = false;
  bool stacks = false;  ///< some law has histories of any length
  bool nodes = false;   ///< there are level-set grains

  /// The law of an ordered pair of classes.
  [[nodiscard]] const RunLaw<R>& of(std::size_t pair) const { return *laws[table.interaction_of(pair)]; }
  [[nodiscard]] const RunLaw<R>& of(std::size_t first, std::size_t second) const {
    return of(table.pair(first, second));
  }
  [[nodiscard]] TouchClasses touch_classes() { return table.view(bits); }
  [[nodiscard]] RowShape row_shape() const { return {history_size, own_history_size, couples, stacks, nodes}; }
  /// The boundary contacts of a step, each by the law of its classes.
  void touch_boundaries(Exec& exec, std::size_t n_rows, const BoundaryContactViews<R>& views,
                        const StepMoments<R>& moments) const {
    for (const auto& law : laws) { law->boundary_contacts(exec, n_rows, views, moments); }
  }
};

/// The contacts of all listed pairs in a step, as items of Exec::for_items_then_each.
template <class R>
struct PairItems {
  const RunLaws<R>& laws;
  PairViews<R> views;
  StepMoments<R> moments;

#if SCREE_ON_CUDA
  void launch(Exec& exec, std::size_t n) const {
    for (RunLaw<R>* law : laws.among_particles) { law->pair_contacts(exec, n, views, moments); }
  }
#else
  [[nodiscard]] PairItems bound() const { return {laws, views.at(moments.now().contacts), moments}; }
  void run(std::size_t begin, std::size_t end) const {
    for (RunLaw<R>* law : laws.among_particles) { law->pair_contacts(begin, end, views); }
  }
#endif
};

/// The place of a law in a run.
struct LawPlace {
  LawKind kind;
  std::uint32_t index;  ///< among the laws of the run
  bool one_material;    ///< all particles are of one material: `own`
  std::uint32_t own;
  bool rolling;   ///< with rolling and twisting resistance
  bool nodes;     ///< at the nodes of level-set grains
  bool is_first;  ///< the first of the run with its geometries
};

// make_NAME(scene, place) for every law; laws/NAME.cpp defines it.
#define SCREE_LAW(name, ...) \
  template <class R>         \
  [[nodiscard]] std::unique_ptr<RunLaw<R>> make_##name(const Scene& scene, const LawPlace& place);
#include "scree/laws.def"

/// A law at the nodes of level-set grains.
template <class Law, class R>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_at_nodes(const Scene& scene,
                                                       const std::vector<typename Law::Params>& params,
                                                       const LawPlace& place) {
  if (scene.energies) {
    throw CaseError("output.series.energies", "there is no energy ledger for level-set grains yet");
  }
  if constexpr (acts_at_nodes<Law>) {
    return std::make_unique<RunNodeLawOf<Law, R>>(params, place.index, place.is_first);
  } else {
    throw CaseError("contact", "this contact law cannot act at the nodes of level-set grains");
  }
}

/// A law as it is, or with the energy ledger where the scene asks for it.
template <class Law, class R>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_with_ledger(const Scene& scene,
                                                          const std::vector<typename Law::Params>& params,
                                                          const LawPlace& place, bool one_material) {
  const std::size_t n = TouchTable::classes_in(scene);
  if (place.nodes) { return make_at_nodes<Law, R>(scene, params, place); }
  if (!scene.energies) {
    return std::make_unique<RunLawOf<Law, R>>(params, place.index, n, one_material, place.own, place.is_first);
  }
  if constexpr (StatesEnergies<Law, R>) {
    return std::make_unique<RunLawOf<WithLedger<Law, R>, R>>(params, place.index, n, one_material, place.own,
                                                             place.is_first);
  } else {
    throw CaseError("output.series.energies", "a contact law of this case does not state its energies");
  }
}

/// Makes a law whose parameters follow from two materials and what is known of their pair.
template <class Law, class R, class ParamsOf>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_run_law(const Scene& scene, const LawPlace& place, ParamsOf&& params_of) {
  const std::size_t n = scene.materials.size();
  std::vector<typename Law::Params> all;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      all.push_back(params_of(scene.materials[a], scene.materials[b], scene.pair(a, b)));
    }
  }
  if (!place.rolling) { return make_with_ledger<Law, R>(scene, all, place, place.one_material); }
  if constexpr (tells_shear_stiffness<Law, R>) {
    using Rolling = WithRolling<Law, R>;
    const auto real = [](double value) { return static_cast<R>(value); };
    std::vector<typename Rolling::Params> with;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const RollingResistance& rolling = scene.pairs[k].rolling;
      with.push_back({all[k], real(rolling.stiffness), real(rolling.twisting_stiffness), real(rolling.friction),
                      real(rolling.twisting_friction), real(2 * rolling.damping)});
    }
    return make_with_ledger<Rolling, R>(scene, with, place, false);  // one kernel less per law
  } else {
    throw ContractError("this contact law takes no rolling resistance");
  }
}

/// The laws that pairs of materials of this scene have.
template <class R>
[[nodiscard]] RunLaws<R> make_laws(const Scene& scene);

}  // namespace scree::inline SCREE_BACKEND
