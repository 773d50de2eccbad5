#pragma once

#include <algorithm>

#include "host/case/describe_boundaries.hpp"
#include "host/case/describe_particles.hpp"

namespace scree {

/// The components of motion that can be fixed, in the order of the bits of SceneGroup::fixed.
inline const std::vector<std::string>& motion_components() {
  static const std::vector<std::string> names{"x", "y", "z", "rx", "ry", "rz"};
  return names;
}

inline auto describe(Of<GroupSettings>) {
  return object(
      "Settings for the particles of a group.",
      field("fixed", &GroupSettings::fixed, "",
            "Components of motion that keep their velocity whatever forces act; a particle with x, y and z fixed "
            "counts as "
            "infinitely heavy.",
            one_of(motion_components())),
      field("velocity", &GroupSettings::velocity, "m/s",
            "Velocity of the fixed components x, y and z; left out: they keep their velocity of the start."),
      field("angular_velocity", &GroupSettings::angular_velocity, "rad/s",
            "Angular velocity of the fixed components rx, ry and rz; left out: they keep that of the start."),
      field("rotation", &GroupSettings::rotation, "",
            "Rotation of the group as one body; all six components must be fixed."),
      field("force", &GroupSettings::force, "N", "Force on each particle."),
      field("torque", &GroupSettings::torque, "N m", "Torque on each particle."),
      field("damping", &GroupSettings::damping, "",
            "Coefficient of Cundall's non-viscous damping; left out: the value of \"integration\".", from_below(0, 1)),
      field("gravity", &GroupSettings::gravity, "", "Whether gravity acts on the particles."));
}
inline void check(const GroupSettings& group, Complaints& complaints) {
  const auto fixed = [&](std::size_t component) {
    return std::find(group.fixed.begin(), group.fixed.end(), motion_components()[component]) != group.fixed.end();
  };
  refuse_repeats(group.fixed, "fixed", complaints);
  const auto imposed = [&](const std::string& key, const std::optional<Real3>& value, std::size_t first) {
    for (std::size_t k = 0; value && k < 3; ++k) {
      if ((*value)[k] == 0 || fixed(first + k)) continue;
      complaints.add(key + "." + std::to_string(k), "is imposed only where \"" + motion_components()[first + k] +
                                                        "\" is fixed, got " + number_text((*value)[k]));
    }
  };
  imposed("velocity", group.velocity, 0);
  imposed("angular_velocity", group.angular_velocity, 3);
  const auto useless = [&](const std::string& key, const Real3& value, std::size_t first) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (value[k] == 0 || !fixed(first + k)) continue;
      complaints.add(key + "." + std::to_string(k), "has no effect, since \"" + motion_components()[first + k] +
                                                        "\" is fixed, got " + number_text(value[k]));
    }
  };
  useless("force", group.force, 0);
  useless("torque", group.torque, 3);
  if (!group.rotation) return;
  for (std::size_t k = 0; k < 6; ++k) {
    if (fixed(k)) continue;
    complaints.add("rotation", "needs x, y, z, rx, ry and rz to be fixed, but " + motion_components()[k] + " is not");
    break;
  }
  if (group.velocity) complaints.add("velocity", "is not allowed with \"rotation\", which gives it");
  if (group.angular_velocity) complaints.add("angular_velocity", "is not allowed with \"rotation\", which gives it");
}

inline auto describe(Of<std::variant<BoxRegion, CylinderRegion, SphereRegion>>) {
  return keyed("Where particles are removed.", alternative<BoxRegion>("box"), alternative<CylinderRegion>("cylinder"),
               alternative<SphereRegion>("sphere"));
}
inline auto describe(Of<DeletionRegion>) {
  return object("A region that counts and removes each particle whose centre is inside.",
                inlined(&DeletionRegion::region),
                field("from", &DeletionRegion::from, "s", "Time from which the region removes particles.", at_least(0)),
                field("until", &DeletionRegion::until, "s",
                      "Time from which the region removes none any more; left out: it removes to the end.", above(0)));
}
inline void check(const DeletionRegion& region, Complaints& complaints) {
  if (!(region.until > region.from)) {
    complaints.add("until",
                   "must be greater than \"from\" " + number_text(region.from) + ", got " + number_text(region.until));
  }
}

static_assert(lists_every_member<GroupSettings> && lists_every_member<DeletionRegion>);

}  // namespace scree
