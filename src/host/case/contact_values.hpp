#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scree/materials.hpp"

namespace scree {

/// Whether the law of a rule needs a restitution, which the rule or one of the two materials gives.
[[nodiscard]] bool needs_restitution(const ContactRule& rule);

/// The wrong values of a rule, as pairs of key and message: values that its law does not use, values that its law needs
/// and the rule lacks, and values that exclude each other.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> wrong_values(const ContactRule& rule);

}  // namespace scree
