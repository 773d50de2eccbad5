#pragma once

#include "kernels/fluid/fluid_model.hpp"
#include "kernels/math/decay.hpp"
#include "kernels/math/exact_sum.hpp"
#include "kernels/math/sphere.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/clumps.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/groups.hpp"
#include "kernels/state/step_moment.hpp"

/// What a fluid does to single spheres and to clumps in a step.
namespace scree::inline SCREE_BACKEND {

/// Drag with the rate c [1/s] over the time [s] of a kick.
template <class R>
SCREE_HD FluidDrag<R> drag_over(double rate, double time) {
  const double x = rate * time;
  const Decay part = quick_decay(x);
  return {static_cast<R>(part.left), static_cast<R>(x * part.mean), static_cast<R>(part.mean * time)};
}

/// What an action does in a step whose kick lasts `time` [s].
template <class R>
SCREE_HD FluidPush<R> push_by(const FluidAction& action, double time) {
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
  SolidTable solids{};  ///< empty: no grain hinders another one
  Vec3d flow{};         ///< [m/s] of this step, if the fluid flows the same everywhere
  double time = 0;      ///< [s] of the kick of this step

  SCREE_INLINE FluidStep at(const StepMoment<R>& moment) const {
    FluidStep now = *this;
    now.flow = moment.flow, now.time = double(moment.motion.kick);
    return now;
  }
  SCREE_INLINE Vec3d gravity_on(index_t id) const {  ///< [m/s2]
    const GroupRule<R>& rule = groups.rule_of(id);
    return convert<double>(rule.damped_gravity + rule.free_gravity);
  }
  SCREE_HD FluidAction action(const ImmersedSphere& sphere) const {
    const FluidAround fluid = around(sphere, model, flow, solids);
    return action_on(sphere, model, fluid, model.excess(fluid.reynolds, fluid.porosity));
  }
  /// What the fluid does in this step to a sphere.
  template <class Result>
  SCREE_HD FluidPush<Result> push_on(const ImmersedSphere& sphere) const {
    return push_by<Result>(action(sphere), time);
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
    step.groups.fluid_on_bodies[i] = step.template push_on<R>(step.sphere(i));
  }

#if !SCREE_ON_CUDA
  /// The same for a range: the excess of the drag, which takes the most time, by vectors.
  void work_on(std::size_t begin, std::size_t end) const {
    constexpr std::size_t stretch = 64;
    if constexpr (SCREE_IN_BATCHES) {
      if (step.control->halted != 0) { return; }
    }
    std::size_t item[stretch];
    ImmersedSphere sphere[stretch];
    FluidAround fluid[stretch];
    double reynolds[stretch] = {}, porosity[stretch], excess[stretch];
    for (double& value : porosity) { value = 1; }
    SolidReader solids(step.solids);
    for (std::size_t first = begin; first < end; first += stretch) {
      std::size_t count = 0;
      for (std::size_t i = first; i < math::min(first + stretch, end); ++i) {
        if (!step.is_single_sphere(i)) { continue; }
        item[count] = i;
        sphere[count] = step.sphere(i);
        fluid[count] = around(sphere[count], step.model, step.flow, solids);
        reynolds[count] = fluid[count].reynolds, porosity[count] = fluid[count].porosity;
        ++count;
      }
      find_excess(reynolds, porosity, count, excess);
      for (std::size_t lane = 0; lane < count; ++lane) {
        step.groups.fluid_on_bodies[item[lane]] =
            push_by<R>(action_on(sphere[lane], step.model, fluid[lane], excess[lane]), step.time);
      }
    }
  }

 private:
  /// The loops run over whole vectors; nothing reads the results of lanes after the last sphere.
  void find_excess(const double* reynolds, const double* porosity, std::size_t count, double* excess) const {
    const FluidModel model = step.model;
    const std::size_t whole = (count + 7) / 8 * 8;
    if (model.hindrance == Hindrance::none) {
#pragma omp simd
      for (std::size_t lane = 0; lane < whole; ++lane) { excess[lane] = model.excess_alone(reynolds[lane]); }
      return;
    }
#pragma omp simd
    for (std::size_t lane = 0; lane < whole; ++lane) {
      excess[lane] = model.excess_among_others(reynolds[lane], porosity[lane]);
    }
  }
#endif
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
    step.groups.fluid_on_clumps[c] = step.template push_on<double>(all.sphere(c, step));
  }
};

/// All clumps and then all bodies, as spheres in the fluid.
template <class R>
struct ImmersedParticles {
  ImmersedClumps<R> all;
  FluidStep<R> step;
  std::size_t n_clumps;

  [[nodiscard]] std::size_t size() const { return n_clumps + step.bodies.position.size; }
  /// Calls take(sphere) if there is one with this number.
  template <class Take>
  SCREE_HD void visit(std::size_t item, const Take& take) const {
    if (item < n_clumps) {
      if (all.clumps.mass[item] != 0) { take(all.sphere(item, step)); }
    } else if (step.is_single_sphere(item - n_clumps)) {
      take(step.sphere(item - n_clumps));
    }
  }
};

/// Adds the volume of each particle to the table of a step; one thread per clump or body.
template <class R>
struct AddSolids {
  ImmersedParticles<R> particles;

  SCREE_HD void operator()(std::size_t item) const {
    if (is_over()) { return; }
    particles.visit(item,
                    [&](const ImmersedSphere& sphere) { particles.step.solids.add(sphere.place, volume(sphere)); });
  }

#if !SCREE_ON_CUDA
  void work_on(std::size_t begin, std::size_t end) const {
    if (is_over()) { return; }
    SolidAdder solids(particles.step.solids);
    for (std::size_t item = begin; item < end; ++item) {
      particles.visit(item, [&](const ImmersedSphere& sphere) { solids.add(sphere.place, volume(sphere)); });
    }
    solids.finish();
  }
#endif

 private:
  /// Whether the batch has halted; a fault may then have flung bodies out of the space for which the table has room.
  SCREE_INLINE bool is_over() const { return SCREE_IN_BATCHES && particles.step.control->halted != 0; }
  SCREE_INLINE static double volume(const ImmersedSphere& sphere) {
    return sphere_mass(sphere.radius, sphere.density) / sphere.density;
  }
};

/// Adds the force of the fluid on each particle, drag and buoyancy, to three sums [N].
template <class R>
struct FluidForce {
  ImmersedParticles<R> particles;
  SCREE_HD void operator()(std::size_t item, ExactSum* sums) const {
    particles.visit(item, [&](const ImmersedSphere& sphere) {
      const FluidAction action = particles.step.action(sphere);
      const Vec3d force = sphere_mass(sphere.radius, sphere.density) * (action.pull - action.rate * sphere.velocity);
      sums[0].add(force.x), sums[1].add(force.y), sums[2].add(force.z);
    });
  }
};

}  // namespace scree::inline SCREE_BACKEND
