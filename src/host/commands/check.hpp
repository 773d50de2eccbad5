#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace scree {

/// `scree check`: resolves the case and prints what a run of it would be: particles, time step and its reason, number
/// of steps and outputs, memory, warnings. Returns the exit code. Throws CaseError with every problem found.
int run_check(const std::filesystem::path& file, const std::vector<std::string>& settings, std::ostream& out);

}  // namespace scree
