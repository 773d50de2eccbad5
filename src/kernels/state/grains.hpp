#pragma once

#include "kernels/math/four.hpp"
#include "kernels/math/mat3.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/clumps.hpp"
#include "kernels/state/modes.hpp"
#include "kernels/state/near_nodes.hpp"
#include "kernels/state/node_bonds.hpp"
#include "kernels/state/node_rows.hpp"

/// Level-set grains as kernels see them. A grain is a rigid body with one member, a sphere that contains the whole
/// grain. The search knows only this sphere; contacts use the shape.
namespace scree::inline SCREE_BACKEND {

inline constexpr std::uint32_t no_grain = 0xffffffffu;

/// A shape at size 1; lengths are those of the template.
template <class R>
struct GrainForm {
  std::uint64_t first_value;  ///< of the grid
  std::uint32_t size[3];      ///< points of the grid
  std::uint64_t first_bound;  ///< of the blocks
  std::uint32_t blocks[3];    ///< of 2 x 2 x 2 cells of the grid
  std::uint32_t first_node, n_nodes;
  std::uint32_t first_ball, n_balls;
  Vec3d origin;                     ///< [m]
  double spacing, inverse_spacing;  ///< [m], [1/m]
  R radius;                         ///< [m] of the sphere of the same volume
  R depth;                          ///< [m] depth of the deepest point of the grid below the surface
  R reach;                          ///< [m] distance of the farthest node from the centre
  double node_spacing;              ///< [m] side of a square of the mean area of a node
  ModeForm modes;                   ///< how it deforms
  R slope;                          ///< [-] bound of the change of the field per length where the field is positive
};

/// A ball that holds some nodes, which follow one another. The balls of a shape form a tree in depth-first order: if a
/// ball is missed, the walk continues at `skip`.
template <class R>
struct NodeBall {
  Vec3<R> centre;  ///< [m]
  R radius;        ///< [m]
  std::uint32_t skip;
  std::uint32_t first, count;  ///< nodes of a leaf; count 0: there are smaller balls
};

/// A node: its place [m] and its part of the surface [m2].
template <class R>
struct GrainNode {
  Vec3<R> place;
  R area;
};

/// The field of a grain at a point.
template <class R>
struct FieldSample {
  R distance;         ///< [m] negative inside
  Vec3<R> gradient;   ///< [-] outwards, of length about 1
  Vec3<R> reference;  ///< [m] the point before deformation; only of grains with modes
};

template <class R>
struct GrainViews {
  Span<GrainForm<R>> form;
  Span<Four<float>> value;  ///< distance and gradient at the points of all grids, x fastest
  Span<GrainNode<R>> node;
  Span<NodeBall<R>> ball;
  Span<float> bound;                   ///< [m] of each block of all grids: the least value in it over the slope
  Span<std::uint32_t> grain_of_shape;  ///< [n_shapes] no_grain for clumps of spheres
  Span<index_t> clump_of;              ///< [n_bodies]
  ClumpView clumps;
  ModeViews<R> modes;

  SCREE_HD std::uint32_t grain_of(index_t body) const {
    const index_t c = clump_of[body];
    return c == no_index ? no_grain : grain_of_shape[clumps.shape[c]];
  }

  /// The modes of the grain that a clump is; null if it is rigid.
  SCREE_INLINE const ModeForm* modes_of_clump(std::size_t c) const {
    const std::uint32_t grain = grain_of_shape[clumps.shape[c]];
    return grain == no_grain || form[grain].modes.count == 0 ? nullptr : &form[grain].modes;
  }

  /// [m] A lower bound of how far x can move before a point within `reach` of x gets inside. It follows from the least
  /// value around x and the slope of the field.
  SCREE_HD R clearance(const GrainForm<R>& of, const Vec3<R>& x, R reach) const {
    const R per_block = R(0.5) * static_cast<R>(of.inverse_spacing);
    const R u = (x.x - static_cast<R>(of.origin.x)) * per_block, v = (x.y - static_cast<R>(of.origin.y)) * per_block,
            w = (x.z - static_cast<R>(of.origin.z)) * per_block;
    if (!(u >= R(0) && v >= R(0) && w >= R(0) && u < R(of.blocks[0]) && v < R(of.blocks[1]) && w < R(of.blocks[2]))) {
      return beyond_grid(of, u, v, w) - reach;
    }
    const std::size_t i = static_cast<std::uint32_t>(u), j = static_cast<std::uint32_t>(v),
                      k = static_cast<std::uint32_t>(w);
    return static_cast<R>(bound[of.first_bound + (k * of.blocks[1] + j) * of.blocks[0] + i]) - reach;
  }

  /// The field of a form at x [m], by trilinear interpolation on its grid. Returns false outside of the grid, where the
  /// field is not known.
  SCREE_HD bool sample(const GrainForm<R>& of, const Vec3d& x, FieldSample<R>& result) const {
    const double u = (x.x - of.origin.x) * of.inverse_spacing, v = (x.y - of.origin.y) * of.inverse_spacing,
                 w = (x.z - of.origin.z) * of.inverse_spacing;
    const std::uint32_t nx = of.size[0], ny = of.size[1], nz = of.size[2];
    if (!(u >= 0 && v >= 0 && w >= 0 && u <= double(nx - 1) && v <= double(ny - 1) && w <= double(nz - 1))) {
      return false;
    }
    const std::uint32_t i = cell(u, nx), j = cell(v, ny), k = cell(w, nz);
    const R a = static_cast<R>(u - double(i)), b = static_cast<R>(v - double(j)), c = static_cast<R>(w - double(k));
    const std::size_t row = nx, layer = std::size_t(nx) * ny;
    const Four<float>* at = &value[of.first_value + k * layer + j * row + i];
    const Four<R> low = between(along_x(at, a), along_x(at + row, a), b);
    const Four<R> high = between(along_x(at + layer, a), along_x(at + layer + row, a), b);
    const Four<R> all = between(low, high, c);
    result.distance = all[0];
    result.gradient = {all[1], all[2], all[3]};
    return true;
  }

 private:
  /// [m] Distance to the grid, outside of which nothing touches.
  SCREE_HD static R beyond_grid(const GrainForm<R>& of, R u, R v, R w) {
    const auto beyond = [](R t, std::uint32_t n) { return math::max(math::max(-t, t - R(n)), R(0)); };
    const R x = beyond(u, of.blocks[0]), y = beyond(v, of.blocks[1]), z = beyond(w, of.blocks[2]);
    return R(2) * static_cast<R>(of.spacing) * math::sqrt(x * x + y * y + z * z);
  }

  SCREE_INLINE static std::uint32_t cell(double u, std::uint32_t n) {
    const auto i = static_cast<std::uint32_t>(u);
    return i < n - 2 ? i : n - 2;
  }
  SCREE_INLINE static Four<R> between(const Four<R>& a, const Four<R>& b, R t) { return a + t * (b - a); }
  SCREE_INLINE static Four<R> along_x(const Four<float>* at, R t) {
    return between(at[0].template as<R>(), at[1].template as<R>(), t);
  }
};

/// The data of contacts of nodes beside PairViews and BoundaryContactViews. They lie in memory of the backend.
template <class R>
struct NodeViews {
  GrainViews<R> grains;
  NodePool<R> pool;
  Span<NodeList> of_pair, of_slot;    ///< [n_pairs], [n_slots] of the last step
  Span<NodeList> pair_now, slot_now;  ///< of the present one
  Span<NearNodes<R>> near_pair;       ///< [n_pairs * passes] pass after pass of each pair
  Span<NearNodes<double>> near_slot;  ///< [n_slots]
  NearPool near_pool;
  NodeBondViews<R> bonds;
  std::uint32_t two_pass;  ///< 1: the nodes of both grains touch, each with half of the force
  std::uint32_t by_area;   ///< 1: the force of a node is proportional to its area
};

}  // namespace scree::inline SCREE_BACKEND
