#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scree/materials.hpp"

namespace scree {

/// Whether a rule asks for a restitution, its own or that of the materials.
[[nodiscard]] bool needs_restitution(const ContactRule& rule);

/// Values of a rule that do not go with its law, as key and message: values that the law does not know or that it
/// lacks, and values that exclude each other.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> wrong_values(const ContactRule& rule);

}  // namespace scree
