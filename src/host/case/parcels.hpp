#pragma once

#include <cstdint>
#include <string>

#include "host/case/check/problems.hpp"
#include "scree/case.hpp"

/// Coarse graining: turns the values of a case, which are those of grains, into values for parcels of `scale` times
/// their size. docs/theory.md says why each power of the scale is as it is.
namespace scree {

/// The case of the parcels: sizes, numbers and contact values are theirs, and it has no key `parcels`. Restitutions are
/// those of the grains, see loss_of_impacts(). A case without parcels stays as it is, so that a second call changes
/// nothing.
[[nodiscard]] Case as_parcels(const Case& grains);

/// 1 - e^2 of impacts between parcels over that of grains. Impacts with boundaries keep theirs: what a wall takes from
/// a flow of impacts does not depend on the size of particles.
[[nodiscard]] double loss_of_impacts(const Case& grains);

/// Complains about values that can be given for grains but cannot be converted for parcels.
void check_parcels(const Case& input, Problems& problems);

/// "1 000", or "1 000 parcels for 8 000 grains".
[[nodiscard]] std::string particle_count_text(std::uint64_t particles, double scale);

/// The number of grains for which so many parcels stand.
[[nodiscard]] std::uint64_t grains_of(std::uint64_t parcels, double scale);

}  // namespace scree
