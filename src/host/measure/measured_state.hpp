#pragma once

#include <optional>
#include <vector>

#include "scree/engine.hpp"

namespace scree {

/// What all measures of one row of the series look at, read from the engine once.
struct MeasuredState {
  std::optional<CellState> cell;
  Snapshot spheres;                       ///< with forces
  std::vector<TouchingContact> contacts;  ///< in ascending order of ids

  MeasuredState() = default;
  /// Throws ContractError while contact forces are not known.
  explicit MeasuredState(Engine& engine)
      : cell(engine.cell()), spheres(engine.snapshot({.force = true})), contacts(engine.touching_contacts()) {}
};

}  // namespace scree
