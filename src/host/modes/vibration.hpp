#pragma once

#include <optional>
#include <string>

#include "host/modes/elastic_body.hpp"
#include "host/modes/progress.hpp"

namespace scree::modes {

/// Two frequencies that differ by less than this part belong to one group: rotations turn its members into each other.
inline constexpr double same_frequency = 0.02;

struct Vibrations {
  Vector eigenvalue;      ///< [n] squares of the angular frequencies, ascending; in spacings, for density and modulus 1
  Matrix mode;            ///< [unknowns x n] orthonormal in the mass, without rigid motion
  double next = 0;        ///< eigenvalue of the first mode that was left out
  std::size_t asked = 0;  ///< how many modes were wanted; n is larger if the last group was not whole with these
};

/// How many of ascending eigenvalues make whole groups with `least` members at least; nothing when the last group of
/// all may go on behind the end.
[[nodiscard]] std::optional<std::size_t> whole_groups(const Vector& eigenvalue, std::size_t least);

/// The lowest modes of free vibration: K z = w^2 M z without the rigid motions, by the Lanczos method of Spectra on the
/// inverse. Equal frequencies are found together: a second pass looks for what the first has missed. Throws CaseError
/// (path: `name`) if more than `most` modes were needed for whole groups, or if the method does not converge.
[[nodiscard]] Vibrations find_vibrations(const ElasticBody& body, std::size_t count, std::size_t most,
                                         const std::string& name, const Progress& progress);

}  // namespace scree::modes
