#include "kernels/laws/bonded.hpp"
#include "kernels/interactions/make_run_law.hpp"
#include "kernels/interactions/viscous_bonds.hpp"
#include "kernels/laws/bonded_nodes.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// The law at the nodes of level-set grains.
template <class R>
std::unique_ptr<RunLaw<R>> make_bonded_nodes(const Scene& scene, const LawPlace& place) {
  using Law = BondedNodes<R>;
  const auto real = [](double value) { return static_cast<R>(value); };
  std::vector<typename Law::Params> all;
  for (const Material& a : scene.materials) {
    for (const Material& b : scene.materials) {
      const MaterialPair& pair = scene.pairs.at(all.size());
      const Bond& bond = pair.bond;
      const double young = bond.normal_stiffness ? 0 : 0.5 * (a.young_modulus + b.young_modulus);
      const double ratio = 0.5 * (a.poisson_ratio + b.poisson_ratio);
      all.push_back({.young = real(young),
                     .shear_modulus = real(bond.shear_stiffness ? 0 : ratio * young),
                     .stiffness = real(bond.normal_stiffness.value_or(0)),
                     .shear_stiffness = real(bond.shear_stiffness.value_or(ratio * bond.normal_stiffness.value_or(0))),
                     .damping = real(2 * bond.damping),
                     .tensile_strength = real(bond.tensile_strength),
                     .cohesion = real(bond.cohesion),
                     .friction = real(pair.friction),
                     .gap = real(bond.gap.value_or(0))});
    }
  }
  return make_at_nodes<Law, R>(scene, all, place);
}

}  // namespace

template <class R>
std::unique_ptr<RunLaw<R>> make_bonded(const Scene& scene, const LawPlace& place) {
  if (place.nodes) { return make_bonded_nodes<R>(scene, place); }
  if (needs_viscous_bonds(scene)) { return make_viscous_bonded<R>(scene, place); }
  return make_run_law<Bonded<R>, R>(scene, place, bonded_params<R>);
}

template std::unique_ptr<RunLaw<float>> make_bonded<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_bonded<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
