#pragma once

#include <filesystem>
#include <initializer_list>
#include <iosfwd>
#include <string_view>

namespace scree {

/// Writes a text to a file that the user has named. A regular file is written whole or not at all, and keeps its mode;
/// links are followed. A device or a pipe is written to, and standard output goes to `out`. Only a regular file with
/// one name is ever replaced. Throws CaseError (path: `option`) for a folder, a link that leads nowhere and a pipe that
/// nobody reads for ten seconds; OutputError.
void write_result(const std::filesystem::path& file, std::string_view text, std::ostream& out,
                  const char* option = "--out");

/// Throws CaseError (path: `option`) if a file that a command is to write is one of those that it reads.
void expect_no_input(const std::filesystem::path& file, std::initializer_list<std::filesystem::path> inputs,
                     const char* option = "--out");

}  // namespace scree
