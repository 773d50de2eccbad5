#pragma once

#include "scree/case.hpp"
#include "scree/scene.hpp"

namespace scree {

/// A linear spring with a dashpot of a given restitution.
struct LinearDashpot {
  double damping_ratio = 0;  ///< [-] c / (2 sqrt(K m*))
  double duration = 0;       ///< [-] duration of the contact over sqrt(m* / K)
};

/// The dashpot with the damping ratio b = -ln e / sqrt(pi^2 + ln^2 e) for a restitution e in (0, 1]. The contact ends
/// when the overlap vanishes, so it may attract just before.
[[nodiscard]] LinearDashpot attracting_dashpot(double restitution);

/// The dashpot for a restitution e in (0, 1] if the contact ends when the force vanishes (Schwager & Poeschel 2007).
/// The damping ratio is b = cos t with e = exp(-2 t cot t) and the duration 2 t / sin t, or, for strong damping, b =
/// cosh t with e = exp(-2 t coth t) and the duration 2 t / sinh t.
[[nodiscard]] LinearDashpot exact_dashpot(double restitution);

/// Springs and dashpots of a pair by its rule, for the laws linear_spring_dashpot, cundall_strack and luding.
/// `restitution` and `restitution_tangential` are those of the pair.
[[nodiscard]] LinearSprings linear_springs(const ContactRule& rule, double restitution, double restitution_tangential);

}  // namespace scree
