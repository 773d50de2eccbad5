#include "host/breakage/fragments.hpp"

#include "host/breakage/strength.hpp"
#include "host/clumps/orientation.hpp"
#include "host/geometry/real3.hpp"

namespace scree::breakage {

void append_fragments(const geometry::FragmentPattern& pattern, const Parent& parent, std::uint64_t seed,
                      ParticleSet& set) {
  packing::Random random = random_of(seed, parent.id, Chance::orientation);
  const clumps::Orientation turn = clumps::random_orientation(random);
  const double room = room_of(parent);
  for (std::size_t k = 0; k < pattern.radius.size(); ++k) {
    const Real3 from_centre = geometry::scaled(clumps::turned(turn, pattern.centre[k]), room);
    set.position.push_back(geometry::add(parent.position, from_centre));
    set.velocity.push_back(geometry::add(parent.velocity, geometry::cross(parent.angular_velocity, from_centre)));
    set.angular_velocity.push_back(parent.angular_velocity);
    set.radius.push_back(room * pattern.radius[k]);
    set.material.push_back(parent.material);
    if (parent.group) { set.group.push_back(*parent.group); }
    if (parent.temperature) { set.temperature.push_back(*parent.temperature); }
  }
}

}  // namespace scree::breakage
