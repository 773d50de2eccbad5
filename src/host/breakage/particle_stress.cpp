#include "host/breakage/particle_stress.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/geometry/real3.hpp"

namespace scree::breakage {

void ContactLoad::add(const Real3& force, const Real3& lever, double radius) {
  const auto mixed = [&](std::size_t a, std::size_t b) { return 0.5 * (force[a] * lever[b] + force[b] * lever[a]); };
  const std::array<double, 6> more = {mixed(0, 0), mixed(1, 1), mixed(2, 2), mixed(1, 2), mixed(0, 2), mixed(0, 1)};
  for (std::size_t k = 0; k < 6; ++k) { moment[k] += more[k]; }
  depth = std::max(depth, 2 * (radius - geometry::length(lever)));
}

double ContactLoad::shear_stress(double radius) const {
  const double volume = 4 * std::numbers::pi / 3 * radius * radius * radius;
  const double a = moment[0] - moment[1], b = moment[1] - moment[2], c = moment[2] - moment[0];
  const double off = moment[3] * moment[3] + moment[4] * moment[4] + moment[5] * moment[5];
  return std::sqrt(a * a + b * b + c * c + 6 * off) / (3 * volume);
}

void add_contacts(const std::vector<TouchingContact>& contacts, const std::vector<ContactDetail>& details,
                  const std::vector<double>& radius, std::vector<ContactLoad>& loads) {
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const TouchingContact& contact = contacts[k];
    const Real3& centre = details[k].center;  // of the first particle, or of the one at a boundary
    const double second = radius.at(contact.second);
    if (contact.with_boundary) {
      if (second > 0) { loads[contact.second].add(contact.force, geometry::subtract(contact.point, centre), second); }
      continue;
    }
    if (second > 0) {
      const Real3 other = geometry::add(centre, contact.branch);
      loads[contact.second].add(contact.force, geometry::subtract(contact.point, other), second);
    }
    if (const double first = radius.at(contact.first); first > 0) {
      loads[contact.first].add(geometry::scaled(contact.force, -1), geometry::subtract(contact.point, centre), first);
    }
  }
}

}  // namespace scree::breakage
