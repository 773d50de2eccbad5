#pragma once

#include "host/modes/linear_algebra.hpp"

namespace scree::modes {

/// Motions of a body that hardly anything holds, such as shifts between two planes.
struct LooseMotions {
  Matrix at_contact;      ///< [n x motions]
  double compliance = 1;  ///< of the springs that hold them, above 0
};

/// f >= 0 with A f - b >= 0 and f . (A f - b) = 0, where A = `matrix` + skin 1 + c T T^T with the loose motions T and
/// their compliance c: contact forces, which only push, and only where the body touches. `matrix` is symmetric and not
/// indefinite; it may be singular, as the compliance at more points than a body has unknowns. `skin` is above 0.
[[nodiscard]] Vector solve_contact(const Matrix& matrix, double skin, const LooseMotions& motions, const Vector& right);

}  // namespace scree::modes
