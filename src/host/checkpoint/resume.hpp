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
  /// about newer checkpoints that could not be read, and other versions of scree
  std::vector<std::string> warnings;
};

/// The newest readable checkpoint in an output folder. Throws CaseError when there is none, or when the case
/// (`case_text`, as write_case() gives it, with its time step) differs in anything that results depend on, also in what
/// the files say that it names.
[[nodiscard]] Resumable find_resumable(const std::filesystem::path& folder, const Case& input,
                                       const std::string& case_text, const Scene& scene);

/// One entry `path (1 there, 2 here)` per value in which two case files differ and on which results depend: not title,
/// duration, neighbours, output, start, and the names of `files`.
[[nodiscard]] std::vector<std::string> differing_values(const std::string& there, const std::string& here,
                                                        const std::vector<CaseFile>& files = {});

}  // namespace scree
