#pragma once

#include "kernels/math/decay.hpp"
#include "kernels/math/logarithm.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/clumps.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/groups.hpp"
#include "kernels/state/step_moment.hpp"

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

/// The fluid, as kernels see it.
struct FluidModel {
  double density = 0;            ///< [kg/m3]
  double viscosity = 0;          ///< [Pa s]
  double grain_scale = 1;        ///< [-] size of a particle over that of the grains that feel the drag
  std::uint32_t inertial = 0;    ///< 0: Stokes's drag; 1: that of Schiller and Naumann
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
    constexpr double least = 1e-300;  // the logarithm takes normal numbers
    const double reynolds = 2 * density * speed * radius / viscosity;
    if (inertial == 0 || !(reynolds > least)) { return 1; }
    if (reynolds > 1000) { return 0.44 / 24 * reynolds; }
    return 1 + 0.15 * math::exponential(0.687 * math::logarithm(reynolds));
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

/// Drag with the rate c [1/s] over the time [s] of a kick.
template <class R>
SCREE_HD FluidDrag<R> drag_over(double rate, double time) {
  const double x = rate * time;
  const Decay part = quick_decay(x);
  return {static_cast<R>(part.left), static_cast<R>(x * part.mean), static_cast<R>(part.mean * time)};
}

/// What the fluid does to a sphere in a step whose kick lasts `time` [s]; `flow` [m/s] is that of a fluid that flows
/// the same everywhere. A parcel moves as its grains do: its drag per mass is theirs. All rates are proportional to 1 /
/// radius^2, at the Reynolds number of a grain.
template <class R>
SCREE_HD FluidPush<R> push_on(const ImmersedSphere& sphere, const FluidModel& model, const Vec3d& flow, double time) {
  const double part = model.submerged(sphere.place, sphere.radius), scale = model.grain_scale;
  const Vec3d around = model.field.velocity.size > 0 ? model.field.at(sphere.place) : flow;
  const double factor = part * scale * scale * model.viscosity / sphere.density,
               excess = model.excess(sphere.radius / scale, norm(around - sphere.velocity));
  const double rate = 4.5 * factor * excess / (sphere.radius * sphere.radius), angular_rate = factor * sphere.turning;
  const Vec3d pull = rate * around - (part * model.density / sphere.density) * sphere.gravity;
  return {convert<R>(pull), drag_over<R>(rate, time), drag_over<R>(angular_rate, time), static_cast<R>(angular_rate)};
}

/// The fluid, bodies and groups as both kernels of a step see them.
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
    const BodyView<R>& bodies = step.bodies;
    const Vec3d place = bodies.position[i];
    if (is_parked(place) || is_member(bodies.inverse_inertia[i])) { return; }
    const double radius = double(bodies.radius[i]);
    step.groups.fluid_on_bodies[i] =
        push_on<R>({place, convert<double>(Vec3<R>(bodies.velocity[i])), step.density[bodies.material[i]], radius,
                    15 / (radius * radius), step.gravity_on(bodies.id[i])},
                   step.model, step.flow, step.time);
  }
};

/// What the fluid needs of a shape of clumps.
struct FluidShape {
  double radius;   ///< [m] of the sphere of the same volume, at size 1
  double turning;  ///< [1/m2] 8 pi r^3 over the mean of the principal moments of inertia, per density, at size 1
};

/// The fluid on clumps and level-set grains; one thread per clump.
template <class R>
struct FluidOnClumps {
  ClumpView clumps;
  ClumpMembers members;
  Span<FluidShape> shapes;  ///< [n_shapes]
  FluidStep<R> step;

  SCREE_INLINE FluidOnClumps at(const StepMoment<R>& moment) const {
    return {clumps, members, shapes, step.at(moment)};
  }
  SCREE_HD void operator()(std::size_t c) const {
    if (step.control->halted != 0 || clumps.mass[c] == 0) { return; }
    const index_t first = clumps.first[c];
    const FluidShape& shape = shapes[clumps.shape[c]];
    const double size = clumps.size[c];
    const double density = step.density[step.bodies.material[members.body_of_id[first]]];
    step.groups.fluid_on_clumps[c] =
        push_on<double>({clumps.position[c], clumps.velocity[c], density, size * shape.radius,
                         shape.turning / (size * size), step.gravity_on(first)},
                        step.model, step.flow, step.time);
  }
};

}  // namespace scree::inline SCREE_BACKEND
