#include "kernels/interactions/hertz_params.hpp"
#include "kernels/interactions/make_run_law.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::unique_ptr<RunLaw<R>> make_hertz_mindlin_dmt(const Scene& scene, const LawPlace& place) {
  using Law = HertzMindlinDmt<R>;
  return make_run_law<Law, R>(scene, place, [&](const Material& a, const Material& b, const MaterialPair& pair) {
    return typename Law::Params{hertz_params<R>(a, b, pair), static_cast<R>(4 * pi * pair.surface_energy)};
  });
}

template std::unique_ptr<RunLaw<float>> make_hertz_mindlin_dmt<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_hertz_mindlin_dmt<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
