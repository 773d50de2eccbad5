#pragma once

#include "kernels/interactions/touch_table.hpp"
#include "kernels/state/contact_ranges.hpp"

namespace scree::inline SCREE_BACKEND {

/// The host's side of the ranges of contacts, from the pairs of materials of a scene. It owns the tables that kernels
/// read. It makes none where one number holds for all, so that kernels need not look up the classes of bodies.
class RangeTable {
 public:
  RangeTable() = default;
  explicit RangeTable(const Scene& scene);

  /// [-] Largest range between two bodies.
  [[nodiscard]] double largest_of_pairs() const { return pairs_.largest; }
  /// [-] Largest range between a body and a boundary.
  [[nodiscard]] double largest_at_boundaries() const { return boundaries_.largest; }
  /// [-] No body has a smaller range.
  [[nodiscard]] double smallest() const { return smallest_; }

  template <class R>
  [[nodiscard]] RangeOfPair of_pairs(Bodies<R>& bodies) {
    return {pairs_.view(bodies.material), of_pair_.view()};
  }
  template <class R>
  [[nodiscard]] RangeOfBody at_boundaries(Bodies<R>& bodies) {
    return boundaries_.view(bodies.material);
  }

 private:
  /// One number for each class.
  struct Column {
    double largest = 1;
    Buffer<double> of_class;

    /// Values of 0 are of classes that have no bodies.
    void assign(const std::vector<double>& values);
    [[nodiscard]] RangeOfBody view(Buffer<std::uint32_t>& touch_class) {
      return {largest, of_class.view(), touch_class.view()};
    }
  };

  Column pairs_, boundaries_;
  Buffer<double> of_pair_;
  double smallest_ = 1;
};

}  // namespace scree::inline SCREE_BACKEND
