#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/tractions.hpp"

namespace scree {

/// Default number of rows of a profile of tractions.
inline constexpr std::size_t traction_points = 101;

/// Errors of the tractions of a contact, compared with its forces.
struct TractionErrors {
  double pressure = 0;   ///< [-] integral of the pressure minus the normal force, over the normal force
  double tractions = 0;  ///< [-] integral of the tractions minus the tangential force, over friction times normal force
  double segments = 0;   ///< [-] sum over the segments minus the tangential force, over friction times normal force
};
[[nodiscard]] TractionErrors traction_errors(const ContactTractions& tractions);

/// [-] The largest TractionErrors that are not a mistake. In double precision the errors come from rounding and from
/// the quadrature. In mixed precision the force is also summed from step to step with slopes rounded to float.
[[nodiscard]] double traction_tolerance(Precision precision);

/// A sentence that says that a law keeps no load history, from which tractions follow.
[[nodiscard]] std::string no_load_history(LawKind law);

/// Lines about a contact: radius, forces, integrals and their errors, segments, slip, axes. `contact` names the
/// contact. If the integrals differ from the forces by more than the tolerance, the last line is a warning.
[[nodiscard]] std::vector<std::string> traction_facts(const ContactTractions& tractions, const std::string& contact,
                                                      Precision precision);

/// CSV text with `facts` as comments, and the columns: distance from the axis, pressure, traction on body 1 along the
/// two axes, and magnitude of the traction over friction times pressure. Throws KernelFault for numbers that are not
/// finite.
[[nodiscard]] std::string traction_table(const ContactTractions& tractions, const std::vector<std::string>& facts);

}  // namespace scree
