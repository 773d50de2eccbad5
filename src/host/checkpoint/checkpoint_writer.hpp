#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/simulation.hpp"
#include "scree/case.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"
#include "scree/simulation.hpp"

namespace scree {

/// Writes checkpoints/step_000001000.h5 and removes the oldest ones once a new one is on the disk.
class CheckpointWriter {
 public:
  /// Without `output` nothing is ever due, but may be written. `scene` may be gone afterwards.
  CheckpointWriter(std::filesystem::path folder, const std::optional<CheckpointOutput>& output, const Scene& scene,
                   std::string case_text);

  /// Whether the case asks for one at this step; `final_one`: the run ends here.
  [[nodiscard]] bool due(const Engine& engine, bool final_one) const;
  [[nodiscard]] RunTarget next(const Engine& engine) const;
  /// Throws OutputError; what is on the disk stays.
  void write(Engine& engine, const std::vector<InletState>& inlets, const std::vector<StateArray>& probes = {});

  [[nodiscard]] const std::string& last() const { return last_; }  ///< relative to the folder; empty: none yet
  [[nodiscard]] std::uint64_t files() const { return written_.size(); }  ///< written and still there

 private:
  std::filesystem::path folder_;
  std::optional<OutputSchedule> schedule_;
  std::uint64_t keep_;
  std::string precision_, scene_hash_, case_text_, last_;
  std::vector<std::uint64_t> written_;
};

}  // namespace scree
