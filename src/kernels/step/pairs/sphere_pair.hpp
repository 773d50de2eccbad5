#pragma once

#include "kernels/laws/concept.hpp"
#include "kernels/laws/mid_step.hpp"
#include "kernels/step/pairs/pair_views.hpp"

namespace scree::inline SCREE_BACKEND {

/// Unit vector along a branch vector. If the branch is zero, the result has no meaning, but is finite.
template <class R>
SCREE_INLINE Vec3<R> normal_along(const Vec3<R>& branch) {
  return (R(1) / math::max(norm(branch), R(1e-37))) * branch;
}

/// The geometry of two spheres that touch at one point. It finds out whether they touch, describes the contact to a
/// law, and turns the answer into a record. It knows no law.
///
/// The branch vector and the difference of squares that gives the overlap are computed in double, everything after them
/// in R. The contact point lies in the middle of the overlap. The arms add up to the length of the branch, l1 + l2 = l,
/// so angular momentum is conserved.
///
/// With no_ratcheting the slip is that of two spheres that roll on their full radii, v_T (r1 + r2) / l - (r1 w1 + r2
/// w2) x n. Closed cycles of pushing and rolling then leave no shear. The motion along the normal stays the same.
/// no_ratcheting is a factor of 1 or 0, so that one kernel serves both; 0 changes no bit.
template <class R>
struct SpherePair {
  using Scalar = R;
  using Views = PairViews<R>;

  /// The values that tell whether the spheres touch. An Input begins with them.
  struct Look {
    Vec3<R> branch;      ///< [m] from the first centre to the second
    R radius1, radius2;  ///< [m]
    R square_gap;        ///< [m2] (r1 + r2)^2 - branch^2
    bool chosen;         ///< whether the spheres touch

    static constexpr int n_components = 6;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, branch.x), visit(1, branch.y), visit(2, branch.z);
      visit(3, radius1), visit(4, radius2), visit(5, square_gap);
    }
  };

  /// The values of the two bodies that state_of() needs.
  struct Input : Look {
    Vec3<R> velocity;      ///< [m/s] of the second relative to the first
    Vec3<R> spin1, spin2;  ///< [rad/s]
    R inverse_mass;        ///< [1/kg] sum of both

    static constexpr int n_components = 16;
    template <class Visit>
    SCREE_INLINE void each_of_look(Visit&& visit) {
      Look::each(visit);
    }
    template <class Visit>
    SCREE_INLINE void each_of_motion(Visit&& visit) {
      visit(6, velocity.x), visit(7, velocity.y), visit(8, velocity.z);
      visit(9, spin1.x), visit(10, spin1.y), visit(11, spin1.z);
      visit(12, spin2.x), visit(13, spin2.y), visit(14, spin2.z), visit(15, inverse_mass);
    }
  };

  /// The effect of the contact on the bodies, see PairForce.
  struct Action {
    Vec3<R> force;   ///< [N] on the second body
    Vec3<R> moment;  ///< [N] normal x (-force)
    R half_overlap;  ///< [m] or too_deep

    static constexpr int n_components = 7;
    template <class Visit>
    SCREE_INLINE void each_of_action(Visit&& visit) {
      visit(0, force.x), visit(1, force.y), visit(2, force.z);
      visit(3, moment.x), visit(4, moment.y), visit(5, moment.z), visit(6, half_overlap);
    }
    [[nodiscard]] SCREE_INLINE bool is_too_deep() const { return SpherePair::is_too_deep(half_overlap); }
    [[nodiscard]] SCREE_INLINE PairForce<R> record() const {
      return {Four<R>::of(force.x, force.y, force.z, half_overlap), Four<R>::of(moment.x, moment.y, moment.z, R(0))};
    }
  };

  /// Whether the half overlap of an action marks an overlap as too deep.
  SCREE_INLINE static bool is_too_deep(R half_overlap) { return half_overlap == too_deep; }

  SCREE_INLINE static Look look(const Views& of, std::size_t slot, const BodyPair& pair) {
    const BodyPlace<R> first = of.bodies.place[pair.first].read(), second = of.bodies.place[pair.second].read();
    const Vec3d branch = of.cell.branch(slot, first.position, second.position);
    const R radius1 = first.radius, radius2 = second.radius;
    const double reach = double(radius1) + double(radius2);
    const double square_gap = reach * reach - dot(branch, branch);
    return {convert<R>(branch), radius1, radius2, static_cast<R>(square_gap), dot(branch, branch) < reach * reach};
  }

  SCREE_INLINE static void prefetch(const Views& of, const BodyPair& pair) {
#if !SCREE_ON_CUDA
    // Slots are sorted by the body that comes first in memory, so that body is in the cache already.
    const index_t later = math::max(pair.first, pair.second);
    __builtin_prefetch(&of.bodies.place[later]);
    __builtin_prefetch(&of.bodies.speed[later]);
#endif
  }

  SCREE_INLINE static void load_motion(const Views& of, const BodyPair& pair, Input& in) {
    const auto [i, j] = pair;
    const BodySpeed<R>&first = of.bodies.speed[i], &second = of.bodies.speed[j];
    const Four<R> linear1 = first.linear(), linear2 = second.linear();
    in.velocity = linear2.vec3() - linear1.vec3();
    in.spin1 = first.angular().vec3();
    in.spin2 = second.angular().vec3();
    in.inverse_mass = linear1[3] + linear2[3];
  }

  /// [m] r1 + r2 - |branch| without cancellation.
  SCREE_INLINE static R overlap_of(const Look& look) {
    return look.square_gap / (look.radius1 + look.radius2 + norm(look.branch));
  }

  /// The part of the state on which the stiffness of a contact depends. The rest is zero.
  SCREE_INLINE static ContactState<R> state_at_rest(const Look& look, R inverse_mass) {
    ContactState<R> state{};
    state.overlap = overlap_of(look);
    state.radius1 = look.radius1;
    state.radius2 = look.radius2;
    state.effective_radius = look.radius1 * look.radius2 / (look.radius1 + look.radius2);
    state.effective_mass = inverse_mass > R(0) ? R(1) / inverse_mass : R(0);
    return state;
  }

  /// Fills the state that the law sees. `shear` is the elastic tangential force after the last step. The state is an
  /// argument, because g++ does not split a returned ContactState into scalars, and then makes no vector loop.
  SCREE_INLINE static void state_of(const Views& of, const Input& in, const Vec3<R>& shear, ContactState<R>& contact) {
    const R time_step = of.time_step;
    // The mean flow acts along the branch of one step ago. Without a cell its gradient is 0.
    const Vec3<R> relative = in.velocity + of.cell.gradient * (in.branch - time_step * in.velocity);
    const Vec3<R> spin1 = in.spin1 + of.cell.spin, spin2 = in.spin2 + of.cell.spin;
    const R length = norm(in.branch);
    const R inverse_length = R(1) / math::max(length, R(1e-37));
    const Vec3<R> n = inverse_length * in.branch;
    const R reach = in.radius1 + in.radius2;
    const R overlap = in.square_gap / (reach + length);  // = reach - length without cancellation

    const R shortened = (R(0.5) - R(0.5) * of.no_ratcheting) * overlap;
    const R stretch = R(1) + of.no_ratcheting * overlap * inverse_length;  // (r1 + r2) / l
    const Vec3<R> rolling = (in.radius1 - shortened) * spin1 + (in.radius2 - shortened) * spin2;
    const Vec3<R> total_spin = spin1 + spin2;
    const R parting = dot(n, relative);
    const Vec3<R> across = relative - parting * n;

    // This is MidStep::slip_of() of the velocity at the contact point, stretch * relative + n x rolling, with the
    // directions and lengths of the arms in the middle of the step. Terms of first order are collected, so that one
    // cross product serves all.
    const R half_step = R(0.5) * time_step, turn = half_step * inverse_length;
    const R twist = R(0.5) * half_step * dot(n, total_spin), rolling_along = dot(n, rolling);
    const MidStep<R> middle{n, turn * across, twist};
    const R shorter = (R(0.5) - R(0.5) * of.no_ratcheting) * (half_step * parting);
    const Vec3<R> rolls = rolling + (rolling_along * turn + twist * stretch) * across - shorter * total_spin;
    const R longer = (R(1) + of.no_ratcheting) * (parting * turn);
    const Vec3<R> slip =
        (stretch + stretch * longer) * across + cross(n, rolls) - twist * (rolling - rolling_along * n);

    const Vec3<R> move = time_step * relative;
    const Vec3<R> branch_before = in.branch - move;
    // The new length minus the old one, without cancellation.
    const R retreat = dot(move, in.branch + branch_before) / math::max(length + norm(branch_before), R(1e-37));

    contact.n = n;
    contact.overlap = overlap;
    contact.overlap_before = overlap + retreat;
    contact.retreat = retreat;
    contact.normal_velocity = parting;  // only the slip is stretched
    contact.slip = slip;
    contact.velocity = stretch * relative;
    contact.rolling = rolling;
    contact.spin = middle.turned(spin2 - spin1);
    // The branch of one step ago follows from the velocities in the middle of the step: no old normal is stored.
    contact.branch_before = branch_before;
    contact.total_spin = total_spin;
    contact.time_step = time_step;
    contact.lean = of.lean;
    contact.take_shear(shear);
    contact.radius1 = in.radius1;
    contact.radius2 = in.radius2;
    contact.effective_radius = in.radius1 * in.radius2 / reach;
    // If both bodies are fixed, the mass 0 makes the dashpots vanish.
    const R effective_mass = R(1) / math::max(in.inverse_mass, R(1e-37));
    contact.effective_mass = in.inverse_mass > R(0) ? effective_mass : R(0);
  }

  /// The effect of the answer of a law. An overlap is too deep if the centre of one sphere lies inside the other.
  SCREE_INLINE static Action action_of(const ContactState<R>& contact, const LawResponse<R>& response) {
    const bool deep = contact.overlap > math::min(contact.radius1, contact.radius2);
    return {response.normal * contact.n + response.tangential, cross(response.tangential, contact.n),
            deep ? too_deep : R(0.5) * contact.overlap};
  }

 private:
  /// Marks an overlap that is too deep. It may replace the overlap, because such a run ends with a fault.
  static constexpr R too_deep = R(-1e37);
};

}  // namespace scree::inline SCREE_BACKEND
