#pragma once

#include "kernels/integrators/rotation.hpp"
#include "kernels/step/modes/mode_energy.hpp"

namespace scree::inline SCREE_BACKEND {

/// Inertia of one deformed grain in its body frame. With the spin w and the rates e' the angular momentum is
/// J w + sum_a lean_a e'_a, and the momentum of mode a is m_a e'_a + lean_a . w: the modes are orthogonal to the rigid
/// motion of the undeformed grain, so both couple only through the deformation.
template <class R>
class DeformedInertia {
 public:
  /// `lean` [form.count] is room for its values [kg m].
  SCREE_HD DeformedInertia(const ModeResistance<R>& resistance, const Vec3d& undeformed, Vec3d* lean)
      : of_(resistance), undeformed_(undeformed), lean_(lean) {}

  /// Computes the inertia at these amplitudes [m].
  SCREE_HD void set(const double* amplitude) {
    const ModeForm& form = of_.form;
    const double size = of_.size, cube = of_.density * (size * size * size);
    tensor_ = {undeformed_.x, undeformed_.y, undeformed_.z, 0, 0, 0};
    for (std::uint32_t a = 0; a < form.count; ++a) {
      tensor_ = tensor_ + (cube * size * amplitude[a]) * slope(a);
      Vec3d lean{0, 0, 0};
      for (std::uint32_t b = 0; b < form.count; ++b) {
        tensor_ = tensor_ + (cube * amplitude[a] * amplitude[b]) * curve(a, b);
        lean += (cube * amplitude[b]) * swirl(b, a);
      }
      lean_[a] = lean;
    }
    // The spin follows from (J - sum lean lean^T / m) w = L - sum lean p / m.
    Mat3d reduced{{tensor_.xx, tensor_.xy, tensor_.zx},
                  {tensor_.xy, tensor_.yy, tensor_.yz},
                  {tensor_.zx, tensor_.yz, tensor_.zz}};
    for (std::uint32_t a = 0; a < form.count; ++a) {
      const Vec3d l = lean_[a], per_mass = (1 / of_.mass(a)) * l;
      reduced = reduced - Mat3d{per_mass.x * l, per_mass.y * l, per_mass.z * l};
    }
    mobility_ = inverse(reduced);
  }

  /// The spin [rad/s] of these momenta [kg m2/s], [kg m/s]; writes the rates [m/s].
  SCREE_HD Vec3d velocities(const Vec3d& angular, const double* momentum, double* rate) const {
    Vec3d rest = angular;
    for (std::uint32_t a = 0; a < of_.form.count; ++a) { rest -= (momentum[a] / of_.mass(a)) * lean_[a]; }
    const Vec3d spin = mobility_ * rest;
    for (std::uint32_t a = 0; a < of_.form.count; ++a) { rate[a] = (momentum[a] - dot(lean_[a], spin)) / of_.mass(a); }
    return spin;
  }

  /// [kg m2/s]
  SCREE_HD Vec3d angular_momentum(const Vec3d& spin, const double* rate) const {
    Vec3d sum = tensor_ * spin;
    for (std::uint32_t a = 0; a < of_.form.count; ++a) { sum += rate[a] * lean_[a]; }
    return sum;
  }
  /// [kg m/s]
  SCREE_HD double momentum(std::uint32_t a, const Vec3d& spin, const double* rate) const {
    return of_.mass(a) * rate[a] + dot(lean_[a], spin);
  }
  SCREE_INLINE Vec3d lean(std::uint32_t a) const { return lean_[a]; }
  SCREE_INLINE const Moments& tensor() const { return tensor_; }

  /// [N] The inertial force on mode a: the derivative of the kinetic energy by its amplitude.
  SCREE_HD double inertial_force(std::uint32_t a, const double* amplitude, const Vec3d& spin,
                                 const double* rate) const {
    const double size = of_.size, cube = of_.density * (size * size * size);
    Moments change = (cube * size) * slope(a);
    Vec3d turned{0, 0, 0};
    for (std::uint32_t b = 0; b < of_.form.count; ++b) {
      change = change + (2 * cube * amplitude[b]) * curve(a, b);
      turned += (cube * rate[b]) * swirl(a, b);
    }
    return 0.5 * dot(spin, change * spin) + dot(spin, turned);
  }

 private:
  SCREE_INLINE const Moments& slope(std::uint32_t a) const { return of_.modes.slope[of_.form.first_slope + a]; }
  SCREE_INLINE const Moments& curve(std::uint32_t a, std::uint32_t b) const {
    return of_.modes.curve[of_.form.first_curve + std::size_t(a) * of_.form.count + b];
  }
  SCREE_INLINE const Vec3d& swirl(std::uint32_t a, std::uint32_t b) const {
    return of_.modes.swirl[of_.form.first_curve + std::size_t(a) * of_.form.count + b];
  }

  const ModeResistance<R>& of_;
  Vec3d undeformed_;
  Vec3d* lean_;
  Moments tensor_{};
  Mat3d mobility_{};
};

}  // namespace scree::inline SCREE_BACKEND
