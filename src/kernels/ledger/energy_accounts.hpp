#pragma once

#include <vector>

#include "kernels/contact/clump_ledger.hpp"
#include "kernels/contact/ledger.hpp"
#include "scree/engine.hpp"

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;
template <class R>
struct RunState;

/// The energy ledger of a run that asks for one; empty otherwise.
template <class R>
class EnergyAccounts {
 public:
  explicit EnergyAccounts(const RunState<R>& run);

  [[nodiscard]] bool on() const { return on_; }
  /// The energy of the start is not known yet.
  [[nodiscard]] bool begins() const { return on_ && !started_; }
  /// A step has been made whose second halves of work are still to come.
  [[nodiscard]] bool is_open() const { return open_; }

  /// Before a step: adds the second halves of the last one, and keeps what the step will change.
  void open(RunState<R>& run);
  /// After a step: its first halves.
  void close(RunState<R>& run);
  /// Between two batches: adds the second halves of the last step, unless that was done. Before anything else changes
  /// the bodies.
  void settle(RunState<R>& run);
  /// After a batch: what it had of its last step. Plans of the next begin with this.
  void note_made(const LedgerMoment& step) { made_ = step; }
  [[nodiscard]] const LedgerMoment& made() const { return made_; }
  /// After the first step.
  void note_start(RunState<R>& run);
  /// What bodies and clumps that came later bring with them: those from these places on.
  void note_inserted(RunState<R>& run, std::size_t first, std::size_t first_clump);
  /// [n_clumps] for the motion of a step to fill; empty without a ledger.
  [[nodiscard]] Span<ClumpStep> clump_steps(std::size_t n_clumps);

  /// Throws ContractError in a run without a ledger.
  [[nodiscard]] EnergyLedger energies(RunState<R>& run);
  [[nodiscard]] std::uint64_t bytes() const;
  void save(RunState<R>& run, StateWriter& out);
  void restore(const RunState<R>& run, StateReader& in);

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  void add_half(RunState<R>& run, bool after);
  void add_kinetic_energies(RunState<R>& run, std::size_t first, std::size_t first_clump, ExactSum& translation,
                            ExactSum& rotation) const;
  [[nodiscard]] LedgerBodies<R> bodies(RunState<R>& run);
  [[nodiscard]] LedgerSums sums() const;

  bool on_ = false;
  bool open_ = false;     ///< the second halves of the work of the last step are still to come
  LedgerMoment made_{};   ///< the last step
  bool started_ = false;  ///< the energy of the start is known
  double start_ = 0;      ///< [J] energy of the start
  bool damped_ = false;   ///< some body is damped
  Buffer<Vec3<R>> velocity_before_, spin_before_;
  Buffer<R> inverse_mass_before_;
  Buffer<KineticEnergy> kinetic_;
  Buffer<ClumpStep> clump_steps_;  ///< [n_clumps] of the last step
  Buffer<KineticEnergy> clump_kinetic_;
  Buffer<Pose> pose_;  ///< [n_boundaries] at the last step
  Buffer<LedgerSums> lanes_;
  EnergyLedger saved_;  ///< at saved_step_, for when the sums have gone on
  std::uint64_t saved_step_ = ~std::uint64_t(0);
};

}  // namespace scree::inline SCREE_BACKEND
