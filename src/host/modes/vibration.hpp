#pragma once

#include <optional>
#include <string>

#include "host/modes/elastic_body.hpp"
#include "host/modes/progress.hpp"

namespace scree::modes {

/// Frequencies with a smaller relative difference form a group, as modes of symmetric bodies that rotations map onto
/// each other do.
inline constexpr double same_frequency = 0.02;

struct Vibrations {
  Vector eigenvalue;      ///< [n] squared angular frequencies, ascending; spacing, density and modulus are 1
  Matrix mode;            ///< [unknowns x n] orthonormal in the mass, without rigid-body motion
  double next = 0;        ///< eigenvalue of the first mode that is omitted
  std::size_t asked = 0;  ///< requested number of modes; n is larger if this number would split a group
};

/// The smallest number of ascending eigenvalues, at least `least`, that does not split a group; nothing if the last
/// group may continue after the end.
[[nodiscard]] std::optional<std::size_t> whole_groups(const Vector& eigenvalue, std::size_t least);

/// The lowest modes of free vibration, K z = w^2 M z, without rigid-body motion, by the Lanczos method of Spectra on
/// the inverse. Further passes search for members of groups that an earlier pass missed. Throws CaseError (path:
/// `name`) if whole groups need more than `most` modes, or if the method does not converge.
[[nodiscard]] Vibrations find_vibrations(const ElasticBody& body, std::size_t count, std::size_t most,
                                         const std::string& name, const Progress& progress);

}  // namespace scree::modes
