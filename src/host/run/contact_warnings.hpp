#pragma once

#include <string>
#include <vector>

#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// What looks at the contacts have found since `before` that the user should know: overlaps above 1 % and above 5 % of
/// the radius, and a fixed time step above the largest stable one. Each is told once: not when it could be told
/// `before`.
[[nodiscard]] std::vector<std::string> contact_warnings(const ContactWatch& before, const ContactWatch& now,
                                                        const Scene& scene);

/// "0.35 %"
[[nodiscard]] std::string overlap_text(double overlap);

}  // namespace scree
