#include "kernels/interactions/linear_params.hpp"
#include "kernels/interactions/make_run_law.hpp"
#include "kernels/interactions/rolling_moments.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::unique_ptr<RunLaw<R>> make_rolled_linear(const Scene& scene, const LawPlace& place) {
  return make_rolled_law<LinearSpringDashpot<R>, R>(scene, place, linear_params<R>);
}

template std::unique_ptr<RunLaw<float>> make_rolled_linear<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_rolled_linear<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
