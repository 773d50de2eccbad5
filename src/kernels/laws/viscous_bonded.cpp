#include "kernels/laws/viscous_bonded.hpp"
#include "kernels/interactions/make_run_law.hpp"
#include "kernels/interactions/viscous_bonds.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::unique_ptr<RunLaw<R>> make_viscous_bonded(const Scene& scene, const LawPlace& place) {
  using Law = ViscousBonded<R>;
  return make_run_law<Law, R>(scene, place, [](const Material& a, const Material& b, const MaterialPair& pair) {
    // The memory reaches a little farther than bonds are made, so that rounding restores no bond.
    const double memory = pair.bond.form == BondForm::near ? (1 + 1e-5) * pair.bond.interaction_range - 1 : 0;
    return typename Law::Params{bonded_params<R>(a, b, pair), static_cast<R>(2 * pair.bond.damping),
                                static_cast<R>(memory)};
  });
}

template std::unique_ptr<RunLaw<float>> make_viscous_bonded<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_viscous_bonded<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
