#pragma once

#include "kernels/contact/boundary_step.hpp"

namespace scree::inline SCREE_BACKEND {

inline constexpr std::size_t exact_sum_words = sizeof(ExactSum) / sizeof(std::int64_t);

/// Sums the forces and torques of the last step on each moving boundary. Each lane sums its share of the rows. The sums
/// are exact, so they depend neither on the number of lanes nor on the order in memory.
template <class R>
struct BoundaryLoadSum {
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slot;
  Span<Vec3<R>> couple;  ///< [N m] on the bodies; empty if no law has couples
  Span<Feature> feature;
  Span<std::uint32_t> place;  ///< [n_boundaries] place among the moving boundaries; no_index: it does not move
  std::size_t n_rows, lanes, n_moving;
  Span<ExactSum> sums;  ///< [lanes * n_moving * load_components]

  SCREE_HD void operator()(std::size_t lane) const {
    ExactSum* const own = &sums[lane * n_moving * load_components];
    for (std::size_t k = 0; k < n_moving * load_components; ++k) { own[k] = ExactSum{}; }
    const offset_t end = row_start[n_rows * (lane + 1) / lanes];
    for (offset_t k = row_start[n_rows * lane / lanes]; k < end; ++k) {
      if (slot[k].touching == 0) { continue; }
      const std::uint32_t at = place[feature[slot[k].feature].boundary];
      if (at == no_index) { continue; }
      const Vec3d force = -convert<double>(slot[k].force);
      Vec3d torque = cross(slot[k].point, force);
      if (couple.size > 0) { torque = torque - convert<double>(couple[k]); }
      ExactSum* const load = own + at * load_components;
      load[0].add(force.x), load[1].add(force.y), load[2].add(force.z);
      load[3].add(torque.x), load[4].add(torque.y), load[5].add(torque.z);
    }
  }
};

/// Adds the sums of all lanes to the sums of the first lane; one thread per word.
struct BoundaryLoadMerge {
  Span<ExactSum> sums;
  std::size_t lanes, n_sums;  ///< n_sums: number of sums of one lane
  SCREE_HD void operator()(std::size_t word) const {
    static_assert(sizeof(ExactSum) == exact_sum_words * sizeof(std::int64_t));
    auto* const words = reinterpret_cast<std::int64_t*>(sums.data);
    std::int64_t total = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) { total += words[lane * n_sums * exact_sum_words + word]; }
    words[word] = total;
  }
};

}  // namespace scree::inline SCREE_BACKEND
