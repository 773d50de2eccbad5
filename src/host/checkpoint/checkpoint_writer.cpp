#include "host/checkpoint/checkpoint_writer.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "host/checkpoint/checkpoint_file.hpp"
#include "host/checkpoint/files_hash.hpp"
#include "host/checkpoint/inlet_arrays.hpp"
#include "host/output/finite.hpp"
#include "host/output/output_folder.hpp"
#include "scree/version.hpp"

namespace scree {

std::uint64_t kept_checkpoints(const std::optional<CheckpointOutput>& output) {
  return std::max<std::uint64_t>(output.value_or(CheckpointOutput{}).keep, 1);
}

void prune_checkpoints(const std::filesystem::path& folder, std::uint64_t keep) {
  const auto present = checkpoints_in(folder / "checkpoints");
  for (std::size_t k = 0; k + keep < present.size(); ++k) { remove_file(present[k].second); }
}

CheckpointWriter::CheckpointWriter(std::filesystem::path folder, const Case& input, const Scene& scene,
                                   std::string case_text, OutputQueue& queue)
    : folder_(std::move(folder)),
      keep_(kept_checkpoints(input.output.checkpoints)),
      wanted_(!input.output.checkpoints || input.output.checkpoints->keep > 0),
      precision_(scene.precision == Precision::mixed ? "mixed" : "double"),
      scene_hash_(scene_hash(scene)),
      files_hash_(files_hash(input, scene)),
      modes_hashes_(modes_hashes(scene)),
      case_text_(std::move(case_text)),
      membranes_(nodes_of(scene.membranes)),
      queue_(queue) {
  const auto& output = input.output.checkpoints;
  if (output && wanted_) { schedule_.emplace(output->every, scene); }
}

bool CheckpointWriter::due(const Engine& engine, bool final_one) const {
  return wanted_ && engine.step() > 0 && (final_one || (schedule_ && schedule_->due(engine)));
}

RunTarget CheckpointWriter::next(const Engine& engine) const {
  return schedule_ ? schedule_->next(engine) : RunTarget{};
}

void CheckpointWriter::write(Engine& engine, SimulationState beside) {
  finish();
  const auto folder = folder_ / "checkpoints";
  make_inner_folder(folder);  // fails if the output folder has vanished, which must not reappear with only checkpoints
  Checkpoint checkpoint{.step = engine.step(),
                        .time = engine.time(),
                        .particles = engine.counts().particles,
                        .precision = precision_,
                        .version = SCREE_VERSION,
                        .state_hash = engine.hash().text(),
                        .scene_hash = scene_hash_,
                        .files_hash = files_hash_,
                        .modes_hashes = modes_hashes_,
                        .case_text = case_text_,
                        .state = engine.save()};
  expect_finite(checkpoint.state, checkpoint.step);
  append_inlets(checkpoint.state, beside.inlets);
  append_membranes(checkpoint.state, membranes_);
  auto& [probes, fields, left, bonds] = beside.outputs;
  for (std::vector<StateArray>* const group : {&beside.stages, &probes, &fields, &left, &bonds}) {
    for (StateArray& array : *group) { checkpoint.state.arrays.push_back(std::move(array)); }
  }
  pending_step_ = checkpoint.step;
  auto work = [output = folder_, folder, keep = keep_, state = std::make_shared<Checkpoint>(std::move(checkpoint))] {
    write_checkpoint(folder / checkpoint_name(state->step), std::move(*state));
    prune_checkpoints(output, keep);
  };
  pending_ = queue_.push(std::move(work), false);
}

void CheckpointWriter::finish() {
  if (!pending_) { return; }
  queue_.wait_for(*std::exchange(pending_, std::nullopt));
  last_ = "checkpoints/" + checkpoint_name(pending_step_);
  written_.push_back(pending_step_);
}

std::uint64_t CheckpointWriter::files() const {
  const auto present = checkpoints_in(folder_ / "checkpoints");
  return static_cast<std::uint64_t>(std::count_if(present.begin(), present.end(), [&](const auto& file) {
    return std::find(written_.begin(), written_.end(), file.first) != written_.end();
  }));
}

}  // namespace scree
