#pragma once

#include <atomic>
#include <limits>
#include <optional>
#include <vector>

#include "kernels/archive/archive.hpp"
#include "kernels/backend/step_graph.hpp"
#include "kernels/bodies/insertion.hpp"
#include "kernels/bodies/removal.hpp"
#include "kernels/boundaries/moving_boundaries.hpp"
#include "kernels/ledger/energy_accounts.hpp"
#include "kernels/motion/step_limits.hpp"
#include "kernels/neighbours/neighbour_search.hpp"
#include "kernels/readout/readout.hpp"
#include "kernels/run_state.hpp"
#include "kernels/steering/steering.hpp"
#include "scree/engine.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

/// The running system: the state of a run, the parts that change it, and the order in which they do so in a step.
/// readout/ has the functions that read the state; each of them copies the needed data from the backend.
template <class R>
class System {
 public:
  System(const Scene& scene, int threads) : run_(scene, threads), energies_(run_) {}

  /// Runs up to `steps` steps; fewer when `stop` becomes true, at `until` [s], or when the control of a cell ends the
  /// run. Throws KernelFault.
  std::uint64_t advance(std::uint64_t steps, const std::atomic<bool>* stop,
                        double until = std::numeric_limits<double>::infinity());
  /// Appends particles; the next step makes new lists.
  void insert(const ParticleSet& particles);
  /// Takes spheres out of the run.
  void remove(const std::vector<std::uint32_t>& ids, std::uint32_t outlet);
  /// Makes new lists out of turn. Forces are then unknown until the next step.
  [[nodiscard]] SearchReport search_neighbours();
  // Changes that a caller may make between two steps; see Engine.
  [[nodiscard]] BodyColumns columns() { return body_columns(run_); }
  void begin_edit() { edit_.begin(with_new_speeds()); }
  void end_edit() { edit_.end(run_); }
  void set_bodies(const BodyChange& change) { scree::SCREE_BACKEND::set_bodies(with_new_speeds(), change); }
  void set_clumps(const ClumpChange& change) { scree::SCREE_BACKEND::set_clumps(with_new_speeds(), change); }
  void set_gravity(const Real3& gravity) { scree::SCREE_BACKEND::set_gravity(steered(), gravity); }
  void set_group(std::size_t index, const GroupChange& change, bool is_made) {
    const bool imposes = change.moves() && !is_made;
    RunState<R>& run = change.moves() ? with_new_speeds() : steered();
    const KineticEnergy before = imposes ? energies_.of_bodies(run) : KineticEnergy{};
    scree::SCREE_BACKEND::set_group(run, index, change, is_made);
    energies_.note_damping(run);
    if (imposes) { energies_.note_imposed(run, before); }
  }
  void join_group(std::size_t index, const std::vector<std::uint32_t>& ids) {
    RunState<R>& run = with_new_speeds();
    const KineticEnergy before = energies_.of_bodies(run);
    scree::SCREE_BACKEND::join_group(run, index, ids);
    energies_.note_imposed(run, before);
  }
  void set_motion(std::size_t index, const std::vector<Motion>& motions, double since) {
    steered().boundary.set_motion(index, motions, since, run_.time());
  }
  void set_surface_motion(std::size_t index, const std::vector<Motion>& motions, double since) {
    steered().boundary.set_surface_motion(index, motions, since, run_.time());
  }
  [[nodiscard]] bool is_present(std::size_t index) const { return run_.boundary.is_present(index); }
  void set_present(std::size_t index, bool present) { scree::SCREE_BACKEND::set_present(steered(), index, present); }
  void set_drive(std::size_t index, const std::optional<Real3>& force, std::optional<double> torque) {
    energies_.settle_for_change(run_);  // lists know nothing of forces
    run_.boundary.set_drive(index, force, torque);
  }
  void lead_drive(std::size_t index, const std::optional<Real3>& velocity) {
    energies_.settle_for_change(run_);
    run_.boundary.lead_drive(index, velocity);
  }
  void set_radial_drive(std::size_t index, double force, std::optional<double> rate) {
    energies_.settle_for_change(run_);
    run_.boundary.set_radial_drive(index, force, rate);
  }
  void set_friction(const std::vector<PairFriction>& changes) {
    scree::SCREE_BACKEND::set_friction(steered(), changes);
  }
  void set_damping(double damping, double viscous) {
    if (run_.fluid.any() && (damping != 0 || viscous != 0)) {
      throw ContractError("a run in a fluid has no other damping");
    }
    scree::SCREE_BACKEND::set_damping(steered(), damping, viscous);
    energies_.note_damping(run_);
  }
  void set_time_step(double fixed, double safety, std::uint64_t since) {
    scree::SCREE_BACKEND::set_time_step(steered(), fixed, safety, since);
  }
  void set_boundary_heat(std::size_t index, std::optional<double> temperature, std::optional<double> heat_flux) {
    scree::SCREE_BACKEND::set_boundary_heat(run_, index, temperature, heat_flux);  // lists know nothing of heat
  }
  void set_membrane_pressure(std::size_t index, const TimeTable& pressure) {
    steered().membranes.set_pressure(index, pressure);
  }
  [[nodiscard]] EngineState save() { return save_run(run_, energies_, limits_); }
  void restore(const EngineState& state) { restore_run(run_, energies_, limits_, search_, state); }

  /// The state of the run, for readouts.
  [[nodiscard]] RunState<R>& run() { return run_; }
  [[nodiscard]] const RunState<R>& run() const { return run_; }
  [[nodiscard]] const ContactWatch& watch() const { return limits_.watch(); }
  [[nodiscard]] CriticalStep critical_step() { return limits_.critical(run_); }
  [[nodiscard]] EnergyLedger energies() { return energies_.energies(run_); }
  [[nodiscard]] std::vector<MemoryItem> memory() const;

 private:
  friend struct SystemProbe;     // tests look inside
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  /// The state of the run for a change: the energies of the last step are settled, and the next step makes new lists.
  [[nodiscard]] RunState<R>& steered() {
    run_.lists.spent = true;
    energies_.settle_for_change(run_);
    return run_;
  }
  /// The same, for a change of the speeds of bodies.
  [[nodiscard]] RunState<R>& with_new_speeds() {
    run_.lists.new_speeds = true;
    return steered();
  }
  void prepare_step();
  /// In the first step of a batch the driver may wait for results and act on them. Later steps are launched ahead.
  enum class InBatch { first, later };
  void step(InBatch place);
  void plan(std::uint64_t most_steps, double until = std::numeric_limits<double>::infinity());
  [[nodiscard]] bool ends();
  void make_steps();
  [[nodiscard]] std::uint64_t batch_length(std::uint64_t steps_left) const;
  [[nodiscard]] std::uint64_t reserve_stacks(std::uint64_t batch);
  [[nodiscard]] bool plan_step(std::uint64_t index, double until);
  void read_control();
  [[noreturn]] void report_fault(std::uint64_t fault);

  RunState<R> run_;
  NeighbourSearch<R> search_;
  StepLimits<R> limits_;
  MovingBoundaries<R> moving_;
  EnergyAccounts<R> energies_;
  BodyEdit<R> edit_;
  StepGraph graph_;  ///< of the steps of a batch
};

extern template class System<float>;
extern template class System<double>;

}  // namespace scree::inline SCREE_BACKEND
