#include "kernels/interactions/attractions.hpp"
#include "kernels/interactions/linear_params.hpp"
#include "kernels/interactions/make_wet_law.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::unique_ptr<RunLaw<R>> make_wet_linear(const Scene& scene, const LawPlace& place) {
  return make_wet_law<LinearSpringDashpot<R>, R, WillettBridge<R>>(scene, place, linear_params<R>);
}

template std::unique_ptr<RunLaw<float>> make_wet_linear<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_wet_linear<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
