#pragma once

#include <variant>

#include "kernels/backend/buffer.hpp"
#include "kernels/laws/cundall_strack.hpp"
#include "kernels/laws/hertz_mindlin.hpp"

namespace scree::inline SCREE_BACKEND {

/// Parameters of one law for every ordered pair of materials, [n_materials^2].
template <class LawType>
struct LawTable {
  using Law = LawType;
  Buffer<typename Law::Params> params;
  typename Law::Params among_particles{};  ///< where all particles are of one material
};

/// The laws a run can have. The choice is visited once per launch, never inside a kernel.
template <class R>
using AnyLaw = std::variant<LawTable<HertzMindlin<R>>, LawTable<CundallStrack<R>>>;

}  // namespace scree::inline SCREE_BACKEND
