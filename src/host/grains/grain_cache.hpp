#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "host/grains/make_grain.hpp"

namespace scree::grains {

/// The folder of the cache of templates: $SCREE_CACHE, $XDG_CACHE_HOME/scree/grains or ~/.cache/scree/grains, whichever
/// is set first. None if no variable is set, or if SCREE_CACHE is empty.
[[nodiscard]] std::optional<std::filesystem::path> cache_folder();

struct CachedGrain {
  GrainTemplate grain;
  bool was_kept = false;  ///< whether the template comes from the cache
};
/// Reads the template with this key from the cache, or makes it with `make` and stores it there. Without a folder it
/// always calls `make`. A file that cannot be read or written is not an error. Several processes may use the same key:
/// files appear whole, and unfinished files of killed processes are removed after a day.
[[nodiscard]] CachedGrain cached_grain(const std::optional<std::filesystem::path>& folder, const std::string& key,
                                       const std::function<GrainTemplate()>& make);

/// Stores a template in the cache, and replaces an earlier one with the same key. Failure to write is not an error.
void keep_grain(const GrainTemplate& grain, const std::filesystem::path& folder, const std::string& key);

/// A key for a text and bytes: 32 hexadecimal digits, which also depend on the version of the program.
[[nodiscard]] std::string cache_key(const std::string& text, const void* bytes, std::size_t size);

}  // namespace scree::grains
