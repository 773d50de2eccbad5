#pragma once

#include <string>
#include <vector>

#include "scree/engine.hpp"

namespace scree {

/// The results of the regular checks of contacts, and the given length of the steps.
struct WatchedStep {
  ContactWatch watch;
  double fixed_step = 0;  ///< [s] 0: steps follow the contacts
};

/// [-] An overlap over the radius above which no result can be trusted.
inline constexpr double far_too_large = 0.05;
/// [-] An overlap over the radius that gives a milder warning. Deep or compressed beds reach 1 % with any modulus that
/// runs can afford, and their results hardly depend on it.
inline constexpr double large_overlap = 0.03;

/// Warnings about events between `before` and `now`: overlaps above 3 % and above 5 % of the radius, and a fixed time
/// step above the largest stable one. Each warning is given once: it is left out if `before` already gave reason for
/// it. `partner` names the body that touches the particle with the largest overlap, and `stiffer` says how to make this
/// contact stiffer; both may be empty.
[[nodiscard]] std::vector<std::string> contact_warnings(const WatchedStep& before, const WatchedStep& now,
                                                        const std::string& partner = {},
                                                        const std::string& stiffer = {});

/// Whether these warnings report an overlap that was not reported before.
[[nodiscard]] bool tells_of_overlap(const ContactWatch& before, const ContactWatch& now);

/// "0.35 %"
[[nodiscard]] std::string overlap_text(double overlap);

}  // namespace scree
