#include "kernels/laws/bonded.hpp"
#include "kernels/interactions/make_run_law.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::unique_ptr<RunLaw<R>> make_bonded(const Scene& scene, const LawPlace& place) {
  using Law = Bonded<R>;
  const auto real = [](double value) { return static_cast<R>(value); };
  return make_run_law<Law, R>(scene, place, [&](const Material& a, const Material& b, const MaterialPair& pair) {
    const double young = 0.5 * (a.young_modulus + b.young_modulus);
    const double shear = 0.5 * (a.poisson_ratio * a.young_modulus + b.poisson_ratio * b.young_modulus);
    const Bond& bond = pair.bond;
    return typename Law::Params{real(young),
                                real(shear),
                                real(bond.tensile_strength),
                                real(bond.cohesion),
                                real(pair.friction),
                                real(bond.interaction_range),
                                bond.strain == NormalStrain::logarithmic ? R(1) : R(0)};
  });
}

template std::unique_ptr<RunLaw<float>> make_bonded<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_bonded<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
