#include "host/case/meeting_materials.hpp"

#include <map>
#include <string>

namespace scree {

MeetingMaterials::MeetingMaterials(const Case& input) : MeetingMaterials(input.materials.size()) {
  std::map<std::string, std::size_t> index;
  for (std::size_t m = 0; m < input.materials.size(); ++m) index.emplace(input.materials[m].first, m);
  for (const ParticleGroup& group : input.particles) {
    if (const auto found = index.find(group.material); found != index.end()) add_particles(found->second);
  }
  for (const auto& [name, boundary] : input.boundaries) {
    if (const auto found = index.find(boundary.material); found != index.end()) add_boundary(found->second);
  }
}

void MeetingMaterials::add_particles(std::size_t material) {
  if (particles_[material]) return;
  particles_[material] = true;
  order_.push_back(material);
}

}  // namespace scree
