#include <algorithm>

#include "kernels/interactions/hertz_params.hpp"
#include "kernels/interactions/make_run_law.hpp"
#include "kernels/laws/jaeger.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

template <class R, bool merges>
std::unique_ptr<RunLaw<R>> make(const Scene& scene, const LawPlace& place) {
  using Law = Jaeger<R, merges>;
  return make_run_law<Law, R>(scene, place, [&](const Material& a, const Material& b, const MaterialPair& pair) {
    const HertzParams<R> hertz = hertz_params<R>(a, b, pair);
    const auto [young, shear] = effective_moduli(a, b, pair);
    const double kappa = young / (4 * shear);
    return typename Law::Params{
        hertz, static_cast<R>(1 / (kappa * std::max(pair.friction, 1e-30))), static_cast<R>(pair.jaeger.merging),
        static_cast<R>(pair.jaeger.most_segments.value_or(0)), pair.jaeger.exact_sliding ? R(1) : R(0)};
  });
}

}  // namespace

template <class R>
std::unique_ptr<RunLaw<R>> make_jaeger(const Scene& scene, const LawPlace& place) {
  const bool merges = std::any_of(scene.pairs.begin(), scene.pairs.end(),
                                  [](const MaterialPair& pair) { return pair.jaeger.merging > 0; });
  return merges ? make<R, true>(scene, place) : make<R, false>(scene, place);
}

template std::unique_ptr<RunLaw<float>> make_jaeger<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_jaeger<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
