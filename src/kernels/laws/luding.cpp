#include "kernels/interactions/linear_params.hpp"
#include "kernels/interactions/make_run_law.hpp"
#include "kernels/interactions/plastic_params.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::unique_ptr<RunLaw<R>> make_luding(const Scene& scene, const LawPlace& place) {
  using Law = Luding<R>;
  return make_run_law<Law, R>(scene, place, [](const Material& a, const Material& b, const MaterialPair& pair) {
    return plastic_params<Law, R>(linear_params<R>(a, b, pair), pair);
  });
}

template std::unique_ptr<RunLaw<float>> make_luding<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_luding<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
