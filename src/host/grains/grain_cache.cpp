#include "host/grains/grain_cache.hpp"

#include <chrono>
#include <cstdlib>
#include <random>

#include "host/grains/grain_file.hpp"
#include "host/storage/checksum.hpp"
#include "scree/errors.hpp"
#include "scree/version.hpp"

namespace scree::grains {
namespace {

/// Increase this number when templates of equal sources, or their reports, change.
constexpr int recipe = 4;

constexpr const char* unfinished = ".unfinished.h5";

/// A file name that no other process uses. It has random numbers, because processes on two machines may share the
/// folder.
std::filesystem::path fresh_name(const std::filesystem::path& folder, const std::string& key) {
  std::random_device random;
  return folder / (key + "-" + std::to_string(random()) + std::to_string(random()) + unfinished);
}

void remove_leftovers(const std::filesystem::path& folder) {
  std::error_code error;
  const auto now = std::filesystem::file_time_type::clock::now();
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.find(unfinished) == std::string::npos) continue;
    std::error_code gone;
    const auto written = entry->last_write_time(gone);
    if (!gone && now - written > std::chrono::hours(24)) std::filesystem::remove(entry->path(), gone);
  }
}

}  // namespace

std::optional<std::filesystem::path> cache_folder() {
  const auto variable = [](const char* name) { return std::getenv(name); };
  if (const char* own = variable("SCREE_CACHE")) {
    if (*own == '\0') return std::nullopt;
    return std::filesystem::path(own);
  }
  for (const auto& [name, below] : {std::pair{"XDG_CACHE_HOME", "scree/grains"}, {"HOME", ".cache/scree/grains"}}) {
    const char* const folder = variable(name);
    if (folder != nullptr && *folder == '/') return std::filesystem::path(folder) / below;
  }
  return std::nullopt;
}

void keep_grain(const GrainTemplate& grain, const std::filesystem::path& folder, const std::string& key) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return;
  remove_leftovers(folder);
  const auto file = fresh_name(folder, key);
  try {
    write_grain(grain, file);
    std::filesystem::rename(file, folder / (key + ".h5"), error);
  } catch (const OutputError&) {}  // the next run makes the template again
  std::filesystem::remove(file, error);
}

CachedGrain cached_grain(const std::optional<std::filesystem::path>& folder, const std::string& key,
                         const std::function<GrainTemplate()>& make) {
  if (!folder) return {make(), false};
  const auto file = *folder / (key + ".h5");
  std::error_code error;
  if (std::filesystem::is_regular_file(file, error)) {
    try {
      return {read_grain(file), true};
    } catch (const StateError&) {}  // the template is made again below
  }
  CachedGrain result{make(), false};
  keep_grain(result.grain, *folder, key);
  return result;
}

std::string cache_key(const std::string& text, const void* bytes, std::size_t size) {
  std::string key;
  for (const char* first : {"a", "b"}) {
    Checksum sum;
    sum.add(std::string(first) + SCREE_VERSION + " " + SCREE_REVISION + " " + std::to_string(recipe) + "\n" + text +
            "\n");
    if (size > 0) sum.add(bytes, size);
    key += sum.text();
  }
  return key;
}

}  // namespace scree::grains
