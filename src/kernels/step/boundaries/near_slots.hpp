#pragma once

#include <algorithm>

#include "kernels/shapes/closest_eight.hpp"
#include "kernels/step/boundaries/boundary_views.hpp"
#include "kernels/step/boundaries/feature_choice.hpp"
#include "kernels/step/boundaries/placed_planes.hpp"

#if !SCREE_ON_CUDA

namespace scree::inline SCREE_BACKEND {

/// Finds out on the host which slots of several rows can be contacts: those whose feature overlaps the sphere. Facets
/// are tested eight at a time. The closest points of overlapping planes and facets are kept. Nothing is known about
/// features of other kinds.
template <class R>
class NearSlots {
 public:
  NearSlots(const BoundaryContactViews<R>& of, PlacedPlanes& planes) : of_(of), planes_(planes) {}

  /// Looks at the rows from `first` up to `end` at most. Returns the end of the rows that were looked at.
  std::size_t look(std::size_t first, std::size_t end) {
    begin_ = of_.row_start[first];
    std::size_t last = first + 1;
    while (last < end && of_.row_start[last + 1] - begin_ <= most_slots) { ++last; }
    count_ = of_.row_start[last] - begin_;
    if (count_ > most_slots) { count_ = 0; }  // a single row with too many slots: nothing is known about it
    for (std::size_t row = first; row < last && count_ > 0; ++row) { look_at_row(row); }
    finish_facets();
    return last;
  }

  /// Whether slot k, of a row that was looked at, may be a contact.
  SCREE_INLINE bool may_overlap(offset_t k) const { return k - begin_ >= count_ || found_[k - begin_] != Found::apart; }
  /// The closest point of a feature. It is known already if the feature overlaps the sphere. See AnySlot.
  template <bool plain>
  SCREE_INLINE ClosestPoint closest(const BoundaryView& boundaries, offset_t k, const Feature& feature,
                                    const Vec3d& x) const {
    const bool known = k - begin_ < count_ && found_[k - begin_] == Found::closest;
    return known ? closest_[k - begin_] : AnySlot::closest<plain>(boundaries, k, feature, x);
  }

 private:
  static constexpr std::size_t most_slots = 256, n_queued = 64, rows_ahead = 16;
  enum class Found : std::uint8_t { apart, closest, nothing };

  SCREE_INLINE void look_at_row(std::size_t row) {
    prefetch(row + rows_ahead);
    const index_t body = of_.body_of_row[row];
    const Vec3d x = of_.bodies.position[body];
    const double radius = double(of_.bodies.radius[body]), square = radius * radius;
    for (offset_t k = of_.row_start[row]; k < of_.row_start[row + 1]; ++k) {
      const std::uint32_t number = of_.slots[k].feature;
      const Feature& feature = of_.boundaries.feature[number];
      if (feature.kind == FeatureKind::facet) {
        queue(k, feature, x, square);
      } else if (feature.kind == FeatureKind::plane) {
        const Surface& plane = planes_(number, feature);
        const double distance = dot(x - plane.point, plane.axis);
        note(k - begin_, {x - distance * plane.axis, signed_square(distance), TriangleRegion::face}, square);
      } else {
        found_[k - begin_] = Found::nothing;
      }
    }
  }

  /// A hint to the processor: this row will soon be looked at. Bodies near boundaries lie far apart in memory.
  SCREE_INLINE void prefetch(std::size_t row) const {
    if (row >= of_.body_of_row.size) { return; }
    const index_t body = of_.body_of_row[row];
    __builtin_prefetch(&of_.bodies.place[body]);
    __builtin_prefetch(&of_.bodies.speed[body]);
    __builtin_prefetch(&of_.bodies.material[body]);
    __builtin_prefetch(&of_.wrench[row], 1);
    const auto* const slot = reinterpret_cast<const char*>(of_.slots.data + of_.row_start[row]);
    for (std::size_t byte = 0; byte < sizeof(BoundarySlot<R>); byte += 64) { __builtin_prefetch(slot + byte, 1); }
  }

  SCREE_INLINE void note(std::size_t slot, const ClosestPoint& closest, double square) {
    closest_[slot] = closest;
    found_[slot] = closest.square_distance < square ? Found::closest : Found::apart;
  }

  SCREE_INLINE void queue(offset_t k, const Feature& facet, const Vec3d& x, double square) {
    const Vec3d corner[4] = {x, of_.boundaries.vertex[facet.a], of_.boundaries.vertex[facet.b],
                             of_.boundaries.vertex[facet.c]};
    for (int i = 0; i < 4; ++i) {
      coordinate_[3 * i][queued_] = corner[i].x;
      coordinate_[3 * i + 1][queued_] = corner[i].y;
      coordinate_[3 * i + 2][queued_] = corner[i].z;
    }
    square_[queued_] = square;
    slot_[queued_] = static_cast<std::uint32_t>(k - begin_);
    if (++queued_ == n_queued) { finish_facets(); }
  }

  void finish_facets() {
    for (std::size_t first = 0; first < queued_; first += Eight::n) {
      const auto corner = [&](int i) {
        return Vec3<Eight>{Eight::load(&coordinate_[3 * i][first]), Eight::load(&coordinate_[3 * i + 1][first]),
                           Eight::load(&coordinate_[3 * i + 2][first])};
      };
      const ClosestOnTriangles eight = closest_on_triangles(corner(0), corner(1), corner(2), corner(3));
      const unsigned overlaps = bits_below(eight.square_distance, Eight::load(&square_[first]));
      const int n = static_cast<int>(std::min(queued_ - first, std::size_t(Eight::n)));
      for (int i = 0; i < n; ++i) {
        const std::size_t slot = slot_[first + std::size_t(i)];
        found_[slot] = Found::apart;
        if ((overlaps >> i & 1u) == 0) { continue; }
        note(slot,
             {in_lane(eight.point, i), eight.square_distance.lane[i], static_cast<TriangleRegion>(eight.region[i])},
             square_[first + std::size_t(i)]);
      }
    }
    queued_ = 0;
  }

  const BoundaryContactViews<R>& of_;
  PlacedPlanes& planes_;
  offset_t begin_ = 0, count_ = 0;
  Found found_[most_slots];
  ClosestPoint closest_[most_slots];
  alignas(64) double coordinate_[12][n_queued] = {};
  alignas(64) double square_[n_queued] = {};
  std::uint32_t slot_[n_queued];
  std::size_t queued_ = 0;
};

}  // namespace scree::inline SCREE_BACKEND

#endif
