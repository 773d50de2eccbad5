#include "host/checkpoint/unfinished_run.hpp"

#include <fstream>
#include <string>

#include "host/checkpoint/checkpoint_file.hpp"
#include "host/output/output_folder.hpp"

namespace scree {

std::optional<std::uint64_t> unfinished_run(const std::filesystem::path& folder) {
  const auto checkpoints = checkpoints_in(folder / "checkpoints");
  if (checkpoints.empty()) { return std::nullopt; }
  std::ifstream log(folder / "run.log");
  bool over = true;
  for (std::string line; std::getline(log, line);) {
    if (line.starts_with(run_log_mark)) { over = false; }  // each part of a run begins with this line
    if (line.starts_with("done ") || line.starts_with("error:")) { over = true; }
  }
  return over ? std::nullopt : std::optional(checkpoints.back().first);
}

}  // namespace scree
