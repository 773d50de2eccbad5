#include "host/case/meeting_materials.hpp"

#include <map>
#include <string>

#include "host/case/particle_kinds.hpp"

namespace scree {

MeetingMaterials meeting_materials(const Case& input) {
  std::map<std::string, std::size_t> index;
  for (std::size_t m = 0; m < input.materials.size(); ++m) index.emplace(input.materials[m].first, m);
  MeetingMaterials meeting(input.materials.size());
  for (const ParticleGroup& group : input.particles) {
    for (const ParticleKind& kind : kinds_of(input, group)) {
      if (const auto found = index.find(kind.material); found != index.end()) meeting.add_particles(found->second);
    }
  }
  for (const auto& [name, boundary] : input.boundaries) {
    if (const auto found = index.find(boundary.material); found != index.end()) meeting.add_boundary(found->second);
  }
  return meeting;
}

}  // namespace scree
