#pragma once

#include "kernels/contact/gather.hpp"
#include "kernels/integrators/leapfrog.hpp"
#include "kernels/state/control.hpp"

namespace scree::inline SCREE_BACKEND {

/// Removes bodies whose centre has passed a plane, and counts them. Masses are counted in integer quanta: their sum
/// has the same bits in whatever order bodies leave.
struct OutletPlane {
  Vec3d point, normal;
  std::uint32_t counter;
};
struct OutletCount {
  std::uint64_t bodies, mass_quanta;
};
struct Outlets {
  Span<OutletPlane> planes;
  Span<OutletCount> counts;
  double quanta_per_mass;  ///< [1/kg] a power of two

  SCREE_INLINE bool removes(const Vec3d& position, double mass) const {
    for (std::size_t i = 0; i < planes.size; ++i) {
      const OutletPlane& plane = planes[i];
      if (dot(position - plane.point, plane.normal) > 0) {
        atomic_add(&counts[plane.counter].bodies, std::uint64_t(1));
        atomic_add(&counts[plane.counter].mass_quanta, static_cast<std::uint64_t>(mass * quanta_per_mass));
        return true;
      }
    }
    return false;
  }
};

/// Gathers the contact forces of a body and moves it by one step; one thread per body. Asks for a new neighbour list
/// when the body has moved its share of the Verlet distance since the last one.
/// Raises not_finite, and moved_too_far when a body moves more than its radius in one step.
template <class R>
struct BodyMotion {
  static constexpr int block_size = 128;

  BodyView<R> bodies;
  WrenchGather<R> gather;
  Leapfrog<R> scheme;
  Vec3<R> gravity;
  Outlets outlets;
  Control* control;

  SCREE_INLINE void operator()(std::size_t i) const {
    if constexpr (SCREE_ON_CUDA) {
      if (control->halted != 0) { return; }
    }
    const R inverse_mass = bodies.inverse_mass[i];
    if (inverse_mass == R(0)) { return; }
    const R radius = bodies.radius[i];
    const Wrench<R> wrench = gather(i, radius);

    const Vec3<R> velocity = scheme.advance(bodies.velocity[i], inverse_mass * wrench.force + gravity);
    const Vec3<R> spin = scheme.advance(bodies.angular_velocity[i], bodies.inverse_inertia[i] * wrench.torque);
    const Vec3<R> move = scheme.time_step * velocity;
    const Vec3d from = bodies.position[i];
    const Vec3d position = from + convert<double>(move);
    const Vec3<R> travel = bodies.travel[i] + convert<R>(position - from);  // far from the origin positions move by whole spacings

    bodies.velocity[i] = velocity;
    bodies.angular_velocity[i] = spin;
    bodies.position[i] = position;
    bodies.travel[i] = travel;

    const R spin_square = dot(spin, spin);
    const R travel_limit = R(0.998) * bodies.skin[i];  // what rounding of the travel can hide is left
    if (!(dot(travel, travel) <= travel_limit * travel_limit) || !(spin_square - spin_square == R(0)) ||
        dot(move, move) > radius * radius) {
      look_closer(i, move, spin_square, radius);
    }
    if (outlets.planes.size > 0 && outlets.removes(position, 1.0 / double(inverse_mass))) { park(i); }
  }

  /// Hint on the host; `i` may lie past the end.
  SCREE_INLINE void prefetch([[maybe_unused]] std::size_t i) const {
#if !SCREE_ON_CUDA
    if (i + 1 < gather.incident_start.size) { gather.prefetch(i); }
#endif
  }

 private:
  SCREE_HD void look_closer(std::size_t i, const Vec3<R>& move, R spin_square, R radius) const {
    const R step_square = dot(move, move);
    const R both = step_square + spin_square;
    if (!(both - both == R(0))) {
      raise_fault(control, FaultKind::not_finite, bodies.id[i]);
    } else if (step_square > radius * radius) {
      raise_fault(control, FaultKind::moved_too_far, bodies.id[i]);
    }
    raise_flag(&control->list_spent);
  }

  SCREE_HD void park(std::size_t i) const {
    bodies.position[i] = parked_position(bodies.id[i]);
    bodies.velocity[i] = {};
    bodies.angular_velocity[i] = {};
    bodies.inverse_mass[i] = R(0);
  }
};

/// The motion of bodies from `first` on.
template <class R>
struct LaterMotion {
  static constexpr int block_size = 128;
  BodyMotion<R> motion;
  std::size_t first;
  SCREE_HD void operator()(std::size_t k) const { motion(first + k); }
};

/// Contact force on each body without moving it, for output.
template <class R>
struct ContactForce {
  WrenchGather<R> gather;
  Span<R> radius;
  Span<Vec3<R>> force;
  SCREE_HD void operator()(std::size_t i) const { force[i] = gather(i, radius[i]).force; }
};

}  // namespace scree::inline SCREE_BACKEND
