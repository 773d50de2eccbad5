#pragma once

#include "host/modes/linear_algebra.hpp"

namespace scree::modes {

/// f >= 0 with A f - b >= 0 and f . (A f - b) = 0: what pushes as hard as it must, and only where it touches. `matrix`
/// is symmetric and positive definite. Block pivoting with single pivots where that does not get nearer (Portugal,
/// Judice and Vicente 1994), so it ends. `start` [n] says where to begin: contacts above 0.
[[nodiscard]] Vector solve_contact(const Matrix& matrix, const Vector& right, const Vector& start);

}  // namespace scree::modes
