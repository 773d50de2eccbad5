#pragma once

#include "kernels/shapes/closest.hpp"
#include "kernels/step/nodes/field_on_grid.hpp"
#include "kernels/step/nodes/near_walk.hpp"
#include "kernels/step/pairs/pair_views.hpp"

namespace scree::inline SCREE_BACKEND {

/// A body as contacts of nodes see it: a level-set grain, or a sphere.
template <class R>
struct NodeBody {
  Mat3d turn;                         ///< principal axes -> world
  double size;                        ///< [-] of the grain relative to its form
  const GrainForm<R>* form;           ///< null: a sphere
  R radius;                           ///< [m] of the sphere, or of the sphere of the same volume
  const double* amplitude = nullptr;  ///< [form->modes.count] [m] null: rigid
  const double* rate = nullptr;       ///< [m/s] of the amplitudes
  double path = 0;                    ///< [m] see ModeViews
  double swell = 0;                   ///< [m] no point is farther from its place in the undeformed grain
  double swelling = 0;                ///< [m/s] no point moves faster by deformation
  /// [-] A bound of the relative displacement of two points near the surface, over their distance. It remains valid
  /// until the path has grown by `sure_path` spacings.
  double strain = 0;

  static constexpr double sure_path = 0.25;

  SCREE_HD static NodeBody of(const GrainViews<R>& grains, const BodyView<R>& bodies, index_t body) {
    const index_t c = grains.clump_of[body];
    const std::uint32_t grain = c == no_index ? no_grain : grains.grain_of_shape[grains.clumps.shape[c]];
    if (grain == no_grain) { return {identity<double>(), 1, nullptr, bodies.radius[body]}; }
    const RotationMatrix<double> m = matrix_of(grains.clumps.orientation[c]);
    const double size = grains.clumps.size[c];
    const GrainForm<R>& form = grains.form[grain];
    NodeBody result{{m.row_x, m.row_y, m.row_z}, size, &form, static_cast<R>(size * double(form.radius))};
    if (form.modes.count > 0) { result.add_modes(grains.modes, c); }
    return result;
  }

  SCREE_INLINE bool is_grain() const { return form != nullptr; }
  SCREE_INLINE bool deforms() const { return amplitude != nullptr; }
  /// [m] Place of node k in the template, where deformation has moved it.
  SCREE_HD Vec3d place_of(const GrainViews<R>& grains, std::uint32_t k) const {
    Vec3d place = convert<double>(grains.node[form->first_node + k].place);
    if (!deforms()) { return place; }
    const double scale = 1 / size;
    const Vec3<R>* const modes = modes_of(grains, k);
    for (std::uint32_t a = 0; a < form->modes.count; ++a) {
      place += (scale * amplitude[a]) * convert<double>(modes[a]);
    }
    return place;
  }
  /// [m] Place of node k relative to the centre, in the world.
  SCREE_INLINE Vec3d arm_of(const GrainViews<R>& grains, std::uint32_t k) const {
    return turn * (size * place_of(grains, k));
  }
  /// [-] Displacements of node k at amplitude 1, one for each mode.
  SCREE_INLINE const Vec3<R>* modes_of(const GrainViews<R>& grains, std::uint32_t k) const {
    return &grains.modes.at_node[form->modes.first_at_node + std::size_t(k) * form->modes.count];
  }
  /// [m2]
  SCREE_INLINE R area_of(const GrainNode<R>& node) const { return static_cast<R>(size * size) * node.area; }

 private:
  SCREE_HD void add_modes(const ModeViews<R>& modes, index_t c) {
    amplitude = &modes.amplitude[std::size_t(c) * modes.stride];
    rate = &modes.rate[std::size_t(c) * modes.stride];
    path = modes.path[c];
    double most = 0;
    for (std::uint32_t a = 0; a < form->modes.count; ++a) {
      const ModeNumbers& numbers = modes.numbers[form->modes.first + a];
      swell += math::abs(amplitude[a]) * numbers.reach;
      swelling += math::abs(rate[a]) * numbers.reach;
      strain += math::abs(amplitude[a]) / size * numbers.slope;
      most = math::max(most, numbers.slope / math::max(numbers.reach, 1e-30));
    }
    strain += sure_path * form->spacing * most;
    swell += modes.levels.slack * size * form->spacing;
  }
};

/// [-] A bound of the relative error of a place that was computed in R.
template <class R>
inline constexpr R place_error = sizeof(R) == 4 ? R(2e-6) : R(4e-15);

/// One pass over a pair: it looks at the nodes of the slave in the field of the master. The field of a sphere is its
/// distance. Lengths are those of the master's template.
template <class R>
struct NodePass {
  NodeBody<R> slave, master;
  Mat3d to_master;  ///< from the template of the slave to that of the master: turned and scaled
  Vec3d offset;     ///< centre of the slave in the template of the master
  NodeMap<R> map;   ///< both in R
  R ratio;          ///< [-] size of the slave over that of the master
  R slack;          ///< a bound of all rounding errors
  R swollen;        ///< slack plus a bound of the displacement of the field by deformation
  R skin;           ///< see best_skin

  /// `motion` [m] is an estimate of how far the bodies move relative to each other in a step.
  SCREE_HD static NodePass of(const NodeBody<R>& slave, const NodeBody<R>& master, const Vec3d& between, R motion) {
    const Mat3d back = (1 / master.size) * transpose(master.turn);
    NodePass pass{.slave = slave,
                  .master = master,
                  .to_master = back * (slave.size * slave.turn),
                  .offset = back * between,
                  .map = {},
                  .ratio = static_cast<R>(slave.size / master.size),
                  .slack = R(0),
                  .swollen = R(0),
                  .skin = R(0)};
    pass.map = {convert<R>(pass.to_master), convert<R>(pass.offset)};
    const R spacing =
        master.is_grain() ? static_cast<R>(master.form->spacing) : pass.ratio * static_cast<R>(slave.form->spacing);
    pass.slack = R(1e-4) * spacing + place_error<R> * (norm(pass.map.offset) + pass.ratio * slave.form->reach);
    pass.swollen = pass.slack + static_cast<R>(1.0001 * master.swell / master.size);
    pass.skin = best_skin(spacing, motion / static_cast<R>(master.size));
    return pass;
  }

  /// Calls touch(node, sample) for each node that touches, in ascending order. The sample has the distance [m] in the
  /// world, and the gradient in the axes of the master.
  template <class Field, class Touch>
  SCREE_HD void visit(const GrainViews<R>& grains, const NearPool& pool, NearNodes<R>& near, Touch&& touch) const {
    const GrainForm<R>& form = *slave.form;
    const double per_length = 1 / master.size;
    DisplacementCell<R> cell(grains.modes, master.is_grain() ? *master.form : form, master.amplitude, per_length);
    const NodeSurroundings around{
        .pass = *this,
        .grains = grains,
        .cell = cell,
        .map = map,
        .skin = skin,
        .path = slave.path + master.path,
        .per_path = static_cast<R>(per_length),
        .swell = static_cast<R>(slave.swell / slave.size),
        .limit = master.deforms() ? static_cast<R>(master.sure_path * master.form->spacing) : R(1e30)};
    NearWalk<R, NodeSurroundings>(grains, form, pool, around).visit(near, [&](std::uint32_t k) {
      FieldSample<R> at{};
      if (!sample<Field>(grains, slave.place_of(grains, k), cell, at)) { return; }
      at.distance = static_cast<R>(master.size) * at.distance;
      if (at.distance < R(0)) { touch(k, at); }
    });
  }

  /// Unit normal in the world, outwards from the master.
  SCREE_HD Vec3<R> normal_of(const FieldSample<R>& at) const {
    const Vec3<R> world = convert<R>(master.turn * convert<double>(at.gradient));
    return (R(1) / math::max(norm(world), R(1e-30))) * world;
  }

 private:
  struct NodeSurroundings {
    using Length = R;
    const NodePass& pass;
    const GrainViews<R>& grains;
    DisplacementCell<R>& cell;
    const NodeMap<R>& map;
    R skin;
    double path;
    R per_path, swell;
    R limit;

    SCREE_HD Vec3<R> place_of(std::uint32_t k) const { return convert<R>(pass.slave.place_of(grains, k)); }
    SCREE_HD R clearance(const Vec3<R>& centre, R radius) const {
      const Vec3<R> x = map(centre);
      const R reach = pass.ratio * radius + pass.swollen;
      return pass.master.is_grain() ? grains.clearance(*pass.master.form, x, reach)
                                    : norm(x) - pass.master.radius - reach;
    }
    SCREE_HD R clearance_of(const Vec3<R>& place) const {
      const R rough = clearance(place, R(0));
      if (rough > skin || !pass.master.is_grain()) { return rough; }
      const GrainForm<R>& form = *pass.master.form;
      FieldSample<R> at;
      Vec3d x = pass.place_in_master(convert<double>(place));
      if (!pass.master.deforms()) { return grains.sample(form, x, at) ? at.distance / form.slope - pass.slack : rough; }
      // The place before deformation moves by at most 1 / (1 - strain) times the movement of the point or of the field.
      x = undeformed_place(cell, x, form.spacing, grains.modes.remap);
      // The surface is at least one spacing away from the faces of the grid.
      const R distance = grains.sample(form, x, at) ? math::min(at.distance, static_cast<R>(2 * form.spacing))
                                                    : static_cast<R>(form.spacing);
      const R firm = static_cast<R>(math::max(1 - pass.master.strain, 0.0));
      const R apart = static_cast<R>((5e-4 + grains.modes.levels.slack) * form.spacing);
      return math::max(rough, firm * (distance / form.slope) - pass.slack - apart);
    }
  };

  SCREE_INLINE Vec3d place_in_master(const Vec3d& place) const { return offset + to_master * place; }

  /// Samples the field of the master at a place in the template of the slave. Returns false if the field is not known
  /// there.
  template <class Field>
  SCREE_HD bool sample(const GrainViews<R>& grains, const Vec3d& place, DisplacementCell<R>& cell,
                       FieldSample<R>& result) const {
    const Vec3d x = place_in_master(place);
    if (master.deforms()) {
      return Field::sample(grains, *master.form, master.amplitude, 1 / master.size, cell, x, result);
    }
    if (master.is_grain()) { return grains.sample(*master.form, x, result); }
    const double length = norm(x);
    result.distance = static_cast<R>(length - double(master.radius));
    result.gradient = length > 0 ? convert<R>((1 / length) * x) : Vec3<R>{R(0), R(0), R(1)};
    return true;
  }
};

/// The passes over a pair. In a single pass the slave is the grain with the smaller radius, because its nodes lie
/// closer together; if both are equal, it is the first. A sphere has no nodes and is never the slave.
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
  /// `motion` as in NodePass::of.
  SCREE_HD NodePass<R> pass(std::uint32_t p, R motion) const {
    const std::uint32_t s = slave_of(p);
    return NodePass<R>::of(body[s], body[1 - s], s == 1 ? branch : -branch, motion);
  }
  /// [1/m2] The weight of a node over its area. In a law for spheres of the radii r1 and r2, weight 1 stands for the
  /// area pi r1 r2.
  SCREE_INLINE R weight_of_area() const { return R(1) / (R(3.14159265358979323846) * body[0].radius * body[1].radius); }
};

}  // namespace scree::inline SCREE_BACKEND
