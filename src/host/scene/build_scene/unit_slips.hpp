#pragma once

#include <string>
#include <vector>

#include "scree/case.hpp"

namespace scree {

/// Warns of values that are possible but look as if they were given in another unit: a density in g/cm3, an angle in
/// place of a coefficient of friction, a modulus in GPa, a temperature in degrees Celsius, an amplitude in millimetres.
void warn_of_unit_slips(const Case& input, std::vector<std::string>& warnings);

}  // namespace scree
