#pragma once

#include <vector>

#include "kernels/step/motion/motion.hpp"

namespace scree {
struct Scene;
}

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;
struct UnorderedHash;

/// Everything that removes bodies, with the counts of removed bodies.
struct OutletSystem {
  explicit OutletSystem(const Scene& scene);

  Buffer<OutletPlane> planes;
  Buffer<OutletRegion> regions;
  Buffer<OutletCount> counts;  ///< [n_outlet_names]
  double quanta_per_mass = 1;  ///< [1/kg] a power of two; the expected mass is some 2^61 quanta
  bool lists = false;          ///< removed bodies are listed until take() is called
  Buffer<RemovedBody> removed;
  Buffer<std::uint64_t> n_removed;  ///< one number

  /// Whether anything removes bodies.
  [[nodiscard]] bool any() const { return planes.size() + regions.size() > 0; }
  /// The view for kernels, with what bodies carry: see Outlets. BodyMotion::at() sets its `end`.
  [[nodiscard]] Outlets view(Span<double> temperature, Span<double> film) {
    return {.planes = planes.view(),
            .regions = regions.view(),
            .counts = counts.view(),
            .quanta_per_mass = quanta_per_mass,
            .removed = removed.view(),
            .n_removed = n_removed.data(),
            .temperature = temperature,
            .film = film};
  }
  /// Counts a body with this mass [kg] that was removed between two steps.
  void count(std::uint32_t counter, double mass);
  /// Makes room in the list for all bodies in memory, after each search.
  void reserve(std::size_t n_bodies);
  /// What was listed since the last call, sorted by steps and ids; the list is empty afterwards.
  [[nodiscard]] std::vector<RemovedBody> take();

  void save(StateWriter& out) const;
  /// Restores the counts, and forgets the list: what it held was taken before the state was saved. Throws StateError.
  void restore(StateReader& in);
  void hash(UnorderedHash& sum) const;
  [[nodiscard]] std::uint64_t bytes() const {
    return planes.bytes() + regions.bytes() + counts.bytes() + removed.bytes() + n_removed.bytes();
  }
};

}  // namespace scree::inline SCREE_BACKEND
