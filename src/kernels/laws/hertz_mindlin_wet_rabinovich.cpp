#include "kernels/interactions/attractions.hpp"
#include "kernels/interactions/hertz_params.hpp"
#include "kernels/interactions/make_wet_law.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::unique_ptr<RunLaw<R>> make_wet_hertz_mindlin_rabinovich(const Scene& scene, const LawPlace& place) {
  return make_wet_law<HertzMindlin<R>, R, RabinovichBridge<R>>(scene, place, hertz_params<R>);
}

template std::unique_ptr<RunLaw<float>> make_wet_hertz_mindlin_rabinovich<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_wet_hertz_mindlin_rabinovich<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
