#pragma once

#include "kernels/math/functions.hpp"
#include "kernels/state/modes.hpp"

namespace scree::inline SCREE_BACKEND {

/// Masses, stiffnesses, damping and elastic energy of the modes of one grain. Amplitudes, forces and energies are those
/// of the grain, not of its template.
template <class R>
struct ModeResistance {
  const ModeViews<R>& modes;
  const ModeForm& form;
  double size;     ///< [-] of the grain; 1 if its numbers are absolute
  double modulus;  ///< [Pa] Young's modulus; 1 if its numbers are absolute
  double density;  ///< [kg/m3]; 1 if its numbers are absolute

  SCREE_HD static ModeResistance of(const ModeViews<R>& modes, const ModeForm& form, double size, double modulus,
                                    double mass) {
    if (form.absolute != 0) { return {modes, form, 1, 1, 1}; }
    return {modes, form, size, modulus, mass * form.inverse_volume / (size * size * size)};
  }

  SCREE_INLINE const ModeNumbers& numbers(std::uint32_t a) const { return modes.numbers[form.first + a]; }
  /// [kg] Mass of mode a.
  SCREE_INLINE double mass(std::uint32_t a) const { return density * (size * size * size) * numbers(a).mass; }
  /// [N/m] Stiffness of mode a, of the quadratic part of the energy.
  SCREE_INLINE double stiffness(std::uint32_t a) const { return modulus * size * numbers(a).stiffness; }
  /// [N s/m] Dashpot of mode a.
  SCREE_HD double damping(std::uint32_t a) const {
    const double k = stiffness(a);
    return 2 * form.ratio * math::sqrt(k * mass(a)) + form.coefficient + form.by_stiffness * k;
  }

  /// [N] The elastic force against amplitude a: the derivative of the energy.
  SCREE_HD double force(const double* amplitude, std::uint32_t a) const {
    const double scale = 1 / size;
    double sum = form.n_knots > 0 ? table_force(scale * amplitude[a]) : numbers(a).stiffness * (scale * amplitude[a]);
    for (std::uint32_t t = 0; t < form.n_terms; ++t) {
      const ModeProduct& term = modes.term[form.first_term + t];
      for (std::uint32_t k = 0; k < term.degree; ++k) {
        if (factor(term, k) != a) { continue; }
        double product = term.coefficient;
        for (std::uint32_t l = 0; l < term.degree; ++l) {
          if (l != k) { product *= scale * amplitude[factor(term, l)]; }
        }
        sum += product;
      }
    }
    return modulus * size * size * sum;
  }

  /// [J] Elastic energy.
  SCREE_HD double energy(const double* amplitude) const {
    const double scale = 1 / size;
    double sum = 0;
    for (std::uint32_t a = 0; a < form.count; ++a) {
      const double e = scale * amplitude[a];
      sum += form.n_knots > 0 ? table_energy(e) : 0.5 * numbers(a).stiffness * (e * e);
    }
    for (std::uint32_t t = 0; t < form.n_terms; ++t) {
      const ModeProduct& term = modes.term[form.first_term + t];
      double product = term.coefficient;
      for (std::uint32_t k = 0; k < term.degree; ++k) { product *= scale * amplitude[factor(term, k)]; }
      sum += product;
    }
    return modulus * (size * size * size) * sum;
  }

  /// [N/m] A bound of all second derivatives of the energy that belong to mode a.
  SCREE_HD double steepest(const double* amplitude, std::uint32_t a) const {
    const double scale = 1 / size;
    double sum = form.n_knots > 0 ? steepest_of_table() : numbers(a).stiffness;
    for (std::uint32_t t = 0; t < form.n_terms; ++t) {
      const ModeProduct& term = modes.term[form.first_term + t];
      for (std::uint32_t k = 0; k < term.degree; ++k) {
        for (std::uint32_t m = 0; m < term.degree && factor(term, k) == a; ++m) {
          if (m == k) { continue; }
          double product = term.coefficient;
          for (std::uint32_t l = 0; l < term.degree; ++l) {
            if (l != k && l != m) { product *= scale * amplitude[factor(term, l)]; }
          }
          sum += math::abs(product);
        }
      }
    }
    return modulus * size * sum;
  }

 private:
  SCREE_INLINE std::uint32_t factor(const ModeProduct& term, std::uint32_t k) const {
    return modes.term_mode[term.first + k];
  }

  /// Linear between the knots, and beyond the last one as between the last two. Below 0 it goes on as from 0 to the
  /// first knot.
  SCREE_HD double table_force(double amplitude) const {
    ModeForceKnot low{0, 0}, high = modes.knot[form.first_knot];
    for (std::uint32_t k = 1; k < form.n_knots && amplitude > high.amplitude; ++k) {
      low = high;
      high = modes.knot[form.first_knot + k];
    }
    return low.force + (amplitude - low.amplitude) * ((high.force - low.force) / (high.amplitude - low.amplitude));
  }

  /// The integral of table_force from 0 on.
  SCREE_HD double table_energy(double amplitude) const {
    ModeForceKnot low{0, 0}, high = modes.knot[form.first_knot];
    double sum = 0;
    for (std::uint32_t k = 1; k < form.n_knots && amplitude > high.amplitude; ++k) {
      sum += 0.5 * (low.force + high.force) * (high.amplitude - low.amplitude);
      low = high;
      high = modes.knot[form.first_knot + k];
    }
    return sum + 0.5 * (low.force + table_force(amplitude)) * (amplitude - low.amplitude);
  }

  SCREE_HD double steepest_of_table() const {
    ModeForceKnot low{0, 0};
    double most = 0;
    for (std::uint32_t k = 0; k < form.n_knots; ++k) {
      const ModeForceKnot& high = modes.knot[form.first_knot + k];
      most = math::max(most, (high.force - low.force) / (high.amplitude - low.amplitude));
      low = high;
    }
    return most;
  }
};

}  // namespace scree::inline SCREE_BACKEND
