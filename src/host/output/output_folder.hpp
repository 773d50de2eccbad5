#pragma once

#include <filesystem>
#include <vector>

namespace scree {

/// Makes a folder and those above it. Throws OutputError.
void make_folder(const std::filesystem::path& folder);

/// Makes a folder in one that must exist. Throws OutputError.
void make_inner_folder(const std::filesystem::path& folder);

/// Removes a file; none is fine. Throws OutputError.
void remove_file(const std::filesystem::path& file);

/// The folder of a case without a given folder: out/<stem of the case file>, below the current folder.
[[nodiscard]] std::filesystem::path default_output_folder(const std::filesystem::path& case_file);

/// Throws OutputError when the folder cannot take the results of this case: no permission, a file of that name, another
/// run writes there, the case file itself would be overwritten, it holds things that are not results of an earlier
/// run, or one of the files and folders that are `needed` is among the results that the run removes. Changes nothing.
void inspect_output_folder(const std::filesystem::path& folder, const std::filesystem::path& case_file,
                           const std::vector<std::filesystem::path>& needed = {});

/// Removes the results of an earlier run from the folder; other files stay. To be called after inspect_output_folder(),
/// with a FolderLock. Throws OutputError.
void claim_output_folder(const std::filesystem::path& folder);

/// Removes half-written files of a killed run from the folder of a resumed run. To be called with a FolderLock. Throws
/// OutputError.
void reopen_output_folder(const std::filesystem::path& folder);

/// Throws OutputError when the folder of a run is no longer there, or no longer holds its run.log.
void expect_folder_still_there(const std::filesystem::path& folder);

/// First word of run.log, by which an output folder is known.
inline constexpr const char* run_log_mark = "scree ";

}  // namespace scree
