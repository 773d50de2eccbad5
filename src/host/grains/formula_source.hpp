#pragma once

#include <string>

#include "host/grains/grain_source.hpp"
#include "host/grains/solid.hpp"

/// Sources of templates that are formulas with a few lengths.
namespace scree::grains {

[[nodiscard]] bool is_formula(const std::string& name);

/// Throws CaseError (path: option) if an option of a formula is missing, wrong, or does not apply to the source. To a
/// file none applies.
void check_lengths(const GrainSource& source);

/// The formula with its lengths, as in "capsule radius 0.001 m, half length 0.002 m".
[[nodiscard]] std::string formula_text(const GrainSource& source);

/// Throws CaseError (path: option) like check_lengths(), and if lengths or exponents do not fit each other.
[[nodiscard]] SolidPointer formula_solid(const GrainSource& source);

}  // namespace scree::grains
