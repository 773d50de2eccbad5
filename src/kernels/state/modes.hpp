#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/math/four.hpp"
#include "kernels/math/mat3.hpp"
#include "kernels/state/level_grids.hpp"

/// Modes of deformation of level-set grains. A point X of a grain of size 1 moves to X + sum_a e_a Phi_a(X) in the
/// body frame, with the amplitudes e_a [m] over the size of the grain. Modes are orthogonal to each other in mass and
/// in stiffness, and to the motion of a rigid body.
namespace scree::inline SCREE_BACKEND {

/// Mass and stiffness of a mode. They are those at size 1, divided by the density and by Young's modulus, or with
/// ModeForm::absolute those of each grain.
struct ModeNumbers {
  double mass;       ///< [m3] or [kg]
  double stiffness;  ///< [m] or [N/m], of the quadratic part of the energy
  double reach;      ///< [-] no point of the grid and no node moves farther at amplitude 1
  /// [1/m] A bound of the relative displacement of two points, inside or near the surface, over their distance, at
  /// amplitude 1.
  double slope;
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

/// A symmetric tensor, such as a tensor of inertia.
struct Moments {
  double xx, yy, zz, yz, zx, xy;
};
SCREE_INLINE Moments operator+(const Moments& a, const Moments& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.yz + b.yz, a.zx + b.zx, a.xy + b.xy};
}
SCREE_INLINE Moments operator*(double s, const Moments& a) {
  return {s * a.xx, s * a.yy, s * a.zz, s * a.yz, s * a.zx, s * a.xy};
}
SCREE_INLINE Vec3d operator*(const Moments& a, const Vec3d& v) {
  return {a.xx * v.x + a.xy * v.y + a.zx * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
          a.zx * v.x + a.yz * v.y + a.zz * v.z};
}

/// The modes of a shape.
struct ModeForm {
  std::uint32_t count = 0;          ///< 0: rigid
  std::uint32_t first = 0;          ///< in ModeViews::numbers
  std::uint64_t first_field = 0;    ///< in ModeViews::field
  std::uint64_t first_at_node = 0;  ///< in ModeViews::at_node
  std::uint32_t first_knot = 0, n_knots = 0;
  std::uint32_t first_term = 0, n_terms = 0;
  std::uint32_t absolute = 0;  ///< 1: numbers are those of each grain, else those at size 1 and over the moduli
  std::uint32_t couples = 0;   ///< 1: deformation changes inertia and angular momentum; see ModeInertia
  std::uint64_t first_slope = 0, first_curve = 0;       ///< in ModeViews::slope; in curve and swirl
  double inverse_volume = 0;                            ///< [1/m3] at size 1
  double ratio = 0, coefficient = 0, by_stiffness = 0;  ///< [-], [N s/m], [s] damping, see ModeDamping
};

/// The data that the motion of a clump leaves for CoupledModes, if the modes of the grain couple to its rotation.
struct HeldTurn {
  Vec3d torque;     ///< [N m] in the world, after damping
  Vec3d change;     ///< [rad/s] change of the spin as the spin of the mean flow of a cell changes
  Vec3d flow;       ///< [rad/s] spin of the mean flow
  double kick = 0;  ///< [s] how long the torque acts; less than that of the step under viscous damping
  double keep = 1;  ///< [-] part of the angular momentum, relative to the mean flow, that viscous damping leaves
};

/// The data of one mode of one grain in one step for the energy ledger.
struct ModeStep {
  double mass;     ///< [kg]
  double rate[2];  ///< [m/s] before and after the kick
  double damping;  ///< [N] of the dashpot of the mode
  double viscous;  ///< [N] of the dashpots of contacts
};
/// The same for a grain, at the moment of the forces.
struct ModeEnergy {
  double elastic;    ///< [J]
  double vibration;  ///< [J] of a grain whose modes couple; others have it from ModeStep
};

/// The iteration that finds the place of a point in the undeformed grain.
struct Remap {
  std::uint32_t iterations = 16;  ///< at most, after a first guess
  double tolerance = 1e-4;        ///< [-] of the spacing of the grid; 0: all iterations are made
};

/// The modes of a run, as kernels see them.
template <class R>
struct ModeViews {
  Span<ModeNumbers> numbers;      ///< of the modes of all shapes
  Span<Four<float>> field;        ///< displacement at the points of all grids: all modes of a point together
  Span<Vec3<R>> at_node;          ///< displacement of all nodes: all modes of a node together
  Span<ModeForceKnot> knot;       ///< ascending for each shape
  Span<ModeProduct> term;         ///< of all shapes
  Span<std::uint32_t> term_mode;  ///< see ModeProduct
  std::uint32_t stride = 0;       ///< most modes of a grain; 0: all grains are rigid
  Span<double> amplitude, rate;   ///< [n_clumps * stride] [m], [m/s] in the middle of the last step
  Span<double> path;              ///< [n_clumps] [m] no point has moved farther by deformation since some moment
  Span<double> momentum{};        ///< [n_clumps * stride] [kg m/s] at the time of the rates, of grains that couple
  Span<Moments> slope{};          ///< see ModeInertia: of the modes of all shapes that couple
  Span<Moments> curve{};          ///< of all pairs of these modes
  Span<Vec3d> swirl{};            ///< of all pairs of these modes
  Span<double> pair_force;        ///< [n_pairs * 2 * stride] [N] on the modes of the first, then of the second body
  Span<double> slot_force;        ///< [n_slots * stride] [N] the same at boundaries
  Span<double> pair_viscous;      ///< [n_pairs * 2 * stride] [N] the part of dashpots; empty without an energy ledger
  Span<double> slot_viscous;      ///< [n_slots * stride] [N] the same at boundaries
  Remap remap;
  LevelViews levels{};
};

}  // namespace scree::inline SCREE_BACKEND
