#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "scree/engine.hpp"
#include "scree/engine_state.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The times and inlets of the particles that came in during a run. Ids are given in order, so one entry covers all
/// particles that an inlet brought at one time.
class Insertions {
 public:
  explicit Insertions(const Scene& scene) : at_start_(scene.particles.size()), known_ids_(at_start_) {}

  static constexpr std::uint64_t no_inlet = std::numeric_limits<std::uint64_t>::max();

  /// Records that the particles inserted since the last call came in at the present time of the engine. `inlet` is the
  /// index in Case::particles of their inlet; no_inlet: a program inserted them.
  void note(const Engine& engine, std::uint64_t inlet = no_inlet);
  /// [s] The time at which a particle came in: 0 for particles of the start; NaN if it is not known.
  [[nodiscard]] double time_of(std::uint64_t id) const;
  /// Index in Case::particles of the inlet that brought a particle; no_inlet for others and where it is not known.
  [[nodiscard]] std::uint64_t inlet_of(std::uint64_t id) const;
  /// [s] The time since a particle came in; if that is not known, the time since this run was resumed.
  [[nodiscard]] double age(std::uint64_t id, double time) const;

  /// The arrays for a checkpoint; their names begin with "left/".
  [[nodiscard]] std::vector<StateArray> save() const;
  /// Restores what save() has returned; without arrays the times of inserted particles are not known. Throws
  /// StateError.
  void restore(const std::vector<StateArray>& arrays, const Engine& engine);
  /// Whether the checkpoint of a resumed run did not tell when some particles came in.
  [[nodiscard]] bool lacks_some() const { return lacks_some_; }

 private:
  static constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();
  /// The entry k of a particle that came in during the run; `unknown`: there is none.
  [[nodiscard]] std::size_t entry_of(std::uint64_t id) const;

  std::uint64_t at_start_;  ///< ids below this one are of the start
  // Particles come in together: the ids from first_id_[k] up to the next came in at time_[k] through inlet_[k].
  std::vector<std::uint64_t> first_id_, inlet_;
  std::vector<double> time_;  ///< [s]
  std::uint64_t known_ids_;   ///< ids below this one are noted
  bool lacks_some_ = false;
  double resumed_ = 0;  ///< [s]
};

}  // namespace scree
