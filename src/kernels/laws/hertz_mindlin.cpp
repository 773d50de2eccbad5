#include "kernels/interactions/attractions.hpp"
#include "kernels/interactions/hertz_params.hpp"
#include "kernels/interactions/make_run_law.hpp"
#include "kernels/interactions/rolling_moments.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::unique_ptr<RunLaw<R>> make_hertz_mindlin(const Scene& scene, const LawPlace& place) {
  using Law = HertzMindlin<R>;
  if (place.attraction == Attraction::cohesion) { return make_cohesive_hertz_mindlin<R>(scene, place); }
  if (place.attraction == Attraction::liquid) { return make_wet_hertz_mindlin<R>(scene, place); }
  if (place.attraction == Attraction::liquid_rabinovich) { return make_wet_hertz_mindlin_rabinovich<R>(scene, place); }
  if (place.rolling_moment) { return make_rolled_hertz_mindlin<R>(scene, place); }
  return make_run_law<Law, R>(scene, place, hertz_params<R>);
}

template std::unique_ptr<RunLaw<float>> make_hertz_mindlin<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_hertz_mindlin<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
