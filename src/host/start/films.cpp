#include <cmath>
#include <cstring>

#include "host/start/start_from.hpp"
#include "host/storage/state_arrays.hpp"
#include "scree/errors.hpp"

/// The liquid of bridges that do not go on.
namespace scree {
namespace {

/// [m3] The liquid of a bridge, from the first number of the history of its contact: the volume, with the other sign
/// once it has ruptured and has still to give it back, or -1e30 and less where there is none yet.
double liquid_of(double state) {
  if (!std::isfinite(state)) throw StateError("a bridge has a volume that cannot be");
  return state > -1e29 ? std::fabs(state) : 0;
}

}  // namespace

/// Gives half of the liquid to the film of each of the two particles, as a rupture does. Returns how many bridges had
/// liquid; none in a case without films.
std::size_t StartPoint::return_liquid(const std::vector<EndedBridge>& bridges, EngineState& state) const {
  if (bridges.empty() || state.find("bodies/film") == nullptr) return 0;
  StateArray& array = mutable_array(state, "bodies/film");
  std::vector<double> film = numbers<double>(array, 1);
  const StateArray& history = array_of(checkpoint_.state, "pairs/history");
  const auto values = numbers<double>(history, history.columns);
  if (film.size() < particles_.size() || history.columns == 0) {
    throw StateError("the arrays of films and bridges are not as they were");
  }
  std::size_t wet = 0;
  for (const EndedBridge& bridge : bridges) {
    if (bridge.row >= history.rows()) throw StateError("the array pairs/history is not as long as those beside it");
    const double volume = liquid_of(values[bridge.row * history.columns]);
    for (const std::uint32_t id : bridge.ids) film[id] += 0.5 * volume;
    if (volume > 0) ++wet;
  }
  if (!film.empty()) std::memcpy(array.bytes.data(), film.data(), array.bytes.size());
  return wet;
}

}  // namespace scree
