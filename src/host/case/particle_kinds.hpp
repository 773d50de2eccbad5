#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scree/case.hpp"

namespace scree {

/// One kind of the particles of an entry: a part of its mixture, or the entry itself.
struct ParticleKind {
  double mass_fraction = 1;  ///< [-] share of the mass of the entry
  std::string material;
  std::string shape;
  std::optional<SizeDistribution> radius;  ///< half of the diameter, if that is given
  std::optional<std::string> group;
};

/// The kinds of particles of an entry: one for each part of its mixture, or a single one. Mass fractions are divided by
/// their sum. A file with a column of materials may contain any material of the case, so it has one kind for each
/// material. A column of groups in a file is ignored.
[[nodiscard]] std::vector<ParticleKind> kinds_of(const Case& input, const ParticleGroup& entry);

}  // namespace scree
