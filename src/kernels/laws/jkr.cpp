#include "kernels/laws/jkr.hpp"
#include "kernels/interactions/hertz_params.hpp"
#include "kernels/interactions/make_run_law.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::unique_ptr<RunLaw<R>> make_jkr(const Scene& scene, const LawPlace& place) {
  using Law = Jkr<R>;
  return make_run_law<Law, R>(scene, place, [&](const Material& a, const Material& b, const MaterialPair& pair) {
    const HertzParams<R> hertz = hertz_params<R>(a, b, pair);
    const double adhesion = pi * pair.surface_energy;
    return typename Law::Params{hertz.young,
                                hertz.shear,
                                hertz.damping,
                                hertz.damping_shear,
                                hertz.friction,
                                static_cast<R>(adhesion),
                                static_cast<R>(4 * adhesion / effective_moduli(a, b, pair).young)};
  });
}

template std::unique_ptr<RunLaw<float>> make_jkr<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_jkr<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
