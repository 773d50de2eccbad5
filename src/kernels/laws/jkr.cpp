#include "kernels/laws/jkr.hpp"
#include "kernels/interactions/jkr_params.hpp"
#include "kernels/interactions/make_run_law.hpp"
#include "kernels/interactions/rolling_moments.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::unique_ptr<RunLaw<R>> make_jkr(const Scene& scene, const LawPlace& place) {
  if (place.rolling_moment) { return make_rolled_jkr<R>(scene, place); }
  return make_run_law<Jkr<R>, R>(scene, place, jkr_params<R>);
}

template std::unique_ptr<RunLaw<float>> make_jkr<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_jkr<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
