#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scree/case.hpp"

namespace scree {

/// One kind of the particles of an entry: a part of its mixture, or the entry itself.
struct ParticleKind {
  double mass_fraction = 1;  ///< [-] of the entry
  std::string material;
  std::string shape;
  std::optional<SizeDistribution> radius;  ///< half of the diameter, if that is given
  std::optional<std::string> group;
};

/// The kinds of an entry, in the order of its mixture; one without a mixture. The fractions of a mixture are divided by
/// their sum. A file whose lines name their materials may hold any material of the case: it has one kind for each. A
/// file whose lines name their groups counts as one without a group.
[[nodiscard]] std::vector<ParticleKind> kinds_of(const Case& input, const ParticleGroup& entry);

}  // namespace scree
