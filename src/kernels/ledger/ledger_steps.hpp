#pragma once

#include "kernels/step/modes/mode_ledger.hpp"
#include "kernels/step/motion/ledger_fall.hpp"

namespace scree::inline SCREE_BACKEND {

/// The records of a step for the ledger: see LedgerBefore, ClumpStep, ModeStep, ModeEnergy and ContactLedger.
template <class R>
struct LedgerSteps {
  Span<LedgerLane> lanes{};          ///< empty: no ledger
  LedgerBefore<R> before{};          ///< for the sweep; see EnergyAccounts::open()
  Span<MemberWrench<R>> wrenches{};  ///< see EnergyAccounts::steps()
  Span<ClumpStep> clumps{};
  Span<ModeStep> modes{};
  Span<ModeEnergy> mode_energies{};
};

}  // namespace scree::inline SCREE_BACKEND
