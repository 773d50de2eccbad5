#include "kernels/interactions/hertz_params.hpp"
#include "kernels/interactions/make_run_law.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::unique_ptr<RunLaw<R>> make_hertz_mindlin_rescaled(const Scene& scene, const LawPlace& place) {
  using Law = HertzMindlinRescaled<R>;
  return make_run_law<Law, R>(scene, place, hertz_params<R>);
}

template std::unique_ptr<RunLaw<float>> make_hertz_mindlin_rescaled<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_hertz_mindlin_rescaled<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
