#pragma once

#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

struct ResolvedContacts {
  LawKind law = LawKind::hertz_mindlin;  ///< law of the pairs that name no other
  /// [n_materials * n_materials], row-major, symmetric; the range of a pair is that of its bonds
  std::vector<MaterialPair> pairs;
};

/// The smallest restitution for damping_ratio().
constexpr double least_restitution = 0.05;

/// [-] Damping ratio beta with which a head-on Hertzian impact has the given restitution in [0.05, 1]. It is a monotone
/// cubic interpolation (Fritsch and Carlson 1980) of the exact solution. The contact ends when the force vanishes, so
/// there is no attraction. The error of the resulting restitution is below 0.0025, and below 0.0006 from 0.2 on. Throws
/// ContractError for other restitutions.
[[nodiscard]] double damping_ratio(double restitution);

/// [-] The largest random factor on the strength of a bond.
[[nodiscard]] double most_scatter(const Bond& bond);

/// The values of all pairs of materials. A value comes from the first rule that matches the pair; if the rule does not
/// give it, it is the smaller of the values of the two materials (if only one has a restitution, that one). Pairs that
/// never touch, such as two materials of boundaries, may lack a rule and a restitution; in a checked case all others
/// have both (check_contacts()). Adds a problem for a restitution that the law cannot have, for rolling resistance that
/// is not possible with the law, and for bonds that are too strong. Between materials of particles 1 - e^2 is `loss`
/// times the value of the case; see loss_of_impacts().
[[nodiscard]] ResolvedContacts resolve_contacts(const Case& input, std::vector<InputProblem>& problems,
                                                double loss = 1);

}  // namespace scree
