#pragma once

#include "scree/case.hpp"
#include "scree/scene.hpp"

namespace scree {

/// A linear spring with a dashpot of a given restitution.
struct LinearDashpot {
  double damping_ratio = 0;  ///< [-] c / (2 sqrt(K m*))
  double duration = 0;       ///< [-] of the contact, in units of sqrt(m* / K)
};

/// The dashpot of a contact that ends when the overlap vanishes, so that it may attract before: b = -ln e / sqrt(pi^2 +
/// ln^2 e). e in (0, 1].
[[nodiscard]] LinearDashpot attracting_dashpot(double restitution);

/// The dashpot of a contact that ends when the force vanishes (Schwager & Poeschel 2007): with b = cos t, e = exp(-2 t
/// cot t) after the time 2 t / sin t; with b = cosh t, e = exp(-2 t coth t) after 2 t / sinh t. e in (0, 1].
[[nodiscard]] LinearDashpot exact_dashpot(double restitution);

/// Springs and dashpots of a rule for linear_spring_dashpot or cundall_strack, with the restitutions that apply to its
/// pair.
[[nodiscard]] LinearSprings linear_springs(const ContactRule& rule, double restitution, double restitution_tangential);

}  // namespace scree
