#pragma once

#include <memory>

#include "kernels/interactions/run_laws.hpp"

/// Laws with rolling resistance of the types A and B. Each is compiled in a unit of its own; the unit of the plain law
/// chooses among them.
namespace scree::inline SCREE_BACKEND {

template <class R>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_rolled_hertz_mindlin(const Scene& scene, const LawPlace& place);
template <class R>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_rolled_linear(const Scene& scene, const LawPlace& place);
template <class R>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_rolled_jkr(const Scene& scene, const LawPlace& place);
template <class R>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_rolled_eepa(const Scene& scene, const LawPlace& place);

}  // namespace scree::inline SCREE_BACKEND
