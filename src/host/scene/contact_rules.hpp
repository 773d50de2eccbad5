#pragma once

#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

struct ResolvedContacts {
  LawKind law = LawKind::hertz_mindlin;  ///< of pairs that name no other
  /// [n_materials * n_materials], row-major, symmetric; the range of a pair is that of its bonds
  std::vector<MaterialPair> pairs;
};

/// The smallest restitution for damping_ratio().
constexpr double least_restitution = 0.05;

/// Damping ratio beta [-] with which a head-on Hertz impact has the given restitution, in [0.05, 1]: monotone cubic
/// (Fritsch and Carlson 1980) through points of the exact solution. The contact ends when the force vanishes, so there
/// is no attraction. The restitution that results is off by less than 0.0025, and by less than 0.0006 from 0.2 on.
[[nodiscard]] double damping_ratio(double restitution);

/// [-] The largest random factor on the strength of a bond.
[[nodiscard]] double most_scatter(const Bond& bond);

/// Values for every pair of materials: of the first rule that matches, else the smaller of the two materials' own (the
/// one there is, where only one has a restitution). Pairs that never touch, as two materials of boundaries, may lack a
/// rule and a restitution; all others have both in a case that was checked (check_contacts). Adds to `problems`
/// restitutions that a law cannot have, rolling resistance that does not go with it, and bonds that are too strong.
/// Between materials of particles 1 - e^2 is `loss` times that of the case: of parcels, see loss_of_impacts().
[[nodiscard]] ResolvedContacts resolve_contacts(const Case& input, std::vector<InputProblem>& problems,
                                                double loss = 1);

}  // namespace scree
