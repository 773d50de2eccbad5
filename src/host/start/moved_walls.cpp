#include <algorithm>
#include <string>

#include "host/geometry/real3.hpp"
#include "host/scene/time_step.hpp"
#include "host/start/start_from.hpp"
#include "host/storage/state_arrays.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

// Finds boundaries whose places at the end and at the beginning of the old run differ.
namespace scree {

void StartPoint::read_places() {
  constexpr std::size_t columns = 12;                                     // three rows of a rotation, and a shift
  if (checkpoint_.state.find("boundaries/place") == nullptr) { return; }  // older versions do not have it
  const auto numbers_of_all = numbers<double>(checkpoint_.state, "boundaries/place", columns);
  if (numbers_of_all.size() != columns * old_boundaries_.size()) {
    throw StateError("boundaries/place does not have a row for each boundary of its case");
  }
  const bool grew =
      checkpoint_.state.find("boundaries/growth") != nullptr;  // exists if the radius of a wall can change
  const auto growth = grew ? numbers<double>(checkpoint_.state, "boundaries/growth", 2) : std::vector<double>();
  if (grew && growth.size() != 2 * old_boundaries_.size()) {
    throw StateError("boundaries/growth does not have a row for each boundary of its case");
  }
  for (std::size_t b = 0; b < old_boundaries_.size(); ++b) {
    const double* const x = &numbers_of_all[columns * b];
    if (!std::all_of(x, x + columns, [](double value) { return std::isfinite(value); })) {
      throw StateError("boundaries/place has numbers that are not finite");
    }
    old_boundaries_[b].place =
        BoundaryPlace{{{{x[0], x[1], x[2]}, {x[3], x[4], x[5]}, {x[6], x[7], x[8]}}}, {x[9], x[10], x[11]}};
    if (grew && !std::isfinite(growth[2 * b])) {
      throw StateError("boundaries/growth has numbers that are not finite");
    }
    old_boundaries_[b].place->growth = grew ? growth[2 * b] : 0;
    old_boundaries_[b].moves = !old_boundaries_[b].place->is_as_given();
  }
}

const StartPoint::OldBoundary* StartPoint::old_boundary(const std::string& name) const {
  const auto found = std::find_if(old_boundaries_.begin(), old_boundaries_.end(),
                                  [&](const OldBoundary& old) { return old.name == name; });
  return found == old_boundaries_.end() ? nullptr : &*found;
}

bool StartPoint::had_moved(const std::string& name) const {
  const OldBoundary* const old = old_boundary(name);
  return old != nullptr && old->place && old->moves;
}

void StartPoint::place_boundaries(Case& input) const {
  for (auto& [name, boundary] : input.boundaries) {
    if (!boundary.from_start) { continue; }
    const std::string path = "boundaries." + name + ".from_start";
    const OldBoundary* const old = old_boundary(name);
    if (old == nullptr) {
      throw CaseError(path, "is not possible: the run that \"start\" names has no boundary of this name");
    }
    if (!old->place) {
      throw CaseError(path, "is not possible: " + file_.string() +
                                " is of an older version, which does not save the places of boundaries");
    }
    const auto moved = moved_shape(boundary.shape, *old->place);
    if (!moved) { throw CaseError(path, "is not possible for a box that has turned; give six planes"); }
    boundary.shape = *moved;
    if (!boundary.drive || old->place->is_as_given()) { continue; }
    if (boundary.drive->body && boundary.drive->body->center) {
      throw CaseError(path, "is not possible for a free body with a \"center\"; give its \"density\"");
    }
    if (auto& turns = boundary.drive->rotation) {
      turns->origin = old->place->of_point(turns->origin);
      turns->axis = old->place->of_direction(turns->axis);
    }
  }
}

/// Warns about boundaries that forces have moved and that begin at their old places. This is a likely mistake, because
/// a case is often a copy of the case of the old run.
void StartPoint::note_moved_walls(const Case& input) {
  for (const auto& [name, boundary] : input.boundaries) {
    if (boundary.from_start || !had_moved(name)) { continue; }
    const OldBoundary& old = *old_boundary(name);
    if (!old.by_forces || !old.shape || !is_same_surface(*old.shape, boundary.shape)) { continue; }
    const double way = std::max(geometry::length(old.place->offset), std::fabs(old.place->growth));
    warnings_.push_back("start: forces had moved \"" + name + "\"" +
                        (old.place->has_turned() ? "" : " by " + length_text(way)) +
                        " when that run ended, but boundaries." + name +
                        " begins at its old place, and no longer presses the particles; "
                        "\"from_start\": true puts it where it stood");
  }
}

}  // namespace scree
