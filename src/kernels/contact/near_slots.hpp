#pragma once

#include <algorithm>

#include "kernels/contact/boundary_views.hpp"
#include "kernels/shapes/closest_eight.hpp"

#if !SCREE_ON_CUDA

namespace scree::inline SCREE_BACKEND {

/// Finds out on the host which slots of a stretch of rows can be contacts: those whose feature overlaps with the
/// sphere. Facets are looked at eight at a time; the placed surfaces of planes are kept. Features of other kinds count
/// as near.
template <class R>
class NearSlots {
 public:
  explicit NearSlots(const BoundaryContactViews<R>& of) : of_(of) { std::fill_n(plane_feature_, n_planes, no_index); }

  /// Looks at the rows from `first` on, not beyond `end`. Returns the end of the rows that were looked at.
  std::size_t look(std::size_t first, std::size_t end) {
    begin_ = of_.row_start[first];
    std::size_t last = first + 1;
    while (last < end && of_.row_start[last + 1] - begin_ <= most_slots) { ++last; }
    count_ = of_.row_start[last] - begin_;
    if (count_ > most_slots) { count_ = 0; }  // a row of its own
    for (std::size_t row = first; row < last && count_ > 0; ++row) { look_at_row(row); }
    finish_facets();
    return last;
  }

  /// Whether slot k, of a row that was looked at, may be a contact.
  SCREE_INLINE bool operator()(offset_t k) const { return k - begin_ >= count_ || near_[k - begin_] != 0; }

 private:
  static constexpr std::size_t most_slots = 256, n_queued = 64, n_planes = 16;

  SCREE_INLINE void look_at_row(std::size_t row) {
    const index_t body = of_.body_of_row[row];
    const Vec3d x = of_.bodies.position[body];
    const double radius = double(of_.bodies.radius[body]), square = radius * radius;
    for (offset_t k = of_.row_start[row]; k < of_.row_start[row + 1]; ++k) {
      const std::uint32_t number = of_.slots[k].feature;
      const Feature& feature = of_.boundaries.feature[number];
      if (feature.kind == FeatureKind::facet) {
        queue(k, feature, x, square);
      } else if (feature.kind == FeatureKind::plane) {
        const Surface& surface = placed_plane(number, feature);
        near_[k - begin_] = signed_square(dot(x - surface.point, surface.axis)) < square ? 1 : 0;
      } else {
        near_[k - begin_] = 1;
      }
    }
  }

  const Surface& placed_plane(std::uint32_t number, const Feature& feature) {
    const std::size_t k = number % n_planes;
    if (plane_feature_[k] != number) {
      plane_feature_[k] = number;
      plane_[k] = placed_surface(of_.boundaries, feature);
    }
    return plane_[k];
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
      const Eight distance = square_distance_to_triangle(corner(0), corner(1), corner(2), corner(3));
      const unsigned overlaps = bits_below(distance, Eight::load(&square_[first]));
      const std::size_t n = std::min(queued_ - first, std::size_t(Eight::n));
      for (std::size_t i = 0; i < n; ++i) { near_[slot_[first + i]] = overlaps >> i & 1u; }
    }
    queued_ = 0;
  }

  const BoundaryContactViews<R>& of_;
  offset_t begin_ = 0, count_ = 0;
  std::uint8_t near_[most_slots];
  alignas(64) double coordinate_[12][n_queued] = {};
  alignas(64) double square_[n_queued] = {};
  std::uint32_t slot_[n_queued];
  std::size_t queued_ = 0;
  std::uint32_t plane_feature_[n_planes];
  Surface plane_[n_planes];
};

}  // namespace scree::inline SCREE_BACKEND

#endif
