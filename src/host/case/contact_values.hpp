#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scree/case.hpp"

namespace scree {

/// Whether a rule asks for a restitution, its own or that of the materials.
[[nodiscard]] bool needs_restitution(const ContactRule& rule);

/// What is wrong between the law of a rule and the values that it states: key and message. Values that the law does not
/// know, that it lacks, or that exclude each other.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> wrong_values(const ContactRule& rule);

}  // namespace scree
