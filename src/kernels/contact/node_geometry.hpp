#pragma once

#include "kernels/contact/pair_views.hpp"
#include "kernels/shapes/closest.hpp"

namespace scree::inline SCREE_BACKEND {

/// A body as contacts of nodes see it: a level-set grain, or a sphere.
template <class R>
struct NodeBody {
  Mat3d turn;                ///< principal axes -> world
  double size;               ///< [-] of the grain relative to its form
  const GrainForm<R>* form;  ///< null: a sphere
  R radius;                  ///< [m] of the sphere, or of the sphere of the same volume

  SCREE_HD static NodeBody of(const GrainViews<R>& grains, const BodyView<R>& bodies, index_t body) {
    const index_t c = grains.clump_of[body];
    const std::uint32_t grain = c == no_index ? no_grain : grains.grain_of_shape[grains.clumps.shape[c]];
    if (grain == no_grain) { return {identity<double>(), 1, nullptr, bodies.radius[body]}; }
    const RotationMatrix<double> m = matrix_of(grains.clumps.orientation[c]);
    const double size = grains.clumps.size[c];
    const GrainForm<R>& form = grains.form[grain];
    return {{m.row_x, m.row_y, m.row_z}, size, &form, static_cast<R>(size * double(form.radius))};
  }

  SCREE_INLINE bool is_grain() const { return form != nullptr; }
  /// [m] Place of a node relative to the centre, in the world.
  SCREE_INLINE Vec3d arm_of(const GrainNode<R>& node) const { return turn * (size * convert<double>(node.place)); }
  /// [m2]
  SCREE_INLINE R area_of(const GrainNode<R>& node) const { return static_cast<R>(size * size) * node.area; }
};

/// One pass over a pair: nodes of the slave in the field of the master. The field of a sphere is its distance.
template <class R>
struct NodePass {
  NodeBody<R> slave, master;
  Mat3d to_master;  ///< from the template of the slave to that of the master: turned and scaled
  Vec3d offset;     ///< [m] centre of the slave in the template of the master
  Mat3<R> rough;    ///< the same in R
  Vec3<R> rough_offset;
  R ratio;  ///< [-] size of the slave over that of the master

  SCREE_HD static NodePass of(const NodeBody<R>& slave, const NodeBody<R>& master, const Vec3d& between) {
    const Mat3d back = (1 / master.size) * transpose(master.turn);
    const Mat3d to_master = back * (slave.size * slave.turn);
    const Vec3d offset = back * between;
    return {slave,
            master,
            to_master,
            offset,
            convert<R>(to_master),
            convert<R>(offset),
            static_cast<R>(slave.size / master.size)};
  }

  /// Calls touch(node, sample) for each node that touches, in ascending order. The sample has the distance [m] in the
  /// world, and the gradient in the axes of the master.
  template <class Touch>
  SCREE_HD void visit(const GrainViews<R>& grains, Touch&& touch) const {
    const GrainForm<R>& form = *slave.form;
    std::uint32_t b = 0;
    while (b < form.n_balls) {
      const NodeBall<R>& ball = grains.ball[form.first_ball + b];
      if (rough_bound(grains, ball.centre, ratio * ball.radius) > R(0)) {
        b = ball.skip;
        continue;
      }
      for (std::uint32_t k = ball.first; k < ball.first + ball.count; ++k) {
        const Vec3<R>& place = grains.node[form.first_node + k].place;
        FieldSample<R> at;
        if (!(rough_bound(grains, place, R(0)) > R(0)) && sample(grains, place, at)) { touch(k, at); }
      }
      ++b;
    }
  }

  /// Unit normal in the world, outwards from the master.
  SCREE_HD Vec3<R> normal_of(const FieldSample<R>& at) const {
    const Vec3<R> world = convert<R>(master.turn * convert<double>(at.gradient));
    return (R(1) / math::max(norm(world), R(1e-30))) * world;
  }

 private:
  /// A number that the field is nowhere below, within `reach` of a place in the template of the slave; both in the
  /// lengths of the master's template. Distances in a grid are right to a part of the spacing and, far from the
  /// surface, to some percent; places are right to the rounding of R.
  SCREE_HD R rough_bound(const GrainViews<R>& grains, const Vec3<R>& place, R reach) const {
    const Vec3<R> x = rough_offset + rough * place;
    if (!master.is_grain()) { return norm(x) - R(1.0001) * master.radius - reach; }
    const R slack = (reach > R(0) ? R(0.25) : R(1e-4)) * static_cast<R>(master.form->spacing) + R(0.05) * reach;
    return grains.bound_near(*master.form, x, reach + slack);
  }

  /// Whether a place in the template of the slave lies inside the master.
  SCREE_HD bool sample(const GrainViews<R>& grains, const Vec3<R>& place, FieldSample<R>& result) const {
    const Vec3d x = offset + to_master * convert<double>(place);
    if (!master.is_grain()) {
      const double length = norm(x);
      result.distance = static_cast<R>(length - double(master.radius));
      result.gradient = length > 0 ? convert<R>((1 / length) * x) : Vec3<R>{R(0), R(0), R(1)};
    } else {
      if (!grains.sample(*master.form, x, result)) { return false; }
      result.distance = static_cast<R>(master.size) * result.distance;
    }
    return result.distance < R(0);
  }
};

/// The passes over a pair. The one with the smaller radius is the slave, as its nodes lie closer together; of equal
/// ones the first. A sphere has no nodes.
template <class R>
struct NodePasses {
  NodeBody<R> body[2];
  Vec3d branch;         ///< [m] from the first centre to the second
  std::uint32_t slave;  ///< of the first pass: 0 or 1
  std::uint32_t count;  ///< 1 or 2

  SCREE_HD static NodePasses of(const PairViews<R>& of, std::size_t slot) {
    const NodeViews<R>& nodes = *of.nodes;
    const BodyPair pair = of.pairs[slot];
    NodePasses passes{
        {NodeBody<R>::of(nodes.grains, of.bodies, pair.first), NodeBody<R>::of(nodes.grains, of.bodies, pair.second)},
        of.cell.branch(slot, of.bodies.position[pair.first], of.bodies.position[pair.second]),
        0,
        1};
    const NodeBody<R>&one = passes.body[0], &two = passes.body[1];
    if (!one.is_grain() || (two.is_grain() && two.radius < one.radius)) { passes.slave = 1; }
    if (one.is_grain() && two.is_grain() && nodes.two_pass != 0) { passes.count = 2; }
    return passes;
  }

  /// Index of the body whose nodes pass p looks at. With two passes the first body comes first.
  SCREE_INLINE std::uint32_t slave_of(std::uint32_t p) const { return count == 2 ? p : slave; }
  SCREE_HD NodePass<R> pass(std::uint32_t p) const {
    const std::uint32_t s = slave_of(p);
    return NodePass<R>::of(body[s], body[1 - s], s == 1 ? branch : -branch);
  }
  /// [1/m2] What the area of a node is multiplied by: the law of two spheres of these radii is that of the area of such
  /// a circle.
  SCREE_INLINE R weight_of_area() const { return R(1) / (R(3.14159265358979323846) * body[0].radius * body[1].radius); }
};

}  // namespace scree::inline SCREE_BACKEND
