
#include "host/scene/bonds_at_start.hpp"
#include "host/start/start_from.hpp"
#include "host/storage/state_arrays.hpp"
#include "host/text/text.hpp"
#include "scree/build_scene.hpp"
#include "scree/errors.hpp"

// Puts the old state into the state of an engine of the new scene.
namespace scree {
/// Puts the bodies of the old state in front of all others. Velocities that the case imposes are not replaced.
void StartPoint::put_bodies(const Scene& scene, EngineState& state) const {
  const auto put = [&](const std::string& name, auto&& wanted) {
    const StateArray* old = checkpoint_.state.find(name);
    if (old == nullptr || state.find(name) == nullptr) return;
    StateArray& array = mutable_array(state, name);
    const StateArray same = converted(*old, array.type);
    if (array.rows() < row_.size() || same.columns != array.columns) {
      throw StateError("the array " + name + " has too few rows or another number of columns");
    }
    for (std::size_t i = 0; i < row_.size(); ++i) {
      if (wanted(i)) copy_row(same, row_[i], array, i);
    }
  };
  const auto always = [](std::size_t) { return true; };
  put("bodies/position", always);
  put("bodies/image", always);
  const auto moves_on = [&](std::size_t i) { return scene.particles.velocity[i] == particles_.velocity[i]; };
  const auto turns_on = [&](std::size_t i) {
    return scene.particles.angular_velocity[i] == particles_.angular_velocity[i];
  };
  put("bodies/velocity", moves_on);
  put("bodies/angular_velocity", turns_on);
  put("bodies/velocity_rest", [&](std::size_t i) { return moves_on(i) && turns_on(i); });
}

/// Puts the places of bodies relative to the cell, and the stress that was measured in the last steps, with which a
/// control of the cell begins.
void StartPoint::put_cell(EngineState& state) const {
  const EngineState& from = checkpoint_.state;
  if (state.find("cell/measure") == nullptr) return;
  constexpr std::uint64_t recent = 100;  // steps
  const auto measured_step = numbers<std::uint64_t>(from, "cell/measured");
  const bool measured = measured_step.size() == 1 && measured_step[0] + recent >= checkpoint_.step;
  for (const char* name : {"cell/bodies_are_out", "cell/measure"}) {
    StateArray& array = mutable_array(state, name);
    const StateArray& old = array_of(from, name);
    if (old.bytes.size() != array.bytes.size()) throw StateError("the array " + array.name + " has another length");
    if (measured || name == std::string("cell/bodies_are_out")) array.bytes = old.bytes;
  }
}

void StartPoint::put_pairs(const Contacts& contacts, EngineState& state) const {
  fill_rows(state, "pairs/", contacts.row.size(), checkpoint_.state, [&](const StateArray& old, StateArray& array) {
    for (std::size_t k = 0; k < contacts.row.size(); ++k) copy_row(old, contacts.row[k], array, k);
  });
  write_ids(mutable_array(state, "pairs/ids"), contacts.ids);
  put_lists("pair_segments", segment_arrays, contacts.row, state);
  put_lists("pair_nodes", node_arrays, contacts.row, state);
}

/// Copies the lists (load histories or nodes) of these rows of contacts, if both cases have them.
void StartPoint::put_lists(const std::string& group, const std::vector<const char*>& arrays,
                           const std::vector<std::size_t>& rows, EngineState& state) const {
  if (state.find(group + "/count") == nullptr) return;
  std::vector<std::uint32_t> counts(rows.size());
  std::vector<std::size_t> entries;
  if (checkpoint_.state.find(group + "/count") != nullptr) {
    const auto old = numbers<std::uint32_t>(checkpoint_.state, group + "/count");
    std::vector<std::size_t> first(old.size() + 1);
    for (std::size_t k = 0; k < old.size(); ++k) first[k + 1] = first[k] + old[k];
    const std::string length = group + arrays.front();
    const bool fits =
        first.back() == array_of(checkpoint_.state, length).rows() && (rows.empty() || rows.back() < old.size());
    if (!fits) throw StateError(group + "/count does not agree with the lengths of the contacts and of " + length);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      counts[k] = old[rows[k]];
      for (std::size_t s = first[rows[k]]; s < first[rows[k] + 1]; ++s) entries.push_back(s);
    }
  }
  for (const char* name : arrays) {
    fill_rows(state, group + name, entries.size(), checkpoint_.state, [&](const StateArray& from, StateArray& array) {
      for (std::size_t k = 0; k < entries.size(); ++k) copy_row(from, entries[k], array, k);
    });
  }
  StateArray& count = mutable_array(state, group + "/count");
  count.bytes.assign(counts.size() * sizeof(std::uint32_t), std::byte{});
  write_ids(count, counts);
}

std::vector<std::string> StartPoint::notes_of_pairs(const Scene& scene, const Contacts& pairs,
                                                    const NodeBonds& node_bonds) {
  std::vector<std::string> notes;
  notes.push_back("start: " + counted(pairs.row.size(), "contact", "contacts") + " among particles go on");
  if (pairs.begin_anew > 0) {
    const char* const why = "their law is another one, or what their load history means";
    notes.push_back("start: " + counted(pairs.begin_anew, "contact", "contacts") +
                    " among particles begin anew, without shear: " + why +
                    (scene.has_bonds() ? ", or their bonds are made anew" : ""));
  }
  if (node_bonds.go_on > 0) {
    notes.push_back("start: " + counted(node_bonds.go_on, "bond", "bonds") + " of nodes go on");
  }
  if (const std::size_t ended = pairs.ended_bonds + node_bonds.ended; ended > 0 && !makes_bonds_at_start(scene)) {
    notes.push_back("start: " + counted(ended, "whole bond ends", "whole bonds end") +
                    ", since the law, the rolling resistance or a pull of the contact is another one");
  }
  if (makes_bonds_at_start(scene)) {
    notes.push_back(
        "start: bonds are made anew between all particles that are near, also where bonds had broken; with the form "
        "\"kept\" the bonds of the checkpoint would go on");
  }
  return notes;
}

std::vector<std::string> StartPoint::give_contacts(const Case& input, const Scene& scene, Engine& engine) const {
  std::vector<std::string> notes;
  try {
    EngineState state = engine.save();
    put_bodies(scene, state);
    put_clumps(scene, state);
    put_cell(state);
    const Contacts pairs = lasting_pairs(scene);
    put_pairs(pairs, state);
    const NodeBonds node_bonds = put_node_bonds(scene, state);
    notes = notes_of_pairs(scene, pairs, node_bonds);
    const std::size_t ended = return_liquid(pairs.ended, state);
    if (ended > 0) {
      notes.push_back("start: " + counted(ended, "bridge ends", "bridges end") +
                      ", with half of the liquid on the film of each particle");
    }
    const BoundaryContacts at_boundaries = lasting_boundary_contacts(input, scene, state);
    put_boundary_contacts(at_boundaries, state);
    if (!at_boundaries.row.empty()) {
      notes.push_back("start: " + counted(at_boundaries.row.size(), "contact", "contacts") + " with boundaries go on");
    }
    if (at_boundaries.begin_anew > 0) {
      notes.push_back("start: " + counted(at_boundaries.begin_anew, "contact", "contacts") +
                      " with boundaries begin anew, without shear: their law or boundary is another one, or the "
                      "boundary does not begin where it stood");
    }
    engine.restore(state);
  } catch (const StateError& error) {
    throw CaseError("start", file_.string() + " does not fit this case: " + error.what());
  }
  return notes;
}

std::vector<std::string> continue_contacts(const SceneReport& report, const Case& input, const Scene& scene,
                                           Engine& engine) {
  if (!report.start) { return {}; }
  return report.start->give_contacts(input, scene, engine);
}

}  // namespace scree
