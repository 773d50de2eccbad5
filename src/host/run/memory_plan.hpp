#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scree/engine.hpp"
#include "scree/outputs.hpp"
#include "scree/scene.hpp"

namespace scree {

/// How much memory a run of a scene will take once its particles lie densely: what Engine::memory() will say, to some
/// ten per cent, from the sizes of its arrays. Lists that grow beyond the Verlet distance of the scene, and boundaries
/// with many particles, are not in it.
class MemoryPlan {
 public:
  static constexpr double contacts_per_particle = 2.1;  ///< of a dense packing of frictional spheres under shear

  /// Plans as if the scene had this number of particles, with the sizes of its own.
  MemoryPlan(const Scene& scene, std::size_t particles);

  /// All but load histories (law jaeger), under the names of Engine::memory().
  [[nodiscard]] const std::vector<MemoryItem>& items() const { return items_; }
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] double pairs_per_particle() const { return pairs_per_particle_; }

  /// Mean numbers of segments per contact to plan for: dense shear with merging or much damping, and without; less
  /// where most_segments asks for it.
  [[nodiscard]] std::vector<double> usual_lengths() const;
  /// Bytes of all load histories of this mean number of segments: a few stand beside the contact, the others are in
  /// pages of eight, of which one per listed pair is held free.
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
