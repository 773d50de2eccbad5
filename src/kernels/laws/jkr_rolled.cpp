#include "kernels/interactions/jkr_params.hpp"
#include "kernels/interactions/make_run_law.hpp"
#include "kernels/interactions/rolling_moments.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::unique_ptr<RunLaw<R>> make_rolled_jkr(const Scene& scene, const LawPlace& place) {
  return make_rolled_law<Jkr<R>, R>(scene, place, jkr_params<R>);
}

template std::unique_ptr<RunLaw<float>> make_rolled_jkr<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_rolled_jkr<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
