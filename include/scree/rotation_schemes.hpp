#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace scree {

/// An integrator of the rotation of clumps (docs/rotation.md), by its name in a case file. The list of all integrators
/// is scree/rotation_schemes.def.
enum class RotationScheme {
#define SCREE_ROTATION_SCHEME(name, ...) name,
#include "scree/rotation_schemes.def"
};

/// The properties of an integrator that other parts of the program need.
struct RotationSchemeFacts {
  RotationScheme scheme;
  std::string_view name;        ///< in a case file
  bool keeps_momentum = false;  ///< the angular momentum is saved, because it does not follow from spin and orientation
};

namespace rotation_schemes {
/// All integrators, in the order of RotationScheme.
inline constexpr auto all = std::to_array<RotationSchemeFacts>({
#define SCREE_ROTATION_SCHEME(word, integrator, ...) {.scheme = RotationScheme::word, .name = #word, __VA_ARGS__},
#include "scree/rotation_schemes.def"
});
}  // namespace rotation_schemes

/// RotationSchemeFacts::keeps_momentum of an integrator. `scheme` must be an enumerator of RotationScheme.
[[nodiscard]] constexpr bool keeps_momentum(RotationScheme scheme) {
  return rotation_schemes::all[static_cast<std::size_t>(scheme)].keeps_momentum;
}

}  // namespace scree
