#pragma once

#include <memory>

#include "kernels/interactions/run_laws.hpp"

/// Laws with cohesion or with liquid beside them. Each is compiled in a unit of its own; the unit of the plain law
/// chooses among them.
namespace scree::inline SCREE_BACKEND {

template <class R>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_cohesive_hertz_mindlin(const Scene& scene, const LawPlace& place);
template <class R>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_wet_hertz_mindlin(const Scene& scene, const LawPlace& place);
template <class R>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_wet_hertz_mindlin_rabinovich(const Scene& scene, const LawPlace& place);
template <class R>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_wet_linear_rabinovich(const Scene& scene, const LawPlace& place);
template <class R>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_cohesive_linear(const Scene& scene, const LawPlace& place);
template <class R>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_wet_linear(const Scene& scene, const LawPlace& place);

}  // namespace scree::inline SCREE_BACKEND
