#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/math/mat3.hpp"

/// Modes of deformation of level-set grains. A point X of a grain of size 1 moves to X + sum_a e_a Phi_a(X) in the
/// body frame, with the amplitudes e_a [m] over the size of the grain. Modes are orthogonal to each other in mass and
/// in stiffness, and to the motion of a rigid body.
namespace scree::inline SCREE_BACKEND {

/// What a mode resists, at size 1 and over the density and Young's modulus, or that of each grain: see ModeForm.
struct ModeNumbers {
  double mass;       ///< [m3] or [kg]
  double stiffness;  ///< [m] or [N/m], of the quadratic part of the energy
  double reach;      ///< [-] no point of the grid and no node moves farther at amplitude 1
};

/// A knot of the force of a single mode.
struct ModeForceKnot {
  double amplitude;  ///< [m]
  double force;      ///< [m2] or [N]
};

/// A product of amplitudes in the energy: those of `degree` modes, from `first` on in ModeViews::term_mode.
struct ModeProduct {
  double coefficient;
  std::uint32_t first, degree;
};

/// The modes of a shape.
struct ModeForm {
  std::uint32_t count = 0;          ///< 0: rigid
  std::uint32_t first = 0;          ///< in ModeViews::numbers
  std::uint64_t first_field = 0;    ///< in ModeViews::field
  std::uint64_t first_at_node = 0;  ///< in ModeViews::at_node
  std::uint32_t first_knot = 0, n_knots = 0;
  std::uint32_t first_term = 0, n_terms = 0;
  std::uint32_t absolute = 0;  ///< 1: numbers are those of each grain, else those at size 1 and over the moduli
  double inverse_volume = 0;   ///< [1/m3] at size 1
  double ratio = 0, coefficient = 0, by_stiffness = 0;  ///< [-], [N s/m], [s] damping, see ModeDamping
};

/// How the place of a point in the undeformed grain is found.
struct Remap {
  std::uint32_t iterations = 16;  ///< at most, after a first guess
  double tolerance = 1e-4;        ///< [-] of the spacing of the grid; 0: all iterations are made
};

/// What kernels see of all modes of a run.
template <class R>
struct ModeViews {
  Span<ModeNumbers> numbers;      ///< of the modes of all shapes
  Span<Vec3<float>> field;        ///< displacement at the points of all grids: all modes of a point together
  Span<Vec3<R>> at_node;          ///< displacement of all nodes: all modes of a node together
  Span<ModeForceKnot> knot;       ///< ascending for each shape
  Span<ModeProduct> term;         ///< of all shapes
  Span<std::uint32_t> term_mode;  ///< see ModeProduct
  std::uint32_t stride = 0;       ///< most modes of a grain; 0: all grains are rigid
  Span<double> amplitude, rate;   ///< [n_clumps * stride] [m], [m/s] in the middle of the last step
  Span<double> path;              ///< [n_clumps] [m] no point has moved farther by deformation since some moment
  Span<double> pair_force;        ///< [n_pairs * 2 * stride] [N] on the modes of the first, then of the second body
  Span<double> slot_force;        ///< [n_slots * stride] [N] the same at boundaries
  Remap remap;
};

}  // namespace scree::inline SCREE_BACKEND
