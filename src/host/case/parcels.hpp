#pragma once

#include <cstdint>
#include <string>

#include "host/case/check/problems.hpp"
#include "scree/case.hpp"

/// Coarse graining: turns the values of a case, which are those of grains, into values of parcels that are `scale`
/// times as large. docs/theory.md derives each power of the scale.
namespace scree {

/// The case of the parcels: its sizes, numbers and contact values are those of parcels, and it has no key `parcels`.
/// Restitutions stay those of the grains, see loss_of_impacts(). A case without parcels is returned unchanged, so that
/// a second call changes nothing.
[[nodiscard]] Case as_parcels(const Case& grains);

/// [-] The factor from 1 - e^2 of impacts between grains to that of impacts between parcels. Impacts with boundaries
/// keep their restitution, because the energy that a wall takes from a flow does not depend on the size of the
/// particles.
[[nodiscard]] double loss_of_impacts(const Case& grains);

/// Complains about values that can be given for grains but cannot be converted for parcels.
void check_parcels(const Case& input, Problems& problems);

/// "1 000", or "1 000 parcels for 8 000 grains".
[[nodiscard]] std::string particle_count_text(std::uint64_t particles, double scale);

/// The number of grains that this number of parcels represents.
[[nodiscard]] std::uint64_t grains_of(std::uint64_t parcels, double scale);

}  // namespace scree
