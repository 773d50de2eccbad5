#include <algorithm>
#include <cmath>
#include <cstring>

#include "host/scene/adhesion_range.hpp"
#include "host/start/start_from.hpp"
#include "host/storage/state_arrays.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

// The liquid of bridges: the range of bridges that continue, and the liquid of those that end.
namespace scree {
namespace {

/// The liquid [m3] of a bridge, from the first number of the history of its contact. The number is the volume, minus
/// the volume after a rupture until the liquid is returned, or at most -1e30 if there is no bridge yet.
double liquid_of(double state) {
  if (!std::isfinite(state)) {
    throw StateError("the volume of a bridge in pairs/history must be finite, got " + number_text(state));
  }
  return state > -1e29 ? std::fabs(state) : 0;
}

}  // namespace

double StartPoint::range_of(const LiquidBridges& liquid, double state, double reach) {
  const double volume = liquid_of(state);
  return state > 0 ? range_of_bridge(liquid, volume, reach) : 1;
}

double StartPoint::bridge_range(const Scene& scene) const {
  if (std::none_of(scene.pairs.begin(), scene.pairs.end(), [](const auto& pair) { return pair.liquid.has_value(); })) {
    return 1;
  }
  try {
    double range = wall_bridge_range(scene);
    const PairHistories histories(checkpoint_.state);
    const Contacts contacts = lasting_pairs(scene);
    for (std::size_t k = 0; k < contacts.row.size(); ++k) {
      const std::uint32_t i = contacts.ids[2 * k], j = contacts.ids[2 * k + 1];
      const auto& liquid = scene.pair(particles_.material[i], particles_.material[j]).liquid;
      if (!liquid) continue;
      const double reach = particles_.radius[i] + particles_.radius[j];
      range = std::max(range, range_of(*liquid, histories.number(contacts.row[k], 0), reach));
    }
    return range;
  } catch (const StateError& error) {
    throw CaseError("start", file_.string() + " does not fit this case: " + error.what());
  }
}

/// Adds half of the liquid of each bridge to the film of each of its two particles, as a rupture does. Returns the
/// number of bridges with liquid; 0 in a case without films.
std::size_t StartPoint::return_liquid(const std::vector<EndedBridge>& bridges, EngineState& state) const {
  if (bridges.empty() || state.find("bodies/film") == nullptr) return 0;
  StateArray& array = mutable_array(state, "bodies/film");
  std::vector<double> film = numbers<double>(array, 1);
  const StateArray& history = array_of(checkpoint_.state, "pairs/history");
  const auto values = numbers<double>(history, history.columns);
  if (film.size() < particles_.size() || history.columns == 0) {
    throw StateError("the arrays of films and bridges are too short");
  }
  std::size_t wet = 0;
  for (const EndedBridge& bridge : bridges) {
    if (bridge.row >= history.rows())
      throw StateError("the array pairs/history has fewer rows than the other arrays of pairs");
    const double volume = liquid_of(values[bridge.row * history.columns]);
    for (const std::uint32_t id : bridge.ids) film[id] += 0.5 * volume;
    if (volume > 0) ++wet;
  }
  if (!film.empty()) std::memcpy(array.bytes.data(), film.data(), array.bytes.size());
  return wet;
}

}  // namespace scree
