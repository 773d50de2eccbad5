#include "host/checkpoint/checkpoint_writer.hpp"

#include <algorithm>
#include <utility>

#include "host/checkpoint/checkpoint_file.hpp"
#include "host/checkpoint/inlet_arrays.hpp"
#include "host/writers/output_folder.hpp"
#include "scree/version.hpp"

namespace scree {

CheckpointWriter::CheckpointWriter(std::filesystem::path folder, const std::optional<CheckpointOutput>& output,
                                   const Scene& scene, std::string case_text)
    : folder_(std::move(folder)),
      keep_(output.value_or(CheckpointOutput{}).keep),
      precision_(scene.precision == Precision::mixed ? "mixed" : "double"),
      scene_hash_(scene_hash(scene)),
      case_text_(std::move(case_text)) {
  if (output) { schedule_.emplace(output->every, scene); }
}

bool CheckpointWriter::due(const Engine& engine, bool final_one) const {
  return schedule_ && engine.step() > 0 && (final_one || schedule_->due(engine));
}

RunTarget CheckpointWriter::next(const Engine& engine) const { return schedule_ ? schedule_->next(engine) : RunTarget{}; }

void CheckpointWriter::write(Engine& engine, const std::vector<InletState>& inlets, const std::vector<StateArray>& probes) {
  const auto folder = folder_ / "checkpoints";
  make_inner_folder(folder);  // an output folder that vanished must not come back with nothing but this in it
  Checkpoint checkpoint{engine.step(),        engine.time(), engine.counts().particles, precision_, SCREE_VERSION,
                        engine.hash().text(), scene_hash_,   case_text_,                engine.save()};
  append_inlets(checkpoint.state, inlets);
  checkpoint.state.arrays.insert(checkpoint.state.arrays.end(), probes.begin(), probes.end());
  const std::string name = checkpoint_name(checkpoint.step);
  write_checkpoint(folder / name, checkpoint);
  last_ = "checkpoints/" + name;
  written_.push_back(checkpoint.step);

  const auto present = checkpoints_in(folder);
  for (std::size_t k = 0; k + keep_ < present.size(); ++k) {
    remove_file(present[k].second);
    std::erase(written_, present[k].first);
  }
}

}  // namespace scree
