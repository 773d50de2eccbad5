#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "host/case/case_files.hpp"
#include "host/checkpoint/checkpoint_file.hpp"
#include "scree/case.hpp"
#include "scree/scene.hpp"

namespace scree {

struct Resumable {
  Checkpoint checkpoint;
  std::filesystem::path file;
  /// about newer checkpoints that cannot be read, and about other versions of scree
  std::vector<std::string> warnings;
};

/// The newest readable checkpoint in an output folder. `case_text` is the text of write_case(), with the time step.
/// Throws CaseError if there is no checkpoint, or if the case or the content of its files differs in a way that affects
/// results.
[[nodiscard]] Resumable find_resumable(const std::filesystem::path& folder, const Case& input,
                                       const std::string& case_text, const Scene& scene);

/// One entry `path (1 there, 2 here)` for each value that differs between two cases and affects results. Title,
/// duration, neighbours, output, start and the names of `files` are not compared.
[[nodiscard]] std::vector<std::string> differing_values(const std::string& there, const std::string& here,
                                                        const std::vector<CaseFile>& files = {});

}  // namespace scree
