#pragma once

#include <vector>

#include "kernels/backend/buffer.hpp"
#include "kernels/heat/heat_model.hpp"
#include "kernels/math/exact_sum.hpp"
#include "kernels/state/bodies.hpp"
#include "scree/heat.hpp"

namespace scree {
struct ParticleSet;
struct Scene;
struct SceneBoundary;
}  // namespace scree

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;
struct UnorderedHash;
template <class R>
struct RunState;

/// Temperatures of the bodies of a run and the heat that flows between them and from boundaries. Empty in a run without
/// heat. Members of a clump share a temperature.
template <class R>
class HeatSystem {
 public:
  explicit HeatSystem(const Scene& scene);

  [[nodiscard]] bool any() const { return on_; }
  /// Whether losses of contacts become heat.
  [[nodiscard]] bool dissipates() const { return on_ && model_.dissipation > 0; }

  /// Appends the temperatures of `particles`. To be called after their bodies and clumps were appended; `first` is the
  /// position in memory of the first one.
  void append(RunState<R>& run, const ParticleSet& particles, std::size_t first, bool at_start);
  /// Sorts all values in the order of a search: the body that now comes first was at order[0].
  void sort(RunState<R>& run, Span<index_t> order);
  /// From now on boundary `index` has the thermal values of `boundary`. To be called between two steps.
  void set_boundary(std::size_t index, const SceneBoundary& boundary);
  /// Carries the digits of the sums before they overflow. To be called before each batch of steps.
  void carry_in_time(RunState<R>& run);
  /// Launches the flows of heat at the present places. To be called in a step, after the boundary contacts and before
  /// the motion.
  void flow(RunState<R>& run);
  /// Launches the change of all temperatures. To be called in a step, after the motion. If losses of contacts become
  /// heat, `before` has the velocities before the motion.
  void step(RunState<R>& run, Span<BodySpeed<R>> before);

  /// Counts the heat of bodies at these positions in memory, which are removed between two steps. They have none
  /// afterwards.
  void remove(RunState<R>& run, const std::vector<index_t>& places);
  [[nodiscard]] HeatReport report(RunState<R>& run);
  [[nodiscard]] std::vector<double> temperatures() const { return temperature_.to_vector(); }  ///< [n_bodies] [K]
  [[nodiscard]] Span<double> temperature() { return temperature_.view(); }
  void hash(RunState<R>& run, UnorderedHash& sum);
  /// `ids` of the bodies that are saved, in their order.
  void save(RunState<R>& run, const std::vector<index_t>& ids, StateWriter& out);
  /// To be called when the bodies are restored. Throws StateError.
  void restore(RunState<R>& run, const std::vector<index_t>& ids, const std::vector<index_t>& place_of_id,
               StateReader& in);
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  template <bool has_gas, bool radiates>
  void flow_between_pairs(RunState<R>& run);
  void add_up(RunState<R>& run);
  [[nodiscard]] std::vector<ExactSum> sums() const;
  [[nodiscard]] std::vector<double> flows(RunState<R>& run);
  [[nodiscard]] std::size_t n_sums() const { return n_boundaries_ + 2; }
  [[nodiscard]] std::size_t lane_count(const RunState<R>& run) const;

  bool on_ = false;
  HeatModel model_;
  std::size_t n_boundaries_ = 0;
  double start_temperature_ = 0;       ///< [K] of particles for which none is given
  std::vector<double> heat_per_mass_;  ///< [n_materials] [J/(kg K)]
  Buffer<HeatPair> pairs_;             ///< [n_materials * n_materials]
  Buffer<BoundaryHeat> walls_;         ///< [n_boundaries]
  Buffer<double> emissivity_;          ///< [n_materials]
  Buffer<double> temperature_;         ///< [n_bodies] [K]
  Buffer<double> capacity_;            ///< [n_bodies] [J/K]; of a clump shared equally among its members
  Buffer<double> spare_;               ///< work space of sort()
  Buffer<HeatRate> of_slot_;           ///< [n_pairs] into the first body, in the step
  Buffer<HeatRate> rate_;              ///< [n_bodies] of the step
  Buffer<double> slot_power_;          ///< [n_slots] [W] from the boundary, in the step
  Buffer<double> gained_, left_;       ///< [n_bodies] [J] by dissipation, and of bodies that left, in the step
  /// [n_lanes * (n_boundaries + 2)] [J] supplied by each boundary, dissipation, removed
  Buffer<ExactSum> lanes_;
  std::uint64_t carried_ = 0;  ///< step before which digits were carried; the sums do not depend on it
  double start_ = 0;           ///< [J] heat at the start
  std::vector<double> flow_;   ///< [n_boundaries] [W] in the last step before a state was restored; else empty
  ExactSum inserted_{};        ///< [J]
};

}  // namespace scree::inline SCREE_BACKEND
