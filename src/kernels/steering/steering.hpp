#pragma once

#include <optional>

#include "kernels/state/bodies.hpp"
#include "scree/engine.hpp"

/// Changes that a program may make between two steps, and its access to the bodies. See Engine for the meaning of each
/// call. The caller has settled the energies, and has ordered a search where Engine says that the next step makes one.
namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// Position in memory of each of these spheres. Throws ContractError for an id that is named twice, that is not in the
/// run or that is of a member of a clump.
template <class R>
[[nodiscard]] std::vector<index_t> places_of_spheres(RunState<R>& run, const std::vector<std::uint32_t>& ids);

template <class R>
[[nodiscard]] BodyColumns body_columns(RunState<R>& run);

/// Changes that a caller makes in the columns of the bodies.
template <class R>
class BodyEdit {
 public:
  /// Stores the velocities before the edit.
  void begin(RunState<R>& run);
  /// Bodies with a new velocity lose the part that rounding had left out of the old one. Positions are rounded to the
  /// grid of the cell.
  void end(RunState<R>& run);

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  Buffer<BodySpeed<R>> before_;  ///< empty in double precision, where nothing is left out
};

template <class R>
void set_bodies(RunState<R>& run, const BodyChange& change);
template <class R>
void set_clumps(RunState<R>& run, const ClumpChange& change);
template <class R>
void set_gravity(RunState<R>& run, const Real3& gravity);
template <class R>
void set_group(RunState<R>& run, std::size_t index, const GroupChange& change, bool is_made);
template <class R>
void join_group(RunState<R>& run, std::size_t index, const std::vector<std::uint32_t>& ids);
template <class R>
void set_friction(RunState<R>& run, const std::vector<PairFriction>& changes);
template <class R>
void set_damping(RunState<R>& run, double damping, double viscous);
template <class R>
void set_time_step(RunState<R>& run, double fixed, double safety, std::uint64_t since);
template <class R>
void set_present(RunState<R>& run, std::size_t boundary, bool present);
template <class R>
void set_boundary_heat(RunState<R>& run, std::size_t boundary, std::optional<double> temperature,
                       std::optional<double> heat_flux);

}  // namespace scree::inline SCREE_BACKEND
