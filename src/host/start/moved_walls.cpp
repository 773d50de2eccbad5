#include <algorithm>

#include "host/geometry/real3.hpp"
#include "host/scene/time_step.hpp"
#include "host/start/start_from.hpp"
#include "host/storage/state_arrays.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

/// Where a boundary of the old case stood before forces moved it, and the key that says so.
struct OldPlace {
  std::string key;  ///< "point" of a plane, "translate" of a mesh
  Real3 place{};    ///< [m]
};

std::optional<OldPlace> old_place(const Json& boundary) {
  try {
    const std::string type = boundary.at("type").get<std::string>();
    if (type != "plane" && type != "mesh") { return std::nullopt; }
    OldPlace old{type == "plane" ? "point" : "translate", {}};
    if (boundary.contains(old.key)) { boundary[old.key].get_to(old.place); }
    return old;
  } catch (const Json::exception&) { throw StateError("the boundaries of its case cannot be read"); }
}

/// The same place [m] of a boundary of this case.
std::optional<Real3> place_of(const BoundaryShape& shape) {
  if (const auto* plane = std::get_if<PlaneBoundary>(&shape)) { return plane->point; }
  if (const auto* mesh = std::get_if<MeshBoundary>(&shape)) { return mesh->translate; }
  return std::nullopt;
}

}  // namespace

/// A case is often copied from that of the start, with walls where they stood before they pressed the sample.
void StartPoint::note_moved_walls(const Json& there, const Case& input) {
  constexpr std::size_t columns = 9;  // shift, velocity, angle, rate, work
  const StateArray* const driven = checkpoint_.state.find("boundaries/driven");
  if (driven == nullptr || !there.contains("boundaries")) { return; }
  const auto states = numbers<double>(*driven, columns);
  std::size_t row = 0;
  for (const auto& [name, boundary] : there["boundaries"].items()) {
    if (columns * (row + 1) > states.size()) { throw StateError("boundaries/driven has too few rows"); }
    const double* const state = states.data() + columns * row++;
    const Real3 shift{state[0], state[1], state[2]};
    const auto same = std::find_if(input.boundaries.begin(), input.boundaries.end(),
                                   [&, key = name](const auto& own) { return own.first == key; });
    const auto old = old_place(boundary);
    if (shift == Real3{} || !old || same == input.boundaries.end()) { continue; }
    if (place_of(same->second.shape) != old->place) { continue; }
    const Real3 now = geometry::add(old->place, shift);
    std::string sentence = "start: forces had moved \"" + name + "\" by ";
    sentence += length_text(geometry::length(shift)) + " when that run ended, but boundaries." + name;
    sentence += " begins at its old place, and the particles have lost what it pressed them with; \"" + old->key;
    sentence += "\": [" + number_text(now[0]) + ", " + number_text(now[1]) + ", " + number_text(now[2]);
    warnings_.push_back(sentence + "] puts it where it stood");
  }
}

}  // namespace scree
