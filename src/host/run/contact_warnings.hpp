#pragma once

#include <string>
#include <vector>

#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Warnings about what the regular checks of the contacts have found between `before` and `now`: overlaps above 1 % and
/// above 5 % of the radius, and a fixed time step above the largest stable one. Each warning is given once: not if
/// `before` already gave reason for it.
[[nodiscard]] std::vector<std::string> contact_warnings(const ContactWatch& before, const ContactWatch& now,
                                                        const Scene& scene);

/// "0.35 %"
[[nodiscard]] std::string overlap_text(double overlap);

}  // namespace scree
