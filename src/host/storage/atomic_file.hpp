#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

namespace scree {

/// Throws an OutputError with the text "FILE: cannot be written: REASON"; `error_number` is a value of errno.
[[noreturn]] void throw_output_error(const std::filesystem::path& file, int error_number);

/// The name under which `file` is written before it is renamed.
[[nodiscard]] std::filesystem::path temporary_name(const std::filesystem::path& file);

/// When the new name of a file survives a power cut: when its function returns, or only after sync_folder(). A killed
/// process or a full disk leaves a whole file either way.
enum class NameOnDisk { at_once, after_sync_folder };

/// Makes the names in a folder survive a power cut. Errors are ignored: not every file system can do this, and the
/// contents of the files are safe.
void sync_folder(const std::filesystem::path& folder);

/// Calls `write` to make a file under a temporary name, syncs this file and renames it to `file`, so that `file` is
/// always complete. Removes the temporary file if `write` throws. Throws OutputError if the file cannot be written.
void write_atomically(const std::filesystem::path& file,
                      const std::function<void(const std::filesystem::path& temporary)>& write,
                      NameOnDisk name = NameOnDisk::at_once);

/// Writes a text as write_atomically() does; `mode` sets the permissions of the file.
void write_text_atomically(const std::filesystem::path& file, std::string_view text, std::optional<unsigned> mode = {},
                           NameOnDisk name = NameOnDisk::at_once);

/// Writes all of `text` to a file descriptor. Returns 0 or the error number.
[[nodiscard]] int write_all(int descriptor, std::string_view text);

}  // namespace scree
