#include "kernels/cell/room.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "kernels/math/real3.hpp"
#include "kernels/run_state.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr double infinite_room = std::numeric_limits<double>::infinity();
constexpr double no_tilt = 1e-9;  ///< [-] 1 minus the cosine of a normal that counts as parallel to an axis

/// [m] Length of the room between two planes across axis k; infinite without them.
template <class R>
double length_between_planes(RunState<R>& run, std::size_t k) {
  double lowest = -infinite_room, highest = infinite_room;
  for (std::size_t b = 0; b < run.scene.boundaries.size(); ++b) {
    const auto* plane = std::get_if<PlaneBoundary>(&run.scene.boundaries[b].shape);
    if (plane == nullptr || !run.boundary.is_present(b)) { continue; }
    if (!(std::abs(plane->normal[k]) >= 1 - no_tilt)) { continue; }
    const Real3 place = real3(run.boundary.pose_at(b, run.time()).place(vec(plane->point)));
    if (plane->normal[k] > 0) {
      lowest = std::max(lowest, place[k]);
    } else {
      highest = std::min(highest, place[k]);
    }
  }
  return highest > lowest ? highest - lowest : infinite_room;
}

}  // namespace

template <class R>
double room_in_cell(RunState<R>& run) {
  double volume = run.cell.volume();
  for (int k = 0; k < 3; ++k) {
    if (run.cell.along(k)) { continue; }
    const auto axis = static_cast<std::size_t>(k);
    const double room = length_between_planes(run, axis);
    if (!std::isfinite(room)) { continue; }
    volume *= room / std::abs(real3(run.cell.geometry().edges.column(k))[axis]);
  }
  return volume;
}

template double room_in_cell(RunState<float>&);
template double room_in_cell(RunState<double>&);

}  // namespace scree::inline SCREE_BACKEND
