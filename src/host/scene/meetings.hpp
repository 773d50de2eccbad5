#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "host/scene/grain_hold.hpp"
#include "scree/meeting_materials.hpp"

namespace scree {

/// [m] The smallest and the largest radius of spheres and members of clumps. A level-set grain counts as the ball
/// around it that the search uses.
struct RadiusRange {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;

  void note(double radius) {
    smallest = std::min(smallest, radius);
    largest = std::max(largest, radius);
  }
  void note(const RadiusRange& other) {
    smallest = std::min(smallest, other.smallest);
    largest = std::max(largest, other.largest);
  }
  [[nodiscard]] bool any() const { return largest > 0; }
};
/// Radii of the particles that inlets and breakage may bring.
[[nodiscard]] RadiusRange inlet_radii(const Scene& scene);
/// [n_materials] Radii of the particles of each material.
[[nodiscard]] std::vector<RadiusRange> radii_by_material(const Scene& scene);
/// Radii of all particles.
[[nodiscard]] RadiusRange all_radii(const Scene& scene);
/// [m] The smallest radius of a sphere or of a member of a clump, at the start or from inlets; infinite without any.
[[nodiscard]] double smallest_sphere(const Scene& scene);
/// [m] The least value among the radii of spheres and members of clumps and the depths of level-set grains. A body that
/// moves into another one by more than this in a step may come out on its other side.
[[nodiscard]] double least_depth(const Scene& scene);

/// The other side of a contact. A wall has an infinite mass, and the radius of the sphere that touches it. For a
/// level-set grain, radius and mass are those of the sphere of its volume, as in its contacts.
struct Partner {
  const Material& material;
  double radius;  ///< [m]
  bool wall;
};

/// A contact that can limit the time step: the contact of the smallest spheres of a material, or of its smallest grains
/// of a shape, with the partner that makes it stiffest. It refers to the scene.
struct Meeting {
  std::size_t material;
  double radius;  ///< [m] for a grain, the radius of the sphere of its volume
  Partner partner;
  std::size_t partner_material;
  const SceneBoundary* boundary;  ///< null: the partner is a sphere
  MaterialPair pair;
  LawKind law;
  const GrainShape* grain;  ///< null: spheres
  BodyHold hold;
};

/// All contacts that can limit the time step, ordered by material, for each material its spheres and then its grains
/// shape by shape. The partners of each are first the materials of particles, then the boundaries.
[[nodiscard]] std::vector<Meeting> meetings(const Scene& scene);

}  // namespace scree
