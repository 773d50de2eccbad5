#pragma once

#include "kernels/contact/kinematics.hpp"
#include "kernels/laws/concept.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/pairs.hpp"

namespace scree::inline SCREE_BACKEND {

/// Contact force of each listed pair of spheres: geometry, kinematics and law in one kernel, one thread per pair.
/// The branch vector and the difference of squares that gives the overlap are formed in double; everything after
/// them is R. Contact point in the middle of the overlap, arms l1 + l2 = l, so angular momentum is conserved.
/// Raises deep_overlap when a centre lies inside the other sphere.
/// With one_material all spheres are of the same material, and the law's parameters need not be fetched pair by pair.
template <class Law, class R, bool one_material>
struct PairContacts {
  using Scalar = R;
  static constexpr int block_size = 128;

  BodyView<R> bodies;
  Span<BodyPair> pairs;
  Span<Vec3<R>> shear;
  Span<PairForce<R>> force;
  Span<std::uint8_t> touching;
  Span<typename Law::Params> params;  ///< [n_materials^2], by material of the first and of the second body
  std::uint32_t n_materials;
  typename Law::Params shared_params;     ///< used with one_material
  R time_step;
  Control* control;

  struct Input {
    Vec3<R> branch, velocity, spin1, spin2, shear;
    R radius1, radius2, inverse_mass, square_gap, time_step;
    typename Law::Params params;

    static constexpr int n_components = 20 + (one_material ? 0 : Law::Params::n_components);
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, branch.x), visit(1, branch.y), visit(2, branch.z);
      visit(3, velocity.x), visit(4, velocity.y), visit(5, velocity.z);
      visit(6, spin1.x), visit(7, spin1.y), visit(8, spin1.z);
      visit(9, spin2.x), visit(10, spin2.y), visit(11, spin2.z);
      visit(12, shear.x), visit(13, shear.y), visit(14, shear.z);
      visit(15, radius1), visit(16, radius2), visit(17, inverse_mass), visit(18, square_gap), visit(19, time_step);
      if constexpr (!one_material) {
        params.each([&](int component, R& value) { visit(20 + component, value); });
      }
    }
  };

  struct Output {
    Vec3<R> force, moment, shear;
    R half_overlap;

    static constexpr int n_components = 10;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, force.x), visit(1, force.y), visit(2, force.z);
      visit(3, moment.x), visit(4, moment.y), visit(5, moment.z);
      visit(6, shear.x), visit(7, shear.y), visit(8, shear.z), visit(9, half_overlap);
    }
  };

  SCREE_INLINE bool select(std::size_t slot) const {
    if constexpr (SCREE_ON_CUDA) {
      if (control->halted != 0) { return false; }
    }
    const BodyPair pair = pairs[slot];
    const Vec3d branch = bodies.position[pair.second] - bodies.position[pair.first];
    const double reach = double(bodies.radius[pair.first]) + double(bodies.radius[pair.second]);
    return dot(branch, branch) < reach * reach;
  }

  SCREE_INLINE void prefetch([[maybe_unused]] std::size_t slot) const {
#if !SCREE_ON_CUDA
    // Past the end the slot is whatever lies there; a prefetch of a wrong address does no harm, but reading does.
    const BodyPair pair = pairs[slot < pairs.size ? slot : pairs.size - 1];
    const index_t later = math::max(pair.first, pair.second);  // the earlier one was met with the slots before
    __builtin_prefetch(&bodies.position[later]);
    __builtin_prefetch(&bodies.velocity[later]);
    __builtin_prefetch(&bodies.angular_velocity[later]);
#endif
  }

  SCREE_INLINE bool must_reject(std::size_t slot) const {
    if constexpr (SCREE_ON_CUDA) {
      if (control->halted != 0) { return false; }
    }
    return touching[slot] != 0;
  }

  SCREE_INLINE void reject(std::size_t slot) const {
    touching[slot] = 0;
    shear[slot] = {};
    force[slot] = PairForce<R>{};
  }

  SCREE_INLINE Input load(std::size_t slot) const {
    const auto [i, j] = pairs[slot];
    const Vec3d branch = bodies.position[j] - bodies.position[i];
    const R radius1 = bodies.radius[i];
    const R radius2 = bodies.radius[j];
    const double reach = double(radius1) + double(radius2);
    return {convert<R>(branch),
            bodies.velocity[j] - bodies.velocity[i],
            bodies.angular_velocity[i],
            bodies.angular_velocity[j],
            shear[slot],
            radius1,
            radius2,
            bodies.inverse_mass[i] + bodies.inverse_mass[j],
            static_cast<R>(reach * reach - dot(branch, branch)),
            time_step,
            params_of(i, j)};
  }

  SCREE_INLINE Output evaluate(const Input& in) const {
    const R length = norm(in.branch);
    const R inverse_length = R(1) / math::max(length, R(1e-37));
    const Vec3<R> n = inverse_length * in.branch;
    const R reach = in.radius1 + in.radius2;
    const R overlap = in.square_gap / (reach + length);  // = reach - length without cancellation
    const R half_overlap = R(0.5) * overlap;

    const Vec3<R> rolling = (in.radius1 - half_overlap) * in.spin1 + (in.radius2 - half_overlap) * in.spin2;
    const Vec3<R> velocity = in.velocity - cross(rolling, n);
    const R normal_velocity = dot(n, velocity);

    ContactState<R> contact;
    contact.n = n;
    contact.overlap = overlap;
    contact.normal_velocity = normal_velocity;
    contact.slip = velocity - normal_velocity * n;
    // Where the branch was one step ago follows from the mid-step velocities: the old normal need not be stored.
    contact.shear = turn_with_contact(in.shear, n, in.branch - in.time_step * in.velocity, in.spin1 + in.spin2, in.time_step);
    contact.radius1 = in.radius1;
    contact.radius2 = in.radius2;
    contact.effective_radius = in.radius1 * in.radius2 / reach;
    contact.effective_mass = R(1) / in.inverse_mass;
    contact.time_step = in.time_step;

    const LawResponse<R> response = Law::evaluate(contact, one_material ? shared_params : in.params);
    // A negative overlap stands for one that is too deep: the state is not used any more after a fault.
    const bool deep = overlap > math::min(in.radius1, in.radius2);
    return {response.normal * n + response.tangential, cross(response.tangential, n), response.shear,
            deep ? -half_overlap : half_overlap};
  }

  SCREE_INLINE void store(std::size_t slot, const Output& out) const {
    touching[slot] = 1;
    shear[slot] = out.shear;
    force[slot] = {Four<R>::of(out.force.x, out.force.y, out.force.z, out.half_overlap),
                   Four<R>::of(out.moment.x, out.moment.y, out.moment.z, R(0))};
    if (out.half_overlap < R(0)) { raise_fault(control, FaultKind::deep_overlap, bodies.id[pairs[slot].first]); }
  }
 private:
  SCREE_INLINE typename Law::Params params_of(index_t i, index_t j) const {
    if constexpr (one_material) {
      return {};
    } else {
      return params[bodies.material[i] * n_materials + bodies.material[j]];
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
