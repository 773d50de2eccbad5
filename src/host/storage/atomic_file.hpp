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

/// Calls `write` to make a file under a temporary name, syncs this file and renames it to `file`, so that `file` is
/// always complete. Removes the temporary file if `write` throws. Throws OutputError if the file cannot be written.
void write_atomically(const std::filesystem::path& file,
                      const std::function<void(const std::filesystem::path& temporary)>& write);

/// Writes a text as write_atomically() does; `mode` sets the permissions of the file.
void write_text_atomically(const std::filesystem::path& file, std::string_view text, std::optional<unsigned> mode = {});

/// Writes all of `text` to a file descriptor. Returns 0 or the error number.
[[nodiscard]] int write_all(int descriptor, std::string_view text);

}  // namespace scree
