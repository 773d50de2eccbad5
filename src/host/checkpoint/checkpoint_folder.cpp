#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

#include "host/checkpoint/checkpoint_file.hpp"

namespace scree {

std::string checkpoint_name(std::uint64_t step) {
  char name[40];
  std::snprintf(name, sizeof name, "step_%09llu.h5", static_cast<unsigned long long>(step));
  return name;
}

std::vector<std::pair<std::uint64_t, std::filesystem::path>> checkpoints_in(const std::filesystem::path& folder) {
  std::vector<std::pair<std::uint64_t, std::filesystem::path>> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    std::uint64_t step = 0;
    if (!name.starts_with("step_") || !name.ends_with(".h5")) { continue; }
    std::from_chars(name.data() + 5, name.data() + name.size(), step);
    if (checkpoint_name(step) == name) { found.emplace_back(step, entry.path()); }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::filesystem::path newest_checkpoint(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    throw StateError("there is no file or folder \"" + path.string() + "\"");
  }
  if (!std::filesystem::is_directory(path, ignored)) { return path; }
  for (const auto& folder : {path, path / "checkpoints"}) {
    const auto present = checkpoints_in(folder);
    if (!present.empty()) { return present.back().second; }
  }
  throw StateError("there is no checkpoint in the folder \"" + path.string() + "\"");
}

}  // namespace scree
