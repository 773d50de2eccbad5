#include <algorithm>
#include <map>
#include <numeric>

#include "host/start/start_from.hpp"
#include "host/storage/state_arrays.hpp"
#include "scree/errors.hpp"

// Finds the contacts with boundaries in the old state that continue in the new scene.
namespace scree {
namespace {

/// Whether a stage that began before this state moves the boundary with this name.
bool stages_moved(const std::string& name, const Json& there, const EngineState& state) {
  const StateArray* const begun = state.find("stages/begin_step");
  const auto stages = there.find("stages");
  if (begun == nullptr || stages == there.end() || !stages->is_array()) return false;
  for (std::size_t k = 0; k < begun->rows() && k < stages->size(); ++k) {
    const auto changes = (*stages)[k].find("boundaries");
    if (changes == (*stages)[k].end() || !changes->contains(name)) continue;
    if ((*changes)[name].contains("motion")) return true;
  }
  return false;
}

}  // namespace

/// The surfaces of the boundaries of a state.
struct StartPoint::Surfaces {
  std::vector<std::uint32_t> features;  ///< [n_boundaries, 2] the first feature, and how many follow
  std::vector<std::uint64_t> shapes;    ///< [n_boundaries, 2] hashes

  explicit Surfaces(const EngineState& state)
      : features(numbers<std::uint32_t>(state, "boundaries/features", 2)),
        shapes(numbers<std::uint64_t>(state, "boundaries/shapes", 2)) {
    if (features.size() != shapes.size()) throw StateError("the arrays of boundaries differ in length");
  }
  [[nodiscard]] std::size_t size() const { return features.size() / 2; }
  [[nodiscard]] std::uint32_t first(std::size_t b) const { return features[2 * b]; }
  [[nodiscard]] std::uint32_t count(std::size_t b) const { return features[2 * b + 1]; }
  [[nodiscard]] bool same(std::size_t b, const Surfaces& other, std::size_t c) const {
    return shapes[2 * b] == other.shapes[2 * c] && shapes[2 * b + 1] == other.shapes[2 * c + 1];
  }
  /// The boundary with a feature. Throws StateError if no boundary has it.
  [[nodiscard]] std::size_t with(std::uint32_t feature) const {
    for (std::size_t b = 0; b < size(); ++b) {
      if (feature >= first(b) && feature - first(b) < count(b)) return b;
    }
    throw StateError("boundary_contacts name a feature that does not exist");
  }
};

/// Whether a boundary of this case has the surface of the old boundary, and begins at the last place of the old
/// boundary.
bool StartPoint::stands_where_it_stood(const OldBoundary& old, const Boundary& boundary) {
  if (!old.shape || !old.place) return false;
  if (boundary.from_start) return is_same_surface(*old.shape, boundary.shape);
  const auto moved = moved_shape(*old.shape, *old.place);
  return moved && is_same_surface(*moved, boundary.shape);
}

void StartPoint::read_boundaries(const Json& there) {
  if (!there.contains("boundaries")) { return; }
  try {
    for (const auto& [name, boundary] : there["boundaries"].items()) {
      const bool by_forces = boundary.contains("drive") || boundary.contains("servo");
      const bool moves = (boundary.contains("motion") && !boundary["motion"].empty()) || by_forces ||
                         stages_moved(name, there, checkpoint_.state);
      old_boundaries_.push_back({.name = name,
                                 .material = boundary.value("material", std::string()),
                                 .moves = moves,
                                 .by_forces = by_forces,
                                 .shape = shape_in(boundary)});
    }
  } catch (const Json::exception&) { throw StateError("the boundaries of its case cannot be read"); }
}

/// [n_old_boundaries] The boundaries that continue.
std::vector<std::optional<StartPoint::LastingBoundary>> StartPoint::lasting_boundaries(const Case& input,
                                                                                       const Surfaces& before,
                                                                                       const Surfaces& now) const {
  std::vector<std::optional<LastingBoundary>> lasting(before.size());
  for (std::size_t b = 0; b < before.size(); ++b) {
    const OldBoundary& old = old_boundaries_[b];
    const auto material = std::find_if(origin_.materials.begin(), origin_.materials.end(),
                                       [&](const auto& m) { return m.first == old.material; });
    const auto same = std::find_if(input.boundaries.begin(), input.boundaries.end(),
                                   [&](const auto& own) { return own.first == old.name; });
    if (material == origin_.materials.end() || same == input.boundaries.end()) continue;
    const auto place = static_cast<std::size_t>(same - input.boundaries.begin());
    const bool stands = old.moves ? stands_where_it_stood(old, same->second) && before.count(b) == now.count(place)
                                  : before.same(b, now, place);
    if (!stands) continue;
    lasting[b] = {static_cast<std::size_t>(material - origin_.materials.begin()), place};
  }
  return lasting;
}

/// Finds the contacts with boundaries that continue. The new boundary must have the name and the surface of the old one
/// and begin at its last place, and goes_on() must be true for the materials, as between particles.
StartPoint::BoundaryContacts StartPoint::lasting_boundary_contacts(const Case& input, const Scene& scene,
                                                                   const EngineState& present) const {
  BoundaryContacts contacts;
  const auto ids = numbers<std::uint32_t>(checkpoint_.state, "boundary_contacts/id");
  const bool is_known = checkpoint_.state.find("boundaries/shapes") != nullptr;  // older versions do not have it
  if (ids.empty() || !is_known) {
    contacts.begin_anew = ids.size();
    return contacts;
  }
  const Surfaces before(checkpoint_.state), now(present);
  if (before.size() != old_boundaries_.size() || now.size() != scene.boundaries.size()) {
    throw StateError("boundaries/shapes does not have a row for each boundary of its case");
  }
  const auto lasting = lasting_boundaries(input, before, now);
  const OldRules rules = old_rules();
  const auto feature = numbers<std::uint32_t>(checkpoint_.state, "boundary_contacts/feature");
  if (feature.size() != ids.size()) throw StateError("the arrays of boundary_contacts differ in length");
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const std::uint32_t id = new_id(ids[k], "boundary_contacts");
    if (id == gone) continue;
    const std::size_t b = before.with(feature[k]);
    const std::uint32_t of_boundary = feature[k] - before.first(b);
    const auto& boundary = lasting[b];
    const bool lasts = boundary && of_boundary < now.count(boundary->present) &&
                       goes_on(rules, scene, {old_material_[id], boundary->old_material},
                               {particles_.material[id], scene.boundaries[boundary->present].material});
    if (!lasts) {
      ++contacts.begin_anew;
      continue;
    }
    contacts.row.push_back(k);
    contacts.id.push_back(id);
    contacts.feature.push_back(now.first(boundary->present) + of_boundary);
  }
  contacts.sort();
  return contacts;
}

/// The part of bridge_range() for contacts with boundaries. It includes bridges that end because a boundary begins
/// elsewhere, which only makes the range longer than necessary.
double StartPoint::wall_bridge_range(const Scene& scene) const {
  const EngineState& state = checkpoint_.state;
  const auto ids = numbers<std::uint32_t>(state, "boundary_contacts/id");
  const StateArray* const history = state.find("boundary_contacts/history");
  if (ids.empty() || history == nullptr || history->columns == 0 || state.find("boundaries/shapes") == nullptr)
    return 1;
  const Surfaces surfaces(state);
  const auto feature = numbers<std::uint32_t>(state, "boundary_contacts/feature");
  const auto values = numbers<double>(*history, history->columns);
  if (feature.size() != ids.size() || history->rows() != ids.size() || surfaces.size() != old_boundaries_.size()) {
    throw StateError("the arrays of boundary_contacts differ in length");
  }
  const OldRules rules = old_rules();
  double range = 1;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const std::uint32_t id = new_id(ids[k], "boundary_contacts");
    if (id == gone) continue;
    const OldBoundary& old = old_boundaries_[surfaces.with(feature[k])];
    const auto material = std::find_if(origin_.materials.begin(), origin_.materials.end(),
                                       [&](const auto& m) { return m.first == old.material; });
    const auto same = std::find_if(scene.boundaries.begin(), scene.boundaries.end(),
                                   [&](const SceneBoundary& own) { return own.name == old.name; });
    if (material == origin_.materials.end() || same == scene.boundaries.end()) continue;
    const Materials before{old_material_[id], static_cast<std::size_t>(material - origin_.materials.begin())};
    const Materials present{particles_.material[id], same->material};
    const auto& liquid = scene.pair(present[0], present[1]).liquid;
    if (!liquid || !goes_on(rules, scene, before, present)) continue;
    range = std::max(range, range_of(*liquid, values[k * history->columns], particles_.radius[id]));
  }
  return range;
}

/// Sorts contacts by the ids of their particles, and contacts of one particle by their features.
void StartPoint::BoundaryContacts::sort() {
  std::vector<std::size_t> order(row.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return id[a] != id[b] ? id[a] < id[b] : feature[a] < feature[b];
  });
  const auto sorted = [&](auto& values) {
    auto old = values;
    for (std::size_t k = 0; k < order.size(); ++k) values[k] = old[order[k]];
  };
  sorted(row), sorted(id), sorted(feature);
}

/// Puts the contacts that continue into a state, with the forces of the last step on their particles. The next step
/// computes these forces again.
void StartPoint::put_boundary_contacts(const BoundaryContacts& contacts, EngineState& state) const {
  const EngineState& from = checkpoint_.state;
  fill_rows(state, "boundary_contacts/", contacts.row.size(), from, [&](const StateArray& old, StateArray& array) {
    for (std::size_t k = 0; k < contacts.row.size(); ++k) copy_row(old, contacts.row[k], array, k);
  });
  write_ids(mutable_array(state, "boundary_contacts/id"), contacts.id);
  write_ids(mutable_array(state, "boundary_contacts/feature"), contacts.feature);
  put_lists("boundary_segments", segment_arrays, contacts.row, state);
  put_lists("boundary_nodes", node_arrays, contacts.row, state);

  std::vector<std::uint32_t> touching = contacts.id;
  touching.erase(std::unique(touching.begin(), touching.end()), touching.end());
  const auto old_ids = numbers<std::uint32_t>(from, "boundary_forces/id");
  std::map<std::uint32_t, std::size_t> row_of;
  for (std::size_t k = 0; k < old_ids.size(); ++k) row_of[new_id(old_ids[k], "boundary_forces")] = k;
  fill_rows(state, "boundary_forces/", touching.size(), from, [&](const StateArray& old, StateArray& array) {
    for (std::size_t k = 0; k < touching.size(); ++k) {
      const auto row = row_of.find(touching[k]);
      if (row == row_of.end()) throw StateError("boundary_contacts and boundary_forces must have the same particles");
      copy_row(old, row->second, array, k);
    }
  });
  write_ids(mutable_array(state, "boundary_forces/id"), touching);
}

}  // namespace scree
