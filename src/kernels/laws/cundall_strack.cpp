#include "kernels/laws/cundall_strack.hpp"
#include "kernels/interactions/make_run_law.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::unique_ptr<RunLaw<R>> make_cundall_strack(const Scene& scene, const LawPlace& place) {
  using Law = CundallStrack<R>;
  // Given stiffnesses use the general form of this law, so that the usual form needs no parameters for them.
  for (const MaterialPair& pair : scene.pairs) {
    if (pair.law.value_or(scene.law) == place.kind && !pair.springs.from_moduli) {
      return make_linear_spring_dashpot<R>(scene, place);
    }
  }
  const auto real = [](double value) { return static_cast<R>(value); };
  return make_run_law<Law, R>(scene, place, [&](const Material& a, const Material& b, const MaterialPair& pair) {
    return typename Law::Params{real(a.young_modulus), real(b.young_modulus), real(a.poisson_ratio),
                                real(b.poisson_ratio), real(pair.friction)};
  });
}

template std::unique_ptr<RunLaw<float>> make_cundall_strack<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_cundall_strack<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
