#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/tractions.hpp"

namespace scree {

/// Default number of rows of a profile.
inline constexpr std::size_t traction_points = 101;

/// How far the tractions are from the forces: integrals by quadrature, and the sum over the segments that the
/// tangential force stands for.
struct TractionErrors {
  double pressure = 0;   ///< [-] of the normal force
  double tractions = 0;  ///< [-] of friction times normal force, as the next
  double segments = 0;
};
[[nodiscard]] TractionErrors traction_errors(const ContactTractions& tractions);

/// More than that is a mistake. In double precision the errors are rounding and that of the quadrature; in mixed the
/// force is summed from step to step with slopes that were rounded to float.
[[nodiscard]] double traction_tolerance(Precision precision);

/// Sentence for those who ask for the tractions of a contact of another law.
[[nodiscard]] std::string no_load_history(LawKind law);

/// What is to be said beside the profile, line by line: radius, forces, integrals and how far they are off, segments,
/// slip, axes. `contact` says which contact it is. The last line is a warning where the integrals are not the forces.
[[nodiscard]] std::vector<std::string> traction_facts(const ContactTractions& tractions, const std::string& contact,
                                                      Precision precision);

/// CSV with `facts` as comments: distance from the axis, pressure, traction on body 1 along the two axes, and its
/// length over friction times pressure.
[[nodiscard]] std::string traction_table(const ContactTractions& tractions, const std::vector<std::string>& facts);

}  // namespace scree
