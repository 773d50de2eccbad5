#pragma once

#include <string>
#include <vector>

#include "scree/engine.hpp"

namespace scree {

/// What the regular checks of the contacts have found, and the given length of the steps.
struct WatchedStep {
  ContactWatch watch;
  double fixed_step = 0;  ///< [s] 0: steps follow the contacts
};

/// [-] An overlap over the radius above which no result can be trusted.
inline constexpr double far_too_large = 0.05;
/// [-] An overlap over the radius that is told, too. Deep beds and pressed ones reach 1 % with any modulus that runs
/// can afford, and their results hardly depend on it.
inline constexpr double large_overlap = 0.03;

/// Warnings about what was found between `before` and `now`: overlaps above 3 % and above 5 % of the radius, and a
/// fixed time step above the largest stable one. Each warning is given once: not if `before` already gave reason for
/// it. `partner` names what the particle with the largest overlap touches, and `stiffer` says what would make this
/// contact stiffer; both may be empty.
[[nodiscard]] std::vector<std::string> contact_warnings(const WatchedStep& before, const WatchedStep& now,
                                                        const std::string& partner = {},
                                                        const std::string& stiffer = {});

/// Whether these warnings tell of an overlap that was not told before.
[[nodiscard]] bool tells_of_overlap(const ContactWatch& before, const ContactWatch& now);

/// "0.35 %"
[[nodiscard]] std::string overlap_text(double overlap);

}  // namespace scree
