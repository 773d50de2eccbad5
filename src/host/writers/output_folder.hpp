#pragma once

#include <filesystem>

namespace scree {

/// Makes a folder and those above it. Throws OutputError.
void make_folder(const std::filesystem::path& folder);

/// Removes a file; none is fine. Throws OutputError.
void remove_file(const std::filesystem::path& file);

/// Where a case writes when nobody says: out/<stem of the case file>, below the current folder.
[[nodiscard]] std::filesystem::path default_output_folder(const std::filesystem::path& case_file);

/// Throws OutputError when the folder cannot take the results of this case: no permission, a file of that name, the
/// case file itself would be overwritten, or it holds things that are not results of an earlier run. Changes nothing.
void inspect_output_folder(const std::filesystem::path& folder, const std::filesystem::path& case_file);

/// Makes the folder, proves that it can be written and removes the results of an earlier run; files that are no
/// results stay. To be called after inspect_output_folder(). Throws OutputError.
void claim_output_folder(const std::filesystem::path& folder);

/// Proves that the folder of a run that is resumed can be written, and removes what a killed run has left half-written.
/// Throws OutputError.
void reopen_output_folder(const std::filesystem::path& folder);

/// First word of run.log, by which an output folder is known.
inline constexpr const char* run_log_mark = "scree ";

}  // namespace scree
