#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "host/scene/grain_hold.hpp"
#include "scree/meeting_materials.hpp"

namespace scree {

/// Radii [m] of spheres and of members of clumps, at the start or from inlets. A level-set grain is the ball that holds
/// it, which the search knows.
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
/// The radii of particles that inlets and breakage may bring.
[[nodiscard]] RadiusRange inlet_radii(const Scene& scene);
/// [n_materials] Radii of the particles of each material.
[[nodiscard]] std::vector<RadiusRange> radii_by_material(const Scene& scene);
/// Radii of all particles.
[[nodiscard]] RadiusRange all_radii(const Scene& scene);
/// [m] The smallest radius of a sphere or of a member of a clump, at the start or from inlets; infinite without any.
[[nodiscard]] double smallest_sphere(const Scene& scene);
/// [m] The least of the radii of spheres and members of clumps, and of the depths of level-set grains. A body that
/// moves through another one by more than this in a step may come out on its other side.
[[nodiscard]] double least_depth(const Scene& scene);

/// The other side of a contact. A wall has an infinite mass, and the radius of the sphere that touches it. A level-set
/// grain has the radius and mass of the sphere of its volume, which contacts use.
struct Partner {
  const Material& material;
  double radius;  ///< [m]
  bool wall;
};

/// A contact that can limit the time step: of the smallest spheres of a material, or its smallest grains of a shape,
/// with the partner that makes it stiffest. Refers to the scene.
struct Meeting {
  std::size_t material;
  double radius;  ///< [m] of a grain: of the sphere of its volume
  Partner partner;
  std::size_t partner_material;
  const SceneBoundary* boundary;  ///< null: the partner is a sphere
  MaterialPair pair;
  LawKind law;
  const GrainShape* grain;  ///< null: spheres
  BodyHold hold;
};

/// All such contacts. For each material of particles, in its order (first its spheres, then its grains, shape by
/// shape), the partners are first the materials of particles, then the boundaries.
[[nodiscard]] std::vector<Meeting> meetings(const Scene& scene);

}  // namespace scree
