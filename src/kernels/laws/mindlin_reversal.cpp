#include "kernels/laws/mindlin_reversal.hpp"
#include "kernels/interactions/hertz_params.hpp"
#include "kernels/interactions/make_run_law.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::unique_ptr<RunLaw<R>> make_mindlin_reversal(const Scene& scene, const LawPlace& place) {
  using Law = MindlinReversal<R>;
  return make_run_law<Law, R>(scene, place, hertz_params<R>);
}

template std::unique_ptr<RunLaw<float>> make_mindlin_reversal<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_mindlin_reversal<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
