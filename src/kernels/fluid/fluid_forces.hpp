#pragma once

#include <numbers>

#include "kernels/math/decay.hpp"
#include "kernels/math/exact_sum.hpp"
#include "kernels/math/logarithm.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/clumps.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/groups.hpp"
#include "kernels/state/step_moment.hpp"
#include "scree/sphere_drag.hpp"

/// What a fluid does to single spheres and to clumps in a step.
namespace scree::inline SCREE_BACKEND {

/// Velocities on a regular grid; see FlowGrid. Empty: the flow is the same everywhere.
struct FlowField {
  Span<Vec3d> velocity{};  ///< [m/s] [all points] x runs fastest, then y
  std::uint32_t points[3] = {};
  Vec3d first{}, spacing{};  ///< [m]

  /// [m/s] Trilinear between the points; outside the value at the nearest place of the grid.
  SCREE_HD Vec3d at(const Vec3d& place) const {
    const Vec3d way = place - first;
    const Side x = side(way.x, spacing.x, points[0]), y = side(way.y, spacing.y, points[1]),
               z = side(way.z, spacing.z, points[2]);
    const std::size_t row = points[0], layer = row * points[1];
    const auto along_x = [&](std::size_t j, std::size_t k) {
      const std::size_t line = j * row + k * layer;
      return between(velocity[line + x.low], velocity[line + x.high], x.part);
    };
    const auto along_y = [&](std::size_t k) { return between(along_x(y.low, k), along_x(y.high, k), y.part); };
    return between(along_y(z.low), along_y(z.high), z.part);
  }

 private:
  /// The two points of an axis between which a place lies, and its part [-] of the way between them.
  struct Side {
    std::size_t low, high;
    double part;
  };
  static SCREE_HD Side side(double way, double spacing, std::uint32_t points) {
    if (points == 1) { return {0, 0, 0}; }
    const double last = double(points - 1), steps = way / spacing;
    const double inside = steps > 0 ? (steps < last ? steps : last) : 0;  // 0 also if the place is no number
    const std::size_t low = inside < last ? static_cast<std::size_t>(inside) : points - 2;
    return {low, low + 1, inside - double(low)};
  }
  static SCREE_INLINE Vec3d between(const Vec3d& a, const Vec3d& b, double part) { return a + part * (b - a); }
};

/// Re^0.687 with the same bits everywhere, and 0 where that is below rounding beside 1.
struct ReynoldsPower {
  SCREE_HD double operator()(double reynolds) const {
    constexpr double least = 1e-300;  // the logarithm takes normal numbers
    return reynolds > least ? math::quick_exponential(0.687 * math::logarithm(reynolds)) : 0;
  }
};

/// The fluid, as kernels see it.
struct FluidModel {
  double density = 0;      ///< [kg/m3]
  double viscosity = 0;    ///< [Pa s]
  double grain_scale = 1;  ///< [-] size of a particle over that of the grains that feel the drag
  DragLaw drag = DragLaw::stokes;
  std::uint32_t is_bounded = 0;  ///< 1: the fluid is below a surface
  Vec3d point{}, normal{};       ///< [m], [-] of the surface; the normal has length 1
  FlowField field{};

  /// [-] The part of the volume of a sphere that is in the fluid.
  SCREE_HD double submerged(const Vec3d& place, double radius) const {
    if (is_bounded == 0) { return 1; }
    const double depth = radius - dot(place - point, normal);  // of the lowest point
    if (!(depth > 0)) { return 0; }
    if (depth >= 2 * radius) { return 1; }
    return depth * depth * (3 * radius - depth) / (4 * radius * radius * radius);
  }

  /// [-] Drag over that of Stokes at a relative speed [m/s].
  SCREE_HD double excess(double radius, double speed) const {
    return drag_over_stokes(drag, 2 * density * speed * radius / viscosity, ReynoldsPower{});
  }
};

/// A sphere in the fluid, or what is taken for one.
struct ImmersedSphere {
  Vec3d place, velocity;  ///< [m], [m/s]
  double density;         ///< [kg/m3]
  double radius;          ///< [m] of the sphere of the same volume
  double turning;         ///< [1/m2] rate of the drag on the spin, times the density over the viscosity
  Vec3d gravity;          ///< [m/s2]
};

/// What the fluid does to a sphere that moves with the velocity v: the acceleration pull - rate v.
struct FluidAction {
  Vec3d pull;                 ///< [m/s2] on a sphere at rest
  double rate, angular_rate;  ///< [1/s] of the drag on the velocity and on the spin
};

/// `flow` [m/s] is that of a fluid that flows the same everywhere. A parcel moves as its grains do: its drag per mass
/// is theirs. All rates are proportional to 1 / radius^2, at the Reynolds number of a grain.
SCREE_HD inline FluidAction action_on(const ImmersedSphere& sphere, const FluidModel& model, const Vec3d& flow) {
  const double part = model.submerged(sphere.place, sphere.radius), scale = model.grain_scale;
  const Vec3d around = model.field.velocity.size > 0 ? model.field.at(sphere.place) : flow;
  const double factor = part * scale * scale * model.viscosity / sphere.density,
               excess = model.excess(sphere.radius / scale, norm(around - sphere.velocity));
  const double rate = 4.5 * factor * excess / (sphere.radius * sphere.radius);
  return {rate * around - (part * model.density / sphere.density) * sphere.gravity, rate, factor * sphere.turning};
}

/// [N] The force of the fluid on a sphere, drag and buoyancy.
SCREE_HD inline Vec3d force_on(const ImmersedSphere& sphere, const FluidModel& model, const Vec3d& flow) {
  const FluidAction action = action_on(sphere, model, flow);
  const double mass = 4.0 / 3 * std::numbers::pi * sphere.radius * sphere.radius * sphere.radius * sphere.density;
  return mass * (action.pull - action.rate * sphere.velocity);
}

/// Drag with the rate c [1/s] over the time [s] of a kick.
template <class R>
SCREE_HD FluidDrag<R> drag_over(double rate, double time) {
  const double x = rate * time;
  const Decay part = quick_decay(x);
  return {static_cast<R>(part.left), static_cast<R>(x * part.mean), static_cast<R>(part.mean * time)};
}

/// What the fluid does to a sphere in a step whose kick lasts `time` [s].
template <class R>
SCREE_HD FluidPush<R> push_on(const ImmersedSphere& sphere, const FluidModel& model, const Vec3d& flow, double time) {
  const FluidAction action = action_on(sphere, model, flow);
  return {convert<R>(action.pull), drag_over<R>(action.rate, time), drag_over<R>(action.angular_rate, time),
          static_cast<R>(action.angular_rate)};
}

/// The fluid, bodies and groups as all kernels see them.
template <class R>
struct FluidStep {
  BodyView<R> bodies;
  FluidModel model;
  GroupTable<R> groups;
  Span<double> density;  ///< [n_materials] [kg/m3]
  const Control* control;
  Vec3d flow{};     ///< [m/s] of this step, if the fluid flows the same everywhere
  double time = 0;  ///< [s] of the kick of this step

  SCREE_INLINE FluidStep at(const StepMoment<R>& moment) const {
    FluidStep now = *this;
    now.flow = moment.flow, now.time = double(moment.motion.kick);
    return now;
  }
  SCREE_INLINE Vec3d gravity_on(index_t id) const {  ///< [m/s2]
    const GroupRule<R>& rule = groups.rule_of(id);
    return convert<double>(rule.damped_gravity + rule.free_gravity);
  }
  SCREE_INLINE bool is_single_sphere(std::size_t i) const {
    return !is_parked(bodies.position[i]) && !is_member(bodies.inverse_inertia[i]);
  }
  SCREE_INLINE ImmersedSphere sphere(std::size_t i) const {
    const double radius = double(bodies.radius[i]);
    return {bodies.position[i],          convert<double>(Vec3<R>(bodies.velocity[i])),
            density[bodies.material[i]], radius,
            15 / (radius * radius),      gravity_on(bodies.id[i])};
  }
};

/// The fluid on single spheres; one thread per body.
template <class R>
struct FluidOnBodies {
  FluidStep<R> step;

  SCREE_INLINE FluidOnBodies at(const StepMoment<R>& moment) const { return {step.at(moment)}; }
  SCREE_HD void operator()(std::size_t i) const {
    if constexpr (SCREE_IN_BATCHES) {
      if (step.control->halted != 0) { return; }
    }
    if (!step.is_single_sphere(i)) { return; }
    step.groups.fluid_on_bodies[i] = push_on<R>(step.sphere(i), step.model, step.flow, step.time);
  }
};

/// What the fluid needs of a shape of clumps.
struct FluidShape {
  double radius;   ///< [m] of the sphere of the same volume, at size 1
  double turning;  ///< [1/m2] 8 pi r^3 over the mean of the principal moments of inertia, per density, at size 1
};

/// Clumps and level-set grains in the fluid.
template <class R>
struct ImmersedClumps {
  ClumpView clumps;
  ClumpMembers members;
  Span<FluidShape> shapes;  ///< [n_shapes]

  SCREE_INLINE ImmersedSphere sphere(std::size_t c, const FluidStep<R>& step) const {
    const index_t first = clumps.first[c];
    const FluidShape& shape = shapes[clumps.shape[c]];
    const double size = clumps.size[c];
    const double density = step.density[step.bodies.material[members.body_of_id[first]]];
    return {clumps.position[c],    clumps.velocity[c], density, size * shape.radius, shape.turning / (size * size),
            step.gravity_on(first)};
  }
};

/// The fluid on clumps and level-set grains; one thread per clump.
template <class R>
struct FluidOnClumps {
  ImmersedClumps<R> all;
  FluidStep<R> step;

  SCREE_INLINE FluidOnClumps at(const StepMoment<R>& moment) const { return {all, step.at(moment)}; }
  SCREE_HD void operator()(std::size_t c) const {
    if (step.control->halted != 0 || all.clumps.mass[c] == 0) { return; }
    step.groups.fluid_on_clumps[c] = push_on<double>(all.sphere(c, step), step.model, step.flow, step.time);
  }
};

/// Adds the force of the fluid on each single sphere, or on each clump, to three sums.
template <class R>
struct FluidForce {
  ImmersedClumps<R> all;
  FluidStep<R> step;
  std::size_t n_clumps;  ///< items below this number are clumps, the others bodies

  SCREE_HD void operator()(std::size_t item, ExactSum* sums) const {
    const bool is_clump = item < n_clumps;
    if (is_clump ? all.clumps.mass[item] == 0 : !step.is_single_sphere(item - n_clumps)) { return; }
    const ImmersedSphere sphere = is_clump ? all.sphere(item, step) : step.sphere(item - n_clumps);
    const Vec3d force = force_on(sphere, step.model, step.flow);
    sums[0].add(force.x), sums[1].add(force.y), sums[2].add(force.z);
  }
};

}  // namespace scree::inline SCREE_BACKEND
