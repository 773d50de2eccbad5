#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/math/mat3.hpp"
#include "kernels/math/small_sums.hpp"

/// The periodic cell as kernels see it. Positions are world positions, somewhere in or near the cell. Positions and
/// edges are multiples of one power of two, and small enough multiples that x2 - x1 + H c is computed without rounding.
/// So no bit of a force depends on which image of a body is stored, or on which cell of a lattice is used.
///
/// Velocities are relative to the mean deformation, V = v - L (x - origin), and spins are relative to its rotation. All
/// images of a body then have the same velocity, and single precision is spent on differences between neighbours.
namespace scree::inline SCREE_BACKEND {

/// Image of a body, as the number of edges by which it is shifted from the body.
struct Image {
  std::int32_t a, b, c;
  friend SCREE_INLINE Image operator+(const Image& p, const Image& q) { return {p.a + q.a, p.b + q.b, p.c + q.c}; }
  friend SCREE_INLINE Image operator-(const Image& p, const Image& q) { return {p.a - q.a, p.b - q.b, p.c - q.c}; }
  friend SCREE_INLINE Image operator-(const Image& p) { return {-p.a, -p.b, -p.c}; }
  SCREE_INLINE bool any() const { return (a | b | c) != 0; }
};

/// Images that bodies can touch have a code of one byte: -2 to 2 edges in each direction.
inline constexpr std::int32_t farthest_image = 2;
inline constexpr std::size_t n_images = 125;
SCREE_INLINE bool has_code(const Image& image) {
  const auto near = [](std::int32_t edges) { return edges >= -farthest_image && edges <= farthest_image; };
  return near(image.a) && near(image.b) && near(image.c);
}
SCREE_INLINE std::uint8_t code_of(const Image& image) {
  return static_cast<std::uint8_t>(((image.a + 2) * 5 + image.b + 2) * 5 + image.c + 2);
}
SCREE_INLINE Image image_of(std::uint8_t code) { return {code / 25 - 2, code / 5 % 5 - 2, code % 5 - 2}; }

/// Whether a body is so far outside of the cell that all bodies must be taken back into it. `place` counts edges from
/// the corner of the cell, and `along` tells along which of them it repeats.
SCREE_INLINE bool is_far_out(const bool (&along)[3], const Vec3d& place) {
  const auto out = [](double f) { return !(f >= -0.125 && f <= 1.125); };
  return (along[0] && out(place.x)) || (along[1] && out(place.y)) || (along[2] && out(place.z));
}

SCREE_INLINE Vec3d shift_of(const Mat3d& edges, const Image& image) {
  return edges * Vec3d{double(image.a), double(image.b), double(image.c)};
}

/// The values of the cell for contacts that change from step to step: its place, and the mean flow of the last step.
template <class R>
struct CellFlowStep {
  Mat3d edges;        ///< [m] edge vectors as columns
  Mat3d back;         ///< (1 + L dt)^-1: takes a position back by one step of the mean flow
  Mat3d gradient;     ///< [1/s] L
  Mat3<R> of_branch;  ///< [1/s] L (1 + L dt)^-1, to be applied to the branch minus dt V
  Vec3<R> spin;       ///< [rad/s] spin of the mean flow
};

/// Computes the shifts [m] of all images; one thread per code.
struct ImageShifts {
  Mat3d edges;  ///< [m] edge vectors as columns
  Span<Vec3d> shift;
  template <class Moment>
  SCREE_INLINE ImageShifts at(const Moment& moment) const {
    return {moment.contacts.cell.edges, shift};
  }
  SCREE_HD void operator()(std::size_t code) const {
    shift[code] = shift_of(edges, image_of(static_cast<std::uint8_t>(code)));
  }
};

/// The cell as pair contacts see it.
template <class R>
struct CellPairs {
  Span<std::uint8_t> image;  ///< [n_pairs] code of the second body's image; empty: there is no cell
  Span<Vec3d> shift;         ///< [n_images] [m]
  Mat3<R> gradient;          ///< [1/s] L (1 + L dt)^-1 of the last step, to be applied to the branch minus dt V
  Vec3<R> spin;              ///< [rad/s] spin of the mean flow in the last step

  SCREE_INLINE bool any() const { return image.size > 0; }
  SCREE_INLINE CellPairs in(const CellFlowStep<R>& step) const { return {image, shift, step.of_branch, step.spin}; }
  SCREE_INLINE Vec3d branch(std::size_t slot, const Vec3d& first, const Vec3d& second) const {
    const Vec3d within = second - first;
    return any() ? within + shift[image[slot]] : within;
  }
};

/// Velocity of the mean flow at single bodies. The default stands for runs without a cell.
template <class R>
struct CellFlow {
  bool any = false;
  Vec3d origin{0, 0, 0};
  /// (1 + L dt)^-1 of the last step: takes a body that moved with the cell alone back to its old position
  Mat3d back{};
  Mat3d gradient{};  ///< [1/s] of the last step
  Vec3<R> spin{};    ///< [rad/s]

  SCREE_INLINE CellFlow in(const CellFlowStep<R>& step) const {
    return {any, origin, step.back, step.gradient, step.spin};
  }
  /// Mean velocity [m/s] over the last step, along the path of a body that is now at x and had the relative velocity V.
  SCREE_INLINE Vec3d at(const Vec3d& x, const Vec3<R>& velocity, double time_step) const {
    return gradient * (back * ((x - origin) - time_step * convert<double>(velocity)));
  }
  /// [m] Where a body that is now at x was one step ago.
  SCREE_HD Vec3d place_before(const Vec3d& x, const Vec3d& velocity, double time_step) const {
    const Vec3d moved_back = x - time_step * velocity;
    return any ? origin + back * (moved_back - origin) : moved_back;
  }
};

/// The values of the cell for the motion of bodies that change from step to step.
template <class R>
struct CellStep {
  Mat3d stretch;  ///< L dt
  /// [m] 3/2 2^52 grid spacings: adding and subtracting it rounds to the grid; 0: positions are not rounded
  Vec3d rounding;
  Mat3<R> half_kick;  ///< L kick / 2
  Mat3<R> lag;        ///< (1 + L kick / 2)^-1
  Mat3<R> travel;     ///< [s] dt G^-1, where G is the deformation since the lists were made
  R loss;             ///< [-] bound of the relative lengthening of a branch by G^-1, times the range of contacts
  Mat3d fraction;     ///< [1/m] H^-1 after the step
  Mat3d gradient, gradient_before;  ///< [1/s] L of this step and of the last one
  bool watch;                       ///< whether this step looks for bodies far outside of the cell
};

/// The values of the cell for the motion of bodies over one step. The values of the step are read where they are
/// needed, because all of them would fill the registers of a GPU thread.
template <class R>
struct CellMotion {
  Vec3d origin;                      ///< [m]
  bool along[3];                     ///< whether the cell is periodic along each edge
  const CellStep<R>* now = nullptr;  ///< the step

  SCREE_INLINE CellMotion in(const CellStep<R>& step) const { return {origin, {along[0], along[1], along[2]}, &step}; }

  /// Velocity after a kick by V' = a - L V, Newton's law in the frame of the mean flow. `free` is the velocity after a
  /// kick by a alone, `before` the velocity before the kick.
  SCREE_INLINE Vec3d deflected(const Vec3d& free, const Vec3d& before) const {
    if constexpr (loses_increments<R>) {
      return before + convert<double>(now->lag) * ((free - before) - 2.0 * (convert<double>(now->half_kick) * before));
    } else {
      return now->lag * (free - now->half_kick * before);
    }
  }
  /// The gain of the velocity in this kick; `free` is the gain by a alone. The gain is computed separately, because in
  /// single precision the product of `lag` with a whole velocity would lose a small deformation.
  SCREE_INLINE Vec3<R> gained(const Vec3<R>& free, const Vec3<R>& before) const {
    return now->lag * (free - R(2) * (now->half_kick * before));
  }

  SCREE_INLINE Vec3d moved(const Vec3d& x, const Vec3d& own_way) const {
    return rounded(x + (now->stretch * (x - origin) + own_way));
  }
  SCREE_INLINE Vec3d rounded(const Vec3d& x) const {
    return {(x.x + now->rounding.x) - now->rounding.x, (x.y + now->rounding.y) - now->rounding.y,
            (x.z + now->rounding.z) - now->rounding.z};
  }

  /// Whether this step finds x far out of the cell.
  SCREE_INLINE bool is_out(const Vec3d& x) const {
    return now->watch && is_far_out(along, now->fraction * (x - origin));
  }
};
struct NoCell {};

/// Takes points back into the cell.
struct CellWrap {
  Mat3d edges, fraction;  ///< [m] edge vectors as columns, [1/m] the inverse matrix
  Vec3d origin;           ///< [m]
  bool along[3] = {false, false, false};

  SCREE_INLINE bool any() const { return along[0] || along[1] || along[2]; }
  /// The image of the cell in which x lies.
  SCREE_INLINE Image image(const Vec3d& x) const {
    const Vec3d s = fraction * (x - origin);
    return {along[0] ? whole(s.x) : 0, along[1] ? whole(s.y) : 0, along[2] ? whole(s.z) : 0};
  }
  SCREE_INLINE bool is_out(const Vec3d& x) const { return is_far_out(along, fraction * (x - origin)); }
  SCREE_INLINE Vec3d taken_back(const Vec3d& x, const Image& image) const {
    return image.any() ? x - shift_of(edges, image) : x;
  }

 private:
  static SCREE_INLINE std::int32_t whole(double s) {
    const double inside = math::max(-1e9, math::min(s, 1e9));
    const auto down = static_cast<std::int32_t>(inside);
    return double(down) > inside ? down - 1 : down;
  }
};

}  // namespace scree::inline SCREE_BACKEND
