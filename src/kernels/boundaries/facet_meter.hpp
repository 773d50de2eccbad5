#pragma once

#include <vector>

#include "kernels/backend/buffer.hpp"
#include "kernels/step/boundaries/facet_sums.hpp"
#include "scree/engine.hpp"

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;
struct UnorderedHash;
template <class R>
struct RunState;

/// Sums the loads of bodies on the facets of meshes; see SceneBoundary::facet_loads. The sums do not depend on any
/// order.
class FacetMeter {
 public:
  explicit FacetMeter(const Scene& scene);

  [[nodiscard]] bool any() const { return face_.size() > 0; }
  /// To be called after each search, and before the contacts of the next step.
  template <class R>
  void note_lists(RunState<R>& run);
  /// To be called before each batch of steps. Begins the next interval if one has ended, and carries the digits of the
  /// sums before they overflow.
  template <class R>
  void carry_in_time(RunState<R>& run);
  /// Launches the sums of one step, when its forces are known and bodies have not moved yet.
  template <class R>
  void add(RunState<R>& run);

  /// The sums of each mesh that has them. With `begin_interval` the interval ends at `time` [s], the present time, and
  /// a new one begins with the next step. Until then this returns the sums of the old interval, so they are read again
  /// when a run is resumed at that moment.
  [[nodiscard]] std::vector<FacetLoads> read(double time, bool begin_interval);
  void save(StateWriter& out) const;
  /// Throws StateError.
  void restore(StateReader& in);
  void hash(UnorderedHash& sum) const;
  [[nodiscard]] std::uint64_t bytes() const { return first_face_.bytes() + face_.bytes() + touched_.bytes(); }

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  static constexpr double goes_on = -1;  ///< instead of the end of an interval

  std::vector<std::uint32_t> boundary_, n_facets_;  ///< of each mesh with sums: its index, and its facets in one copy
  Buffer<std::uint32_t> first_face_;                ///< see AddFacetLoads
  Buffer<FacetSums> face_;
  Buffer<std::uint8_t> touched_;   ///< see AddFacetLoads
  std::vector<FacetSums> before_;  ///< the sums when the interval began
  double since_ = 0;               ///< [s] of that moment
  double end_ = goes_on;           ///< [s] when the interval has ended, if no step was made since then
  std::uint64_t carried_ = 0;      ///< step before which digits were carried; the sums do not depend on it
};

}  // namespace scree::inline SCREE_BACKEND
