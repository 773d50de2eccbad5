#include "kernels/interactions/hertz_params.hpp"
#include "kernels/interactions/make_run_law.hpp"
#include "kernels/interactions/rolling_moments.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::unique_ptr<RunLaw<R>> make_rolled_hertz_mindlin(const Scene& scene, const LawPlace& place) {
  return make_rolled_law<HertzMindlin<R>, R>(scene, place, hertz_params<R>);
}

template std::unique_ptr<RunLaw<float>> make_rolled_hertz_mindlin<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_rolled_hertz_mindlin<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
