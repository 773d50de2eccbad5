#pragma once

#include <memory>
#include <vector>

#include "kernels/interactions/run_law_of.hpp"
#include "kernels/interactions/run_laws.hpp"
#include "kernels/interactions/run_node_law_of.hpp"
#include "kernels/laws/energies.hpp"
#include "kernels/laws/with_rolling.hpp"
#include "kernels/laws/with_rolling_moment.hpp"
#include "scree/errors.hpp"

/// Joins laws with geometries. Only the units of the laws include this header, since all kernels of a law are compiled
/// where it is used.
namespace scree::inline SCREE_BACKEND {

inline constexpr const char* no_energies = "a contact law of this case does not state its energies";

/// Makes the law that acts at the nodes of level-set grains.
template <class Law, class R>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_at_nodes(const Scene& scene,
                                                       const std::vector<typename Law::Params>& params,
                                                       const LawPlace& place) {
  if constexpr (!acts_at_nodes<Law>) {
    throw CaseError("contact", "this contact law cannot act at the nodes of level-set grains");
  } else {
    if (!scene.energies) { return std::make_unique<RunNodeLawOf<Law, R>>(params, place.index, place.is_first); }
    if constexpr (StatesEnergies<Law, R>) {
      return std::make_unique<RunNodeLawOf<WithLedger<Law, R>, R>>(params, place.index, place.is_first);
    } else {
      throw CaseError("output.series.energies", no_energies);
    }
  }
}

/// Makes the plain law, or the law with the energy ledger if the scene has one.
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
    throw CaseError("output.series.energies", no_energies);
  }
}

/// Makes a law with rolling resistance of type A or B, as make_run_law() makes one.
template <class Law, class R, class ParamsOf>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_rolled_law(const Scene& scene, const LawPlace& place,
                                                         ParamsOf&& params_of) {
  using Rolling = WithRollingMoment<Law, R>;
  const std::size_t n = scene.materials.size();
  std::vector<typename Rolling::Params> with;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      const MaterialPair& pair = scene.pair(a, b);
      const RollingResistance& rolling = pair.rolling;
      const bool viscous = rolling.type == RollingType::viscous;
      with.push_back({params_of(scene.materials[a], scene.materials[b], pair),
                      static_cast<R>(viscous ? 0 : rolling.friction), static_cast<R>(viscous ? rolling.viscosity : 0)});
    }
  }
  return make_with_ledger<Rolling, R>(scene, with, place, false);
}

/// Makes a law whose parameters follow from two materials and the values of their pair.
template <class Law, class R, class ParamsOf>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_run_law(const Scene& scene, const LawPlace& place, ParamsOf&& params_of) {
  if (place.rolling_moment) { throw ContractError("this contact law takes no rolling resistance of type A or B"); }
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

}  // namespace scree::inline SCREE_BACKEND
