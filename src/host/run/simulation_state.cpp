#include <exception>
#include <string>

#include "host/checkpoint/checkpoint_writer.hpp"
#include "host/output/output_queue.hpp"
#include "host/run/boundary_times.hpp"
#include "host/run/inlets.hpp"
#include "host/run/particle_breakage.hpp"
#include "host/run/run_outputs.hpp"
#include "host/run/servos.hpp"
#include "host/run/stages.hpp"
#include "scree/errors.hpp"
#include "scree/simulation.hpp"

namespace scree {

SimulationState Simulation::state() const {
  SimulationState state;
  if (inlets_) { state.inlets = inlets_->states(); }
  state.stages = stages_->save();
  servos_->save(state.stages);
  if (breakage_) { breakage_->save(state.stages); }
  state.outputs = outputs_->save(engine_.step());
  return state;
}

/// Inlets and breakage are restored before the stages, which change them.
void Simulation::restore(const SimulationState& state) {
  if (inlets_) {
    inlets_->restore(state.inlets);
  } else {
    SCREE_EXPECT(state.inlets.empty(), "a state of an inlet that the case has not");
  }
  if (breakage_) { breakage_->restore(state.stages); }
  stages_->restore(state.stages, engine_);
  servos_->restore(state.stages, engine_);
  static_cast<void>(boundary_times_->look(engine_));  // the run has said so before
  outputs_->restore(state.outputs, engine_);
}

std::string Simulation::write_checkpoint() {
  SCREE_EXPECT(!options_.folder.empty(), "a checkpoint needs an output folder");
  outputs_->sync(engine_);
  save();
  checkpoints_->finish();
  return checkpoints_->last();
}

/// Rows and frames of earlier steps reach the disk before the checkpoint, because a resumed run does not write them
/// again.
void Simulation::write_due_checkpoint(bool final_one) {
  if (options_.folder.empty()) { return; }
  const bool interrupted = stopped() && !over();
  const bool new_state = engine_.step() > first_step_ || (interrupted && !options_.resumed);
  if (!new_state || !(interrupted || checkpoints_->due(engine_, final_one))) { return; }
  outputs_->sync(engine_);
  save();
}

void Simulation::save() {
  outputs_->sync_names();
  checkpoints_->write(engine_, state());
  saved_step_ = engine_.step();
}

/// Called when output has failed. Saves the computed state, if there is room for it and if no frames are missing that a
/// resumed run would not write. Returns the end of the sentence for the user.
std::string Simulation::rescue_state() {
  try {
    if (!outputs_->queue().retry() || options_.folder.empty() || engine_.step() == first_step_ ||
        saved_step_ == engine_.step()) {
      return {};
    }
    if (fed_step_ != engine_.step()) { complete_moment(); }
    outputs_->write_left(engine_);  // a resumed run would otherwise lack them
    save();
    checkpoints_->finish();
    return "; the state at step " + std::to_string(engine_.step()) + " was saved to " + checkpoints_->last();
  } catch (const std::exception&) { return {}; }
}

}  // namespace scree
