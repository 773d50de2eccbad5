#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "host/storage/state_columns.hpp"
#include "scree/engine_state.hpp"
#include "scree/scene_membranes.hpp"

/// Where the nodes of membranes are in a checkpoint. A run that starts from it needs to know; a resumed run knows it
/// from its case.
namespace scree {

/// Id of the first node of a membrane, nodes of a ring, rings.
using SavedMembrane = std::array<std::uint32_t, 3>;
inline constexpr const char* membrane_nodes_name = "membranes/nodes";

[[nodiscard]] inline std::vector<SavedMembrane> nodes_of(const std::vector<SceneMembrane>& membranes) {
  std::vector<SavedMembrane> nodes;
  for (const SceneMembrane& membrane : membranes) {
    nodes.push_back({membrane.first, membrane.lattice.around, membrane.lattice.rings});
  }
  return nodes;
}

inline void append_membranes(EngineState& state, const std::vector<SavedMembrane>& nodes) {
  if (nodes.empty()) { return; }
  state.arrays.push_back(array_of(membrane_nodes_name, "1", ValueType::uint32, 3, nodes));
}

/// In the order of the case. None: the run has no membranes, or the checkpoint is of an older version. Throws
/// StateError.
[[nodiscard]] inline std::optional<std::vector<SavedMembrane>> saved_membranes(const EngineState& state) {
  const StateArray* const found = state.find(membrane_nodes_name);
  if (found == nullptr) { return std::nullopt; }
  return rows_of<SavedMembrane>(*found, ValueType::uint32);
}

/// Takes them out of the state, whose other arrays the engine reads. Throws StateError if they are not those of the
/// scene.
inline void take_membranes(EngineState& state, const std::vector<SceneMembrane>& membranes) {
  const auto saved = saved_membranes(state);
  if (!saved) { return; }
  if (*saved != nodes_of(membranes)) { throw StateError("membranes/nodes are not those of the case"); }
  std::erase_if(state.arrays, [](const StateArray& array) { return array.name == membrane_nodes_name; });
}

}  // namespace scree
