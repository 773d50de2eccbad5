#pragma once

#include <concepts>

#include "kernels/laws/turning.hpp"

namespace scree::inline SCREE_BACKEND {

/// A factor, and its difference from 1. In single precision the stored difference is more accurate than 1 minus the
/// factor.
template <class R>
struct Shrinkage {
  R factor, lost;
};

/// The state of one contact, as a law sees it. Body 2 is the second; n points from 1 to 2.
template <class R>
struct ContactState {
  Vec3<R> n;              ///< [-] unit normal
  R overlap;              ///< [m] positive when touching
  R overlap_before;       ///< [m] one step ago
  R retreat{};            ///< [m] overlap_before - overlap, without cancellation
  R normal_velocity;      ///< [m/s] of 2 relative to 1 along n; negative when approaching
  Vec3<R> slip;           ///< [m/s] tangential velocity of 2 relative to 1 in the middle of the step, see MidStep
  Vec3<R> spin;           ///< [rad/s] angular velocity of 2 relative to 1 in the middle of the step, see MidStep
  Vec3<R> shear;          ///< [N] tangential elastic force on 2 after the last step, turned with the contact
  R radius1, radius2;     ///< [m] for the stiffness of the two bodies; a wall counts as a sphere of the other's radius
  R effective_radius;     ///< [m] r1 r2 / (r1 + r2); r for a wall
  R effective_mass;       ///< [kg] m1 m2 / (m1 + m2); m for a wall
  R time_step;            ///< [s]
  Vec3<R> branch_before;  ///< [any length] along the old normal
  Vec3<R> total_spin;     ///< [rad/s] sum of the angular velocities of 1 and 2
  Vec3<R> velocity;       ///< [m/s] of the centre of 2 relative to the centre of 1 or to the surface of a wall
  Vec3<R> rolling;        ///< [m/s] spins times arms: the relative velocity at the contact is velocity - rolling x n

  R weight = R(1);  ///< [-] factor by which the caller multiplies the forces; 1 unless joined facets are one contact
  R lean{};         ///< [-] shift by which sums are rounded in this step, see leaning_sum
  Vec3<R> shear_rest{};  ///< [N] part of `shear` that rounding has left out in this step; 0 in double precision

  /// Turns a tangential vector of the history with the contact, as the shear was turned. Values that no law asks for
  /// are not computed.
  [[nodiscard]] SCREE_INLINE Vec3<R> turned(const Vec3<R>& old) const {
    return turn_with_contact(old, n, branch_before, total_spin, time_step);
  }

  /// The same, with a change added. No change is lost, however small both are.
  [[nodiscard]] SCREE_INLINE Vec3<R> turned_sum(const Vec3<R>& old, const Vec3<R>& change) const {
    if constexpr (loses_increments<R>) {
      return leaning_sum(old, change_of_turn(old, n, branch_before, total_spin, time_step) + change, lean);
    } else {
      return turned(old) + change;
    }
  }

  /// Computes the shear from that of the last step.
  SCREE_INLINE void take_shear(const Vec3<R>& old) {
    if constexpr (loses_increments<R>) {
      const Vec3<R> change = change_of_turn(old, n, branch_before, total_spin, time_step);
      shear = old + change;
      shear_rest = lost_by_sum(old, change, shear);
    } else {
      shear = turned(old);
    }
  }

  /// The shear after a change.
  [[nodiscard]] SCREE_INLINE Vec3<R> sheared(const Vec3<R>& change) const {
    if constexpr (loses_increments<R>) {
      return leaning_sum(shear, shear_rest + change, lean);
    } else {
      return shear + change;
    }
  }
  /// The shear after a multiplication by a factor, 1 - lost, and a change.
  [[nodiscard]] SCREE_INLINE Vec3<R> sheared(const Shrinkage<R>& by, const Vec3<R>& change) const {
    if constexpr (loses_increments<R>) {
      return leaning_sum(shear, shear_rest + (change - by.lost * shear), lean);
    } else {
      return by.factor * shear + change;
    }
  }
};

/// The change of the segments in pages by a step of a law with a stack, and the values that are needed to repeat the
/// step with these segments.
template <class R>
struct StackStep {
  R change = R(0);
  R normal = R(0), effective_radius = R(0);
  R zeta = R(0), zeta_rest = R(0);  ///< [m] half overlap, and the part of it that rounding leaves out
  R movement1 = R(0), movement2 = R(0), viscous1 = R(0), viscous2 = R(0);
  static constexpr int n_components = 9;
  template <class Visit>
  SCREE_INLINE void each(int first, Visit&& visit) {
    visit(first, change), visit(first + 1, normal), visit(first + 2, effective_radius);
    visit(first + 3, zeta), visit(first + 4, zeta_rest);
    visit(first + 5, movement1), visit(first + 6, movement2), visit(first + 7, viscous1), visit(first + 8, viscous2);
  }
};

/// The answer of a law. The force on body 2 is normal * n + tangential.
template <class R>
struct LawResponse {
  R normal;              ///< [N] never negative for laws without cohesion
  Vec3<R> tangential;    ///< [N] total, perpendicular to n
  Vec3<R> shear;         ///< [N] elastic part, kept as history
  Vec3<R> couple;        ///< [N m] on body 2, and its opposite on body 1; only for laws with `has_couple`
  StackStep<R> stack{};  ///< only for laws with `has_stack`
};

/// The history of a contact beyond the shear: a plain struct of scalars, all zero when a contact begins. This is the
/// history of laws that need none.
struct NoHistory {
  static constexpr int n_components = 0;
  template <class Visit>
  SCREE_INLINE void each(Visit&&) {}
};
template <class Law>
struct TypeOfHistory {
  using type = NoHistory;
};
template <class Law>
requires requires { typename Law::History; }
struct TypeOfHistory<Law> {
  using type = typename Law::History;
};
template <class Law>
using HistoryOf = typename TypeOfHistory<Law>::type;

/// Whether a law answers with couples: rolling and twisting resistance.
template <class Law>
inline constexpr bool has_couple = requires {
  requires Law::has_couple;
};
/// Whether contacts of a law may last while the bodies are apart: they last as long as the first component of their
/// history is not 0.
template <class Law>
inline constexpr bool holds_apart = requires {
  requires Law::holds_apart;
};

/// Whether the normal force of a law is proportional to the overlap to the power 3/2, as Hertz's force is, and not to
/// the overlap itself. ContactJoin depends on this.
template <class Law>
inline constexpr bool is_hertzian = requires {
  requires Law::is_hertzian;
};

/// Whether a law acts only between spheres and between spheres and boundaries, not at the nodes of level-set grains.
template <class Law>
inline constexpr bool only_spheres = requires {
  requires Law::only_spheres;
};

/// Whether a law bonds the pairs that are near each other when the run starts. Such a law has range(Params), the
/// largest distance of such a pair over the sum of the radii; bond(History&, overlap, strength), which makes a bond of
/// that multiple of the strength; and overlap_without_bond(overlap, History), for the check of overlaps. The first
/// component of its history is positive as long as the bond is whole, and negative once it is broken: -1 while the
/// contact lasts, and remembered_bond while the bond is only remembered.
template <class Law>
inline constexpr bool makes_bonds = requires {
  requires Law::makes_bonds;
};

/// Whether a law that makes bonds remembers a broken bond until the bodies are too far apart for a new one. Then bonds
/// may be made in any step.
template <class Law>
inline constexpr bool remembers_bonds = requires {
  requires Law::remembers_bonds;
};
/// The first component of the history of such a law while the bodies of a broken bond are apart. No force acts between
/// them.
template <class R>
inline constexpr R remembered_bond = R(-2);

/// Whether a law bonds nodes of level-set grains that are near each other when the run starts. Such a law has
/// gap(Params), the largest distance [m] of a bonded node from the other surface; area(state) [m2], by which forces are
/// divided to get tractions; and holds(Params, strength, tension, square of the shear stress), which tells whether a
/// bond of that multiple of the strength holds these tractions [Pa].
template <class Law>
inline constexpr bool bonds_nodes = requires {
  requires Law::bonds_nodes;
};

/// Whether the history of a law may be of any length. Segments that do not fit into its History are in pages
/// (history/deep_stack.hpp). Beside evaluate() such a law has finish(), again(), evaluate_whole() and energies_whole(),
/// see Jaeger.
template <class Law>
inline constexpr bool has_stack = requires {
  requires Law::has_stack;
};

/// Whether a law has shear_stiffness(state, params[, history]) [N/m], which rolling resistance needs.
template <class Law, class R>
inline constexpr bool tells_shear_stiffness = requires(const ContactState<R>& c, const typename Law::Params& p) {
  Law::shear_stiffness(c, p);
}
|| requires(const ContactState<R>& c, const typename Law::Params& p, const HistoryOf<Law>& h) {
  Law::shear_stiffness(c, p, h);
};

/// How many components at the end of the history of a law are stored at the end of the row of a contact. Their place is
/// the same for all laws, however long the histories of other laws are, so the energy ledger is found there without
/// knowing the law.
template <class Law>
struct NumberOfLastComponents {
  static constexpr int value = 0;
};
template <class Law>
requires requires { Law::last_components; }
struct NumberOfLastComponents<Law> {
  static constexpr int value = Law::last_components;
};
template <class Law>
inline constexpr int last_components = NumberOfLastComponents<Law>::value;
/// Whether a law states its energies for the ledger.
template <class Law>
inline constexpr bool keeps_ledger = (last_components<Law> > 0);
/// The number of components of the history of a law, without those of the ledger.
template <class Law>
inline constexpr int own_components = HistoryOf<Law>::n_components - last_components<Law>;
/// The number of components of a history in the lanes of a stage. The ledger has more components there than in the row
/// of a contact.
template <class Law>
inline constexpr int components_in_lanes = HistoryOf<Law>::n_components;
template <class Law>
requires keeps_ledger<Law>
inline constexpr int components_in_lanes<Law> = own_components<Law> + Law::components_in_lanes;

/// The index of a component of the history of a contact. Each contact has n_extra components.
template <class Law>
SCREE_INLINE std::size_t history_place(std::size_t contact, int component, std::uint32_t n_extra) {
  std::size_t place = contact * n_extra + std::size_t(component);
  if constexpr (keeps_ledger<Law>) {
    constexpr int n = HistoryOf<Law>::n_components;
    if (component >= n - last_components<Law>) { place += n_extra - std::uint32_t(n); }
  }
  return place;
}

/// The history of a contact beyond its shear, from `extra` [n_contacts * n_extra].
template <class Law, class Values>
SCREE_INLINE HistoryOf<Law> load_history(const Values& extra, std::uint32_t n_extra, std::size_t contact) {
  HistoryOf<Law> history;
  history.each([&](int component, auto& value) { value = extra[history_place<Law>(contact, component, n_extra)]; });
  return history;
}
template <class Law, class Values>
SCREE_INLINE void store_history(const Values& extra, std::uint32_t n_extra, std::size_t contact,
                                HistoryOf<Law> history) {
  history.each([&](int component, auto& value) { extra[history_place<Law>(contact, component, n_extra)] = value; });
}

template <class Law, class R>
SCREE_INLINE LawResponse<R> evaluate_law(const ContactState<R>& state, const typename Law::Params& params,
                                         [[maybe_unused]] HistoryOf<Law>& history) {
  if constexpr (HistoryOf<Law>::n_components > 0) {
    return Law::evaluate(state, params, history);
  } else {
    return Law::evaluate(state, params);
  }
}

/// Stands for laws without values that all nodes of a contact share. Other laws declare such values, which follow from
/// radii, masses and parameters alone, as OfContact. They compute them by of_contact(state, params), and have
/// evaluate(state, params, of_contact[, history]) beside the usual one.
struct NothingOfContact {};
template <class Law>
struct TypeOfContact {
  using type = NothingOfContact;
};
template <class Law>
requires requires { typename Law::OfContact; }
struct TypeOfContact<Law> {
  using type = typename Law::OfContact;
};
template <class Law>
using OfContactOf = typename TypeOfContact<Law>::type;

template <class Law, class R>
SCREE_INLINE OfContactOf<Law> of_contact([[maybe_unused]] const ContactState<R>& state,
                                         [[maybe_unused]] const typename Law::Params& params) {
  if constexpr (std::is_same_v<OfContactOf<Law>, NothingOfContact>) {
    return {};
  } else {
    return Law::of_contact(state, params);
  }
}

template <class Law, class R>
SCREE_INLINE LawResponse<R> evaluate_law(const ContactState<R>& state, const typename Law::Params& params,
                                         [[maybe_unused]] const OfContactOf<Law>& shared,
                                         [[maybe_unused]] HistoryOf<Law>& history) {
  if constexpr (std::is_same_v<OfContactOf<Law>, NothingOfContact>) {
    return evaluate_law<Law>(state, params, history);
  } else if constexpr (HistoryOf<Law>::n_components > 0) {
    return Law::evaluate(state, params, shared, history);
  } else {
    return Law::evaluate(state, params, shared);
  }
}

/// A law is a stateless struct template with Params (a plain struct of scalars that lists them by each()) and
/// evaluate(). If the law has a History, evaluate() takes it, too. evaluate() has no branches on its common path,
/// because it is the body of a vector loop on the host.
template <class Law, class R>
concept ContactLaw = requires(const ContactState<R>& state, const typename Law::Params& params,
                              HistoryOf<Law>& history) {
  { evaluate_law<Law>(state, params, history) } -> std::same_as<LawResponse<R>>;
  { Law::Params::n_components } -> std::convertible_to<int>;
};

/// A bound of the squares of lengths that keeps 0/0 out of vector loops: smaller squares count as this.
template <class R>
inline constexpr double zero_square = 1e-300;
template <>
inline constexpr double zero_square<float> = 1e-37;

/// Coulomb: shortens f to at most `limit`; returns the factor, 1 when f is below the limit.
template <class R>
SCREE_INLINE R coulomb_factor(const Vec3<R>& f, R limit) {
  const R magnitude = math::sqrt(math::max(dot(f, f), R(zero_square<R>)));
  return math::min(R(1), limit / magnitude);
}

/// The forces [N] of a shear spring with a dashpot and a slider.
template <class R>
struct SlidingForces {
  Vec3<R> tangential;  ///< of spring and dashpot together
  Vec3<R> kept;        ///< of the spring alone; the contact keeps it
};
/// One step of such a spring. `trial_shear` [N] is the force of the spring without slip, and `viscous` [N] is
/// subtracted for the dashpot. The limit holds for the total force and for the spring alone; HertzFamily says why.
template <class R>
SCREE_INLINE SlidingForces<R> sliding_spring(const Vec3<R>& trial_shear, const Vec3<R>& viscous, R limit) {
  const Vec3<R> trial = trial_shear - viscous;
  return {coulomb_factor(trial, limit) * trial, coulomb_factor(trial_shear, limit) * trial_shear};
}

}  // namespace scree::inline SCREE_BACKEND
