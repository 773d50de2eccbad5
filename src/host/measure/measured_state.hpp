#pragma once

#include <optional>
#include <vector>

#include "scree/engine.hpp"

namespace scree {

/// The data that a measure needs beside the particles and the cell.
struct MeasureNeeds {
  bool forces = true, contacts = true;
  bool fragments = false, groups = false, dissipated = false, temperatures = false, films = false;  ///< of particles
  bool held = false;   ///< which particles are held by their group
  bool loads = false;  ///< of boundaries

  /// What one or the other needs.
  friend MeasureNeeds operator|(const MeasureNeeds& a, const MeasureNeeds& b) {
    return {a.forces || b.forces,
            a.contacts || b.contacts,
            a.fragments || b.fragments,
            a.groups || b.groups,
            a.dissipated || b.dissipated,
            a.temperatures || b.temperatures,
            a.films || b.films,
            a.held || b.held,
            a.loads || b.loads};
  }
};

/// The data for all measures of one row of the series, read from the engine once.
struct MeasuredState {
  std::optional<CellState> cell;
  Snapshot spheres;
  std::vector<TouchingContact> contacts;  ///< in ascending order of ids
  std::vector<BoundaryLoad> loads;        ///< [n_boundaries]
  Real3 gravity;                          ///< [m/s2] the present one
  std::vector<SceneGroup> groups;         ///< with their present settings
  /// whether the forces of contacts are known; they are not before the first step, if something touches there
  bool contacts_known = true, boundaries_known = true;

  /// Throws ContractError while contact forces are not known, if they are needed.
  explicit MeasuredState(Engine& engine, MeasureNeeds needs = {})
      : cell(engine.cell()),
        spheres(engine.snapshot({.force = needs.forces,
                                 .fragment = needs.fragments,
                                 .group = needs.groups || needs.forces,
                                 .temperature = needs.temperatures,
                                 .dissipated = needs.dissipated,
                                 .film = needs.films,
                                 .held = needs.held || needs.forces})),
        gravity(engine.gravity()),
        groups(engine.groups()) {
    if (needs.contacts) { contacts = engine.touching_contacts(); }
    if (needs.loads) { loads = engine.boundary_loads(); }
    if (engine.step() == 0) {
      const EngineCounts counts = engine.counts();
      contacts_known = counts.contacts == 0;
      boundaries_known = counts.boundary_contacts == 0;
    }
  }
};

}  // namespace scree
