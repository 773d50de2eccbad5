#pragma once

#include <vector>

#include "kernels/ledger/ledger_steps.hpp"
#include "kernels/state/boundaries.hpp"
#include "kernels/step/ledger/ledger_contacts.hpp"
#include "scree/engine.hpp"

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;
template <class R>
struct RunState;

/// The energy ledger of a run. It is empty if the case does not ask for a ledger. For the halves of the work of a step
/// see step/ledger/ledger.hpp.
template <class R>
class EnergyAccounts {
 public:
  explicit EnergyAccounts(const RunState<R>& run);

  /// Whether the run keeps a ledger.
  [[nodiscard]] bool on() const { return on_; }
  /// Whether the energy at the start is still unknown.
  [[nodiscard]] bool begins() const { return on_ && !started_; }
  /// Whether the second halves of the last step are still missing.
  [[nodiscard]] bool is_open() const { return open_; }

  /// Adds the second halves of the step before for bodies. To be called before the contacts of a step, which add their
  /// own second halves. If steps are launched in batches, as on a GPU, this also stores the values that the step will
  /// change; otherwise the sweep does so.
  void open(RunState<R>& run);
  /// [n_bodies] The velocities before the motion of a step, after it; empty without a ledger.
  [[nodiscard]] Span<BodySpeed<R>> speeds_before() { return before_.view(); }
  /// Adds the first halves of the step for bodies. To be called after its motion.
  void close(RunState<R>& run);
  /// Adds the second halves of the last step if they are missing and the next step cannot add them, because a search
  /// changes the bodies before it. To be called between two batches, before the search.
  void settle_for_step(RunState<R>& run);
  /// The same before a caller changes the run. The energies of the last step can still be read.
  void settle_for_change(RunState<R>& run);
  /// Records the times and gradients of the last step of a batch. Its second halves are missing now.
  void note_made(const LedgerMoment& step) { made_ = step, open_ = true; }
  /// The last step, if its second halves are missing. The next plan begins with it.
  [[nodiscard]] LedgerMoment made() const { return open_ ? made_ : LedgerMoment{}; }
  /// Finds out whether any body is damped. To be called after a change of the damping of a run.
  void note_damping(const RunState<R>& run);
  /// The part of the ledger to which the boundary contacts of a step add.
  [[nodiscard]] ContactLedger<R> of_boundaries(RunState<R>& run);
  /// Records the energy at the start. To be called after the first step.
  void note_start(RunState<R>& run);
  /// Counts the kinetic energy of inserted bodies and clumps: those from `first` and from `first_clump` on.
  void note_inserted(RunState<R>& run, std::size_t first, std::size_t first_clump);
  /// Counts the energies of single bodies that are about to be removed between two steps: those of their present
  /// velocities, and those of the springs of their contacts at the moment of the last forces.
  void note_removed(RunState<R>& run, const std::vector<index_t>& places);
  /// The kinetic energy of all bodies and clumps by their present velocities; zero without a ledger.
  [[nodiscard]] KineticEnergy of_bodies(RunState<R>& run) const;
  /// Adds the energy change by velocities that were imposed on groups to the work of the groups. `before` is
  /// of_bodies() before the change.
  void note_imposed(RunState<R>& run, const KineticEnergy& before);
  /// The records that a step fills; empty without a ledger.
  [[nodiscard]] LedgerSteps<R> steps(RunState<R>& run);

  /// The energies at the moment of the last contact forces. Throws ContractError in a run without a ledger, and between
  /// a search out of turn and the next step.
  [[nodiscard]] EnergyLedger energies(RunState<R>& run);
  [[nodiscard]] std::uint64_t bytes() const;
  void save(RunState<R>& run, StateWriter& out);
  void restore(const RunState<R>& run, StateReader& in);

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  void add_half(RunState<R>& run, bool after);
  void add_half_of_bodies(RunState<R>& run, bool after);
  void add_half_of_clumps(RunState<R>& run, bool after);
  void add_half_of_modes(RunState<R>& run, bool after);
  [[nodiscard]] LedgerBefore<R> before(RunState<R>& run);
  void settle(RunState<R>& run);
  void settle_pairs(RunState<R>& run);
  void settle_boundaries(RunState<R>& run);
  void add_present_energies(RunState<R>& run, std::size_t first, std::size_t first_clump, EnergyLedger& sums) const;
  void sum_states(RunState<R>& run);
  template <class Lane>
  void merge(RunState<R>& run, Buffer<Lane>& lanes, Span<ExactSum> merged);
  [[nodiscard]] LedgerBodies<R> bodies(RunState<R>& run);
  [[nodiscard]] static Span<Pose> pose_of_forces(RunState<R>& run);
  [[nodiscard]] bool only_falls(const RunState<R>& run) const;

  bool on_ = false;
  bool open_ = false;            ///< see is_open()
  LedgerMoment made_{};          ///< of the last step that was made
  bool started_ = false;         ///< whether start_ is known
  double start_ = 0;             ///< [J] energy of the start
  bool damped_ = false;          ///< whether any body is damped
  Buffer<BodySpeed<R>> before_;  ///< see LedgerBodies
  /// [n_bodies] of contacts in the last step, as its motion has gathered them; empty where the ledger gathers them
  /// again
  Buffer<MemberWrench<R>> wrenches_;
  Buffer<ClumpStep> clump_steps_;  ///< [n_clumps] of the last step
  Buffer<KineticEnergy> clump_kinetic_;
  Buffer<ModeStep> mode_steps_;       ///< [n_clumps * stride] of the last step
  Buffer<ModeEnergy> mode_energies_;  ///< [n_clumps]
  Buffer<LedgerLane> lanes_;
  Buffer<StateLane> state_lanes_;  ///< used while the energies are read
  Buffer<ExactSum> merged_;        ///< likewise: terms, then states
  Buffer<double> rounded_;         ///< likewise
  EnergyLedger saved_;             ///< energies at saved_step_, after which the second halves were added to the sums
  std::uint64_t saved_step_ = ~std::uint64_t(0);
};

}  // namespace scree::inline SCREE_BACKEND
