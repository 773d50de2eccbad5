#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

namespace scree {

/// `file: cannot be written: <reason of errno>`, as an OutputError.
[[noreturn]] void throw_output_error(const std::filesystem::path& file, int error_number);

/// Name under which `file` is written before it is renamed.
[[nodiscard]] std::filesystem::path temporary_name(const std::filesystem::path& file);

/// Lets `write` make a file under a temporary name, syncs it and renames it to `file`, so that `file` is never half
/// written. The temporary file is removed when `write` throws. Throws OutputError.
void write_atomically(const std::filesystem::path& file,
                      const std::function<void(const std::filesystem::path& temporary)>& write);

/// The same for a text; with `mode` the file gets these permissions.
void write_text_atomically(const std::filesystem::path& file, std::string_view text, std::optional<unsigned> mode = {});

/// Writes all of `text` to a descriptor; returns 0 or the error number.
[[nodiscard]] int write_all(int descriptor, std::string_view text);

}  // namespace scree
