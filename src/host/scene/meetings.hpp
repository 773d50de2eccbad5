#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "scree/meeting_materials.hpp"

namespace scree {

/// Radii [m] of spheres and of members of clumps, at the start or from inlets.
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
/// What inlets may bring.
[[nodiscard]] RadiusRange inlet_radii(const Scene& scene);
/// For each material.
[[nodiscard]] std::vector<RadiusRange> radii_by_material(const Scene& scene);
/// Of all particles.
[[nodiscard]] RadiusRange all_radii(const Scene& scene);

/// The other side of a contact. A wall counts as infinitely heavy, and `radius` is then that of the sphere that touches
/// it.
struct Partner {
  const Material& material;
  double radius;  ///< [m]
  bool wall;
};

/// A contact that can limit the time step: of the smallest spheres of a material with the partner that makes it
/// stiffest. Refers to the scene.
struct Meeting {
  std::size_t material;
  double radius;  ///< [m]
  Partner partner;
  std::size_t partner_material;
  const SceneBoundary* boundary;  ///< null: the partner is a sphere
  MaterialPair pair;
  LawKind law;
};

/// For each material of particles, in its order: the materials of particles, then the boundaries.
[[nodiscard]] std::vector<Meeting> meetings(const Scene& scene);

}  // namespace scree
