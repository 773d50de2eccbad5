#pragma once

#include "kernels/backend/portability.hpp"
#include "scree/cell.hpp"

namespace scree::inline SCREE_BACKEND {

/// What a control remembers from step to step; saved in checkpoints.
struct CellControlState {
  std::uint64_t stage = 0;       ///< that runs; the number of stages when all are over
  double stage_began = 0;        ///< [s]
  CellTensor strain_began{};     ///< [-] when the stage began
  CellTensor integral{};         ///< [1/s] of each servo
  CellTensor sign{1, 1, 1, 1, 1, 1};  ///< of rates that reverse
  bool operator==(const CellControlState&) const = default;
};

/// Chooses the velocity gradient of a periodic cell, step by step, from the goals of its stages.
class CellControl {
 public:
  CellControl(const PeriodicCell& cell, double mean_diameter, double density);
};

}  // namespace scree::inline SCREE_BACKEND
