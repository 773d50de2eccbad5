#include "kernels/interactions/attraction_params.hpp"
#include "kernels/interactions/attractions.hpp"
#include "kernels/interactions/hertz_params.hpp"
#include "kernels/interactions/make_run_law.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::unique_ptr<RunLaw<R>> make_wet_hertz_mindlin_rabinovich(const Scene& scene, const LawPlace& place) {
  using Law = HertzMindlin<R>;
  using Form = RabinovichBridge<R>;
  return make_run_law<WithLiquid<Law, R, Form>, R>(scene, place,
                                                   [](const Material& a, const Material& b, const MaterialPair& pair) {
                                                     return wet<Law, R, Form>(hertz_params<R>(a, b, pair), pair);
                                                   });
}

template std::unique_ptr<RunLaw<float>> make_wet_hertz_mindlin_rabinovich<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_wet_hertz_mindlin_rabinovich<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
