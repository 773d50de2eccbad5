#pragma once

#include "kernels/interactions/attraction_params.hpp"
#include "kernels/interactions/make_run_law.hpp"

namespace scree::inline SCREE_BACKEND {

/// Makes a law with liquid bridges; `params_of` gives the parameters of the law for two materials and their pair.
template <class Law, class R, class Form, class ParamsOf>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_wet_law(const Scene& scene, const LawPlace& place, ParamsOf&& params_of) {
  return make_run_law<WithLiquid<Law, R, Form>, R>(scene, place,
                                                   [&](const Material& a, const Material& b, const MaterialPair& pair) {
                                                     return wet<Law, R, Form>(params_of(a, b, pair), pair);
                                                   });
}

}  // namespace scree::inline SCREE_BACKEND
