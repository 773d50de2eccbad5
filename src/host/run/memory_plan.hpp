#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scree/engine.hpp"
#include "scree/outputs.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The memory that a run of a scene will need once its particles are densely packed: an estimate of Engine::memory() to
/// some ten per cent, from the sizes of its arrays. It leaves out neighbour lists that grow beyond the Verlet distance
/// of the scene, and boundaries with many particles.
class MemoryPlan {
 public:
  static constexpr double contacts_per_particle = 2.1;  ///< of a dense packing of frictional spheres under shear

  /// Plans for this number of particles, which have the sizes of those in the scene.
  MemoryPlan(const Scene& scene, std::size_t particles);

  /// All memory but load histories (law jaeger), under the names of Engine::memory().
  [[nodiscard]] const std::vector<MemoryItem>& items() const { return items_; }
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] double pairs_per_particle() const { return pairs_per_particle_; }

  /// The mean numbers of segments per contact to plan for: dense shear with merging or strong damping, and without.
  /// They are smaller if most_segments limits them.
  [[nodiscard]] std::vector<double> usual_lengths() const;
  /// Bytes of all load histories with this mean number of segments. A few segments lie beside the contact and the
  /// others in pages of eight, of which one per listed pair is kept free.
  [[nodiscard]] std::uint64_t load_histories(double mean_length) const;

 private:
  struct Laws {
    std::size_t history = 0;  ///< values per contact beside the shear
    bool couples = false;
  };
  [[nodiscard]] static Laws laws_of(const Scene& scene);
  /// [bytes] per listed pair, for the uppermost segments of its history
  [[nodiscard]] std::uint64_t stack_end() const;

  std::vector<MemoryItem> items_;
  double particles_, pairs_per_particle_;
  bool mixed_;
  double most_segments_;  ///< of all pairs of materials with the law; infinite where one keeps all
};

/// [bytes] The most memory that copies of spheres for frames take: two frames wait while a third one is written
/// (OutputQueue). Surfaces and nodes of level-set grains, and meshes that move, are left out.
[[nodiscard]] std::uint64_t frames_in_memory(const Scene& scene, const FrameOutput& output, std::size_t particles);
/// [bytes] The same for files of contacts in a dense packing: their copies, and the lists that the engine hands over
/// for one of them.
[[nodiscard]] std::uint64_t contacts_in_memory(const Scene& scene, std::size_t particles);

}  // namespace scree
