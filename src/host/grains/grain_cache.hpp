#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "host/grains/make_grain.hpp"

namespace scree::grains {

/// Where templates are kept for the next time: $SCREE_CACHE, $XDG_CACHE_HOME/scree/grains or ~/.cache/scree/grains,
/// whichever is set first. Nothing when none is, or when SCREE_CACHE is set and empty.
[[nodiscard]] std::optional<std::filesystem::path> cache_folder();

/// The template of a key, as it was kept in `folder`, or as `make` makes it, which is then kept. A file that cannot be
/// read, or not be written, is no error. Several processes may ask for the same key: each file appears whole, and what
/// a killed one has left is removed after a day. Without a folder `make` always makes it.
struct CachedGrain {
  GrainTemplate grain;
  bool was_kept = false;
};
[[nodiscard]] CachedGrain cached_grain(const std::optional<std::filesystem::path>& folder, const std::string& key,
                                       const std::function<GrainTemplate()>& make);

/// Keeps a template in a folder, in place of what is kept under the key. That it cannot be written is no error.
void keep_grain(const GrainTemplate& grain, const std::filesystem::path& folder, const std::string& key);

/// 32 hexadecimal digits of a text and of bytes, of this version of the program.
[[nodiscard]] std::string cache_key(const std::string& text, const void* bytes, std::size_t size);

}  // namespace scree::grains
