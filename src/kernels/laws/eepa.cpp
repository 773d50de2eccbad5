#include "kernels/interactions/hertz_params.hpp"
#include "kernels/interactions/make_run_law.hpp"
#include "kernels/interactions/plastic_params.hpp"
#include "kernels/interactions/rolling_moments.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::unique_ptr<RunLaw<R>> make_eepa(const Scene& scene, const LawPlace& place) {
  using Law = Eepa<R>;
  if (place.rolling_moment) { return make_rolled_eepa<R>(scene, place); }
  return make_run_law<Law, R>(scene, place, [](const Material& a, const Material& b, const MaterialPair& pair) {
    return plastic_params<Law, R>(hertz_params<R>(a, b, pair), pair);
  });
}

template std::unique_ptr<RunLaw<float>> make_eepa<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_eepa<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
