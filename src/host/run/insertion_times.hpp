#pragma once

#include <cstdint>
#include <vector>

#include "scree/engine.hpp"
#include "scree/engine_state.hpp"
#include "scree/scene.hpp"

namespace scree {

/// When the particles of a run came in. Ids are given in order, so that one number is kept for each time at which
/// particles came in, not for each particle.
class InsertionTimes {
 public:
  explicit InsertionTimes(const Scene& scene) : at_start_(scene.particles.size()), known_ids_(at_start_) {}

  /// Notes that the particles that were inserted into the engine since the last call came in at its present time.
  void note(const Engine& engine);
  /// [s] When a particle came in: 0 for particles of the start; NaN where it is not known.
  [[nodiscard]] double of(std::uint64_t id) const;
  /// [s] since a particle came in. Where that is not known: since this run was resumed.
  [[nodiscard]] double age(std::uint64_t id, double time) const;

  /// The arrays for a checkpoint; their names begin with "left/".
  [[nodiscard]] std::vector<StateArray> save() const;
  /// Restores what save() has returned; without arrays the times of inserted particles are not known. Throws
  /// StateError.
  void restore(const std::vector<StateArray>& arrays, const Engine& engine);
  /// Whether the checkpoint of a resumed run did not tell when some particles came in.
  [[nodiscard]] bool lacks_some() const { return lacks_some_; }

 private:
  std::uint64_t at_start_;  ///< ids below this one are of the start
  // Particles come in together: the ids from first_id_[k] up to the next came in at time_[k].
  std::vector<std::uint64_t> first_id_;
  std::vector<double> time_;  ///< [s]
  std::uint64_t known_ids_;   ///< ids below this one are noted
  bool lacks_some_ = false;
  double resumed_ = 0;  ///< [s]
};

}  // namespace scree
