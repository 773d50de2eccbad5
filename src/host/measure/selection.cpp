#include "host/measure/selection.hpp"

#include "scree/errors.hpp"

namespace scree {
namespace {

/// [n_known] 1: this known name is asked for. A known name may occur twice, as names of materials do.
std::vector<std::uint8_t> admitted(const std::vector<std::string>& asked, const std::vector<std::string>& known,
                                   const char* key) {
  if (asked.empty()) return {};
  std::vector<std::uint8_t> result(known.size());
  for (std::size_t a = 0; a < asked.size(); ++a) {
    bool found = false;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (known[i] != asked[a]) continue;
      result[i] = 1;
      found = true;
    }
    if (!found) throw CaseError(std::string(key) + "." + std::to_string(a), "unknown name \"" + asked[a] + "\"");
  }
  return result;
}

}  // namespace

Selection::Selection(const Scene& scene, const std::vector<std::string>& materials,
                     const std::vector<std::string>& groups, std::optional<double> larger_than)
    : larger_than_(larger_than) {
  std::vector<std::string> group_names;
  for (const SceneGroup& group : scene.groups) group_names.push_back(group.name);
  materials_ = admitted(materials, scene.material_names, "materials");
  groups_ = admitted(groups, group_names, "groups");
}

std::vector<std::uint8_t> Selection::in(const Snapshot& particles) const {
  const std::size_t n = particles.id.size();
  std::vector<std::uint8_t> chosen(n);
  for (std::size_t i = 0; i < n; ++i) {
    const bool material = materials_.empty() || materials_.at(particles.material[i]) != 0;
    const bool group = groups_.empty() || groups_.at(particles.group.at(i)) != 0;
    chosen[i] = material && group && (!larger_than_ || particles.radius[i] > *larger_than_) ? 1 : 0;
  }
  return chosen;
}

}  // namespace scree
