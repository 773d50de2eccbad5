#pragma once

#include "kernels/backend/eight_rows.hpp"
#include "kernels/integrators/rotation.hpp"
#include "kernels/step/motion/motion.hpp"

#if !SCREE_ON_CUDA

namespace scree::inline SCREE_BACKEND {

/// Moves eight consecutive clumps together, in a run without groups, cell and energy ledger. It does the same IEEE
/// operations for each of them as ClumpMotion does for one.
template <class R, class Integrator>
struct ClumpLanes {
  static constexpr std::size_t n = 8;

  ClumpView clumps;
  ClumpMembers members;
  Span<MemberWrench<R>> wrench;
  BodyMotion<R, false, true, false> of;
  Leapfrog<double> scheme;
  Vec3d gravity;

  /// Whether none of the clumps [c, c + 8) has been removed.
  SCREE_INLINE bool all_move(std::size_t c) const {
    bool all = true;
    for (std::size_t i = 0; i < n; ++i) { all = all && clumps.mass[c + i] != 0; }
    return all;
  }

  void operator()(std::size_t c) const {
    const Shapes shapes(*this, c);
    const Quaternion<Eight> orientation = load_eight(&clumps.orientation[c]);
    const RotationMatrix<Eight> before = matrix_of(orientation);
    const Eight size = Eight::load(&clumps.size[c]), mass = Eight::load(&clumps.mass[c]);
    Vec3<Eight> force = same(Vec3d{0, 0, 0}), torque = force;
    for (std::uint32_t k = 0; k < shapes.most; ++k) { add_member(shapes, k, size, before, force, torque); }

    Rotor<Eight> rotor{orientation, load_eight(&clumps.angular_velocity[c]), same({0, 0, 0})};
    if constexpr (Integrator::keeps_momentum) { rotor.angular_momentum = load_eight(&clumps.angular_momentum[c]); }
    const Vec3<Eight> acting = damped(torque, rotor.angular_velocity);
    Integrator::template With<Eight>::step(rotor, load_eight(&clumps.inertia[c]), acting,
                                           {Eight(scheme.kick), Eight(scheme.time_step)});
    const Vec3<Eight> velocity = advance(load_eight(&clumps.velocity[c]), (Eight(1) / mass) * force + same(gravity));
    const Vec3<Eight> position = load_eight(&clumps.position[c]) + Eight(scheme.time_step) * velocity;
    store_eight(position, &clumps.position[c]);
    store_eight(velocity, &clumps.velocity[c]);
    store_eight(rotor.orientation, &clumps.orientation[c]);
    store_eight(rotor.angular_velocity, &clumps.angular_velocity[c]);
    if constexpr (Integrator::keeps_momentum) { store_eight(rotor.angular_momentum, &clumps.angular_momentum[c]); }

    Four<R> spin[n];
    rows_of_eight(rotor.angular_velocity, spin);
    const RotationMatrix<Eight> after = matrix_of(rotor.orientation);
    for (std::uint32_t k = 0; k < shapes.most; ++k) {
      const Vec3<Eight> local = size * shapes.place(*this, k), arm = after * local, way = arm - before * local;
      Four<double> to[n];
      Four<R> speed[n];
      rows_of_eight(position + arm, to);
      rows_of_eight(velocity + Eight(1 / scheme.time_step) * way, speed);
      for (std::size_t i = 0; i < n; ++i) {
        if (k < shapes.count[i]) { of.place_member(shapes.body(*this, i, k), to[i], speed[i], spin[i]); }
      }
    }
    if (of.outlets.any()) { remove_those_outside(c, shapes); }
  }

  /// A hint to the processor: these clumps will soon be moved.
  SCREE_INLINE void prefetch(std::size_t c) const {
    for (std::size_t i = c; i < c + n && i < clumps.mass.size; ++i) {
      const std::uint32_t shape = clumps.shape[i];
      const std::uint32_t count = members.shape_start[shape + 1] - members.shape_start[shape];
      for (std::uint32_t k = 0; k < count; ++k) {
        const index_t body = members.body_of_id[clumps.first[i] + k];
        __builtin_prefetch(&wrench[body]);
        __builtin_prefetch(&of.bodies.place[body], 1);
        __builtin_prefetch(&of.bodies.speed[body], 1);
        __builtin_prefetch(&of.bodies.way[body], 1);
      }
    }
  }

 private:
  /// The members of the eight clumps. A clump with fewer members than others is filled up with empty members.
  struct Shapes {
    std::uint32_t begin[n], count[n], most = 0;
    index_t first[n];
    bool one_shape = true;

    SCREE_INLINE Shapes(const ClumpLanes& lanes, std::size_t c) {
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t shape = lanes.clumps.shape[c + i];
        begin[i] = lanes.members.shape_start[shape];
        count[i] = lanes.members.shape_start[shape + 1] - begin[i];
        first[i] = lanes.clumps.first[c + i];
        one_shape = one_shape && begin[i] == begin[0];
        most = math::max(most, count[i]);
      }
    }
    SCREE_INLINE index_t body(const ClumpLanes& lanes, std::size_t i, std::uint32_t k) const {
      return lanes.members.body_of_id[first[i] + k];
    }
    /// The place of member k in principal axes, at size 1. It has no meaning for an empty member.
    SCREE_INLINE Vec3<Eight> place(const ClumpLanes& lanes, std::uint32_t k) const {
      if (one_shape) { return same(lanes.members.place[begin[0] + k]); }
      alignas(64) double x[n], y[n], z[n];
      for (std::size_t i = 0; i < n; ++i) {
        const Vec3d p = lanes.members.place[begin[i] + (k < count[i] ? k : 0)];
        x[i] = p.x, y[i] = p.y, z[i] = p.z;
      }
      return {Eight::load(x), Eight::load(y), Eight::load(z)};
    }
  };

  SCREE_INLINE static Vec3<Eight> same(const Vec3d& v) { return {Eight(v.x), Eight(v.y), Eight(v.z)}; }

  /// Adds the wrenches of members k. Empty members add zeros to sums that began with zeros, which changes no bit.
  SCREE_INLINE void add_member(const Shapes& shapes, std::uint32_t k, const Eight& size,
                               const RotationMatrix<Eight>& before, Vec3<Eight>& force, Vec3<Eight>& torque) const {
    Four<R> f_row[n], t_row[n];
    for (std::size_t i = 0; i < n; ++i) {
      f_row[i] = t_row[i] = Four<R>::of(R(0), R(0), R(0), R(0));
      if (k < shapes.count[i]) {
        const MemberWrench<R>& own = wrench[shapes.body(*this, i, k)];
        f_row[i] = own.force, t_row[i] = own.torque;
      }
    }
    const Vec3<Eight> f = eight_of_rows(f_row), t = eight_of_rows(t_row);
    force += f;
    torque += t + cross(before * (size * shapes.place(*this, k)), f);
  }

  /// ClumpMotion::damped() for eight clumps.
  SCREE_INLINE Vec3<Eight> damped(const Vec3<Eight>& torque, const Vec3<Eight>& spin) const {
    if (scheme.damping == 0) { return torque; }
    const auto component = [&](const Eight& t, const Eight& w) {
      return t * (Eight(1) - Eight(scheme.damping) * math::sign(t * w));
    };
    return {component(torque.x, spin.x), component(torque.y, spin.y), component(torque.z, spin.z)};
  }

  /// Leapfrog::advance() for eight clumps.
  SCREE_INLINE Vec3<Eight> advance(const Vec3<Eight>& velocity, const Vec3<Eight>& acceleration) const {
    const Eight kick(scheme.kick);
    if (scheme.damping == 0) { return velocity + kick * acceleration; }
    const Eight lead(scheme.kick - 0.5 * scheme.time_step);
    const auto component = [&](const Eight& v, const Eight& a) {
      return v + kick * (a * (Eight(1) - Eight(scheme.damping) * math::sign(a * (v + lead * a))));
    };
    return {component(velocity.x, acceleration.x), component(velocity.y, acceleration.y),
            component(velocity.z, acceleration.z)};
  }

  void remove_those_outside(std::size_t c, const Shapes& shapes) const {
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3d position = clumps.position[c + i];
      const std::uint32_t counter = of.outlets.remover(position, clumps.mass[c + i]);
      if (counter == Outlets::none) { continue; }
      double liquid = 0;
      for (std::uint32_t k = 0; k < shapes.count[i]; ++k) { liquid += of.outlets.film_of(shapes.body(*this, i, k)); }
      const index_t body = shapes.body(*this, i, 0);
      of.outlets.list(counter, body, shapes.first[i], of.bodies.material[body], clumps.mass[c + i], position,
                      clumps.velocity[c + i], liquid);
      clumps.mass[c + i] = 0;
      for (std::uint32_t k = 0; k < shapes.count[i]; ++k) { of.park(shapes.body(*this, i, k)); }
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND

#endif
