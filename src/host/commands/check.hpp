#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace scree {

/// `scree check`: resolves a case and describes its run: particles, time step and its reason, numbers of steps and
/// outputs, memory, warnings. The run time is measured with `threads` threads of the host backend; 0: as many as a run
/// would take. Returns the exit code. Throws CaseError with every problem found.
int run_check(const std::filesystem::path& file, const std::vector<std::string>& settings, std::ostream& out,
              int threads = 0);

}  // namespace scree
