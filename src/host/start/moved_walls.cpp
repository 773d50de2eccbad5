#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "host/geometry/real3.hpp"
#include "host/geometry/turn.hpp"
#include "host/scene/time_step.hpp"
#include "host/start/start_from.hpp"
#include "host/start/state_arrays.hpp"
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

/// Where motions took a boundary: a turn about an axis through the origin, then a shift [m].
struct Moved {
  bool is_known = true;
  Turn turn{};
  Real3 shift{};

  [[nodiscard]] Real3 turned(const Real3& point) const {
    if (turn.angle == 0) { return point; }
    std::vector<Real3> points{point};
    geometry::turn(points, turn);
    return points.front();
  }
  void turn_about(const Json& at, double angle) {
    at.at("axis").get_to(turn.axis);
    turn.angle = angle;
    Real3 origin{};
    if (at.contains("origin")) { at["origin"].get_to(origin); }
    shift = geometry::add(shift, geometry::subtract(origin, turned(origin)));
  }
  [[nodiscard]] bool is_none() const { return is_known && turn.angle == 0 && shift == Real3{}; }
};

/// One steady motion, or the motion due to forces about a fixed axis; others are not known. `state`: shift, velocity,
/// angle, rate and work of the motion due to forces.
Moved moved(const Json& boundary, const double* state, double time) {
  Moved result;
  const auto motions = boundary.find("motion");
  const bool moves = motions != boundary.end() && !motions->empty(), turns = state[6] != 0;
  const bool is_body = boundary.contains("drive") && boundary["drive"].contains("body");
  if (is_body || (moves && (turns || motions->size() > 1))) { return {false, {}, {}}; }
  if (moves) {
    const Json& motion = motions->is_array() ? motions->front() : *motions;
    const double from = motion.value("from", 0.0);
    const double span = std::fmax(std::fmin(time, motion.value("until", time)) - from, 0);
    const std::string type = motion.at("type").get<std::string>();
    if (type == "translation") {
      result.shift = geometry::scaled(motion.at("velocity").get<Real3>(), span);
    } else if (type == "rotation") {
      result.turn_about(motion, motion.at("rate").get<double>() * span);
    } else {
      return {false, {}, {}};
    }
  }
  if (turns) { result.turn_about(boundary.at("drive").at("rotation"), state[6]); }
  result.shift = geometry::add(result.shift, {state[0], state[1], state[2]});
  return result;
}

std::string point_text(const Real3& x) {
  return "[" + number_text(x[0]) + ", " + number_text(x[1]) + ", " + number_text(x[2]) + "]";
}

/// The keys of a boundary that say where motions left it; empty where no keys can.
std::string keys_of_place(const Json& boundary, const Moved& by) {
  const auto old = [&](const char* key) { return boundary.contains(key) ? boundary[key].get<Real3>() : Real3{}; };
  const std::string type = boundary.at("type").get<std::string>();
  if (type == "plane") {
    std::string text = "\"point\": " + point_text(geometry::add(by.turned(old("point")), by.shift));
    if (by.turn.angle != 0) { text += ", \"normal\": " + point_text(by.turned(old("normal"))); }
    return text;
  }
  if (type != "mesh") { return {}; }
  double angle = by.turn.angle;
  if (angle != 0 && boundary.contains("rotate")) {  // turns about one axis add up, others have no simple sum
    const Json& first = boundary["rotate"];
    const Real3 a = geometry::unit(first.value("axis", Real3{0, 0, 1})), b = geometry::unit(by.turn.axis);
    const double along = geometry::dot(a, b);
    if (std::fabs(along) < 1 - 1e-12) { return {}; }
    angle += std::copysign(first.value("angle", 0.0), along * first.value("angle", 0.0));
  }
  const Real3 place = geometry::add(by.turned(old("translate")), by.shift);
  std::string text;
  if (angle != 0 && by.turn.angle != 0) {
    text = "\"rotate\": {\"axis\": " + point_text(by.turn.axis) + ", \"angle\": " + number_text(angle) + "}";
  }
  if (place != old("translate")) { text += (text.empty() ? "" : ", ") + ("\"translate\": " + point_text(place)); }
  return text;
}

}  // namespace

std::string StartPoint::place_text(const std::string& name) const {
  const auto found = std::find_if(old_boundaries_.begin(), old_boundaries_.end(),
                                  [&](const OldBoundary& old) { return old.name == name; });
  return found == old_boundaries_.end() ? std::string() : found->place;
}

void StartPoint::note_places(const Json& there) {
  constexpr std::size_t columns = 9;  // shift, velocity, angle, rate, work
  const StateArray* const driven = checkpoint_.state.find("boundaries/driven");
  if (driven == nullptr || !there.contains("boundaries")) { return; }
  const auto states = numbers<double>(*driven, columns);
  for (std::size_t b = 0; b < old_boundaries_.size() && columns * (b + 1) <= states.size(); ++b) {
    OldBoundary& old = old_boundaries_[b];
    if (!old.moves) { continue; }
    try {
      const Json& boundary = there["boundaries"].at(old.name);
      const Moved by =
          old.steered ? Moved{false, {}, {}} : moved(boundary, states.data() + columns * b, checkpoint_.time);
      if (by.is_none()) { continue; }
      const std::string keys = by.is_known ? keys_of_place(boundary, by) : std::string();
      old.place = keys.empty() ? "it had moved when that run ended, and begins here where it began there; a further "
                                 "stage of that run goes on from where it stood"
                               : "it had moved when that run ended; " + keys + " puts it where it stood";
    } catch (const Json::exception&) { throw StateError("the boundaries of its case cannot be read"); }
  }
}

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
