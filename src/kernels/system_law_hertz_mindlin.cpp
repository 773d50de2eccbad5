#include <cmath>

#include "kernels/laws/hertz_mindlin.hpp"
#include "kernels/system_laws.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::unique_ptr<RunLaw<R>> make_hertz_mindlin(const Scene& scene, const LawPlace& place) {
  using Law = HertzMindlin<R>;
  const auto real = [](double value) { return static_cast<R>(value); };
  return make_run_law<Law, R>(scene, place, [&](const Material& a, const Material& b, const MaterialPair& pair) {
    const auto shear_modulus = [](const Material& m) { return m.young_modulus / (2 * (1 + m.poisson_ratio)); };
    const double young = 1 / ((1 - a.poisson_ratio * a.poisson_ratio) / a.young_modulus +
                              (1 - b.poisson_ratio * b.poisson_ratio) / b.young_modulus);
    const double shear = 1 / ((2 - a.poisson_ratio) / shear_modulus(a) + (2 - b.poisson_ratio) / shear_modulus(b));
    const double damping = 2 * pair.damping_ratio;
    return typename Law::Params{real(young), real(8 * shear), real(damping), real(damping * std::sqrt(4 * shear / young)),
                                real(pair.friction)};
  });
}

template std::unique_ptr<RunLaw<float>> make_hertz_mindlin<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_hertz_mindlin<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
