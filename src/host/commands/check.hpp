#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace scree {

/// `scree check`: resolves the case and prints what a run of it would be: particles, time step and its reason, number
/// of steps and outputs, memory, warnings. `threads` of the host backend tell the run time; 0: as a run chooses them.
/// Returns the exit code. Throws CaseError with every problem found.
int run_check(const std::filesystem::path& file, const std::vector<std::string>& settings, std::ostream& out,
              int threads = 0);

}  // namespace scree
