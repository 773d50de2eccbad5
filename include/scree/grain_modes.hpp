#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scree/values.hpp"

namespace scree {

inline constexpr std::size_t most_modes = 32;  ///< of one grain

/// A knot of the force of a single mode: between knots the force is linear in the amplitude.
struct ModeKnot {
  double amplitude = 0;  ///< [m] ascending from knot to knot, above 0; the force at 0 is 0
  double force = 0;      ///< [m2] force over Young's modulus
  bool operator==(const ModeKnot&) const = default;
};

/// A term of the elastic energy beyond the quadratic part: a coefficient times a product of amplitudes.
struct ModeTerm {
  double coefficient = 0;           ///< [m^(3 - degree)] over Young's modulus
  std::vector<std::uint32_t> mode;  ///< the multiplied amplitudes; three or more, ascending: {0, 0, 2, 2}
  bool operator==(const ModeTerm&) const = default;
};

/// Viscous damping of modes. The parts are added.
struct ModeDamping {
  double ratio = 0;         ///< [-] of critical damping, the same for each mode
  double coefficient = 0;   ///< [N s/m] of each mode
  double by_stiffness = 0;  ///< [s] coefficient over the stiffness of each mode
  bool operator==(const ModeDamping&) const = default;
};

/// How the modes of a grain couple to its rotation. At the amplitudes e the tensor of inertia is that of the undeformed
/// grain + sum_a e_a `slope`_a + sum_ab e_a e_b `curve`_ab, and the rates e' carry the angular momentum sum_ab e_a e'_b
/// `swirl`_ab. Tensors are rows of xx, yy, zz, yz, zx, xy. All values are those of a grain of size 1, divided by the
/// density.
struct ModeInertia {
  std::vector<std::array<double, 6>> slope;  ///< [count] [m4]
  std::vector<std::array<double, 6>> curve;  ///< [count * count] [m3] symmetric in a and b
  std::vector<Real3> swirl;                  ///< [count * count] [m3] integral of Phi_a x Phi_b
  bool operator==(const ModeInertia&) const = default;
};

/// How a level-set grain deforms: a point X of the grain moves to X + sum_a e_a Phi_a(X) in the body frame. The modes
/// Phi_a have no unit, and the amplitudes e_a are lengths [m] at size 1. A grain of size s made of a material with the
/// density rho and Young's modulus E has the modal masses rho s^3 `mass` and the stiffnesses E s `stiffness`; its
/// energy is E s^3 times that of the template at the amplitudes e / s.
struct GrainModes {
  std::size_t count = 0;  ///< 0: the grain is rigid
  /// [count * points] [-] displacement at the points of the grid, mode after mode, in the order of GrainShape::phi.
  /// Outside of the grain it continues for two spacings at least.
  std::vector<std::array<float, 3>> field;
  std::vector<Real3> at_node;     ///< [count * n_nodes] [-] displacement of the nodes, mode after mode
  std::vector<double> mass;       ///< [count * count] [m3] integral of Phi_a . Phi_b: the mass over the density
  std::vector<double> stiffness;  ///< [count * count] [m] stiffness over Young's modulus
  std::vector<ModeKnot> table;    ///< of a single mode, in place of the stiffness; empty: none
  std::vector<ModeTerm> terms;    ///< of the energy, beside the quadratic part
  double poisson_ratio = 0;       ///< [-] Poisson's ratio to which stiffness, table and terms belong
  std::vector<double> largest;    ///< [count] [m] amplitude up to which a mode is meant to be used; 0: not known
  /// Mass [kg], stiffness [N/m], table and terms hold for each grain, whatever its size, density and Young's modulus.
  /// Amplitudes in table and terms are then those of the grain, not those at size 1.
  bool absolute = false;
  ModeDamping damping;
  std::optional<ModeInertia> inertia;  ///< none: deformation changes neither inertia nor angular momentum
  std::string source;                  ///< origin of the modes, for display

  bool operator==(const GrainModes&) const = default;
};

}  // namespace scree
