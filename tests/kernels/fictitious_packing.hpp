#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "kernels/cell/control.hpp"

namespace scree::inline SCREE_BACKEND {

/// A packing made of formulas, for tests of the control. Below the density at which it jams it has no stress. Above it,
/// stress responds to a strain at once with the Voigt stiffness, and a part of this response relaxes. The packing
/// yields in shear at q = friction * p, and dilates. Its stress has noise.
struct FictitiousPacking {
  double normal = 1e7, lateral = 1e7 / 3, shear = 1e7 / 3;  ///< [Pa] Voigt stiffness
  double lasting = 0.3;                                     ///< [-] part of the stiffness that does not relax
  double diameter = 1e-3, density = 2500;                   ///< [m], [kg/m3]
  double friction = 1.0;                                    ///< [-] q / p at yield, q = sqrt(3 J2)
  double dilatancy = 0.2;                                   ///< [-] volume over shear strain, plastic
  double gap = 0.03;                                        ///< [-] volumetric strain from the start to jamming
  double noise = 0.003;                                     ///< [-] amplitude of the noise over the pressure
  double relaxation = 30;                                   ///< [d sqrt(density / stiffness)] relaxation time

  CellTensor strain{};
  CellTensor elastic{}, viscous{};  ///< [Pa] permanent and relaxing stress; zero below jamming
  std::uint64_t steps = 0;

  [[nodiscard]] double wave_time() const { return diameter * std::sqrt(density / normal); }
  [[nodiscard]] double dt() const { return 0.1 * wave_time(); }
  [[nodiscard]] StepTimes times() const {
    const double h = dt(), n = double(steps);
    return {steps, steps > 0 ? (n - 1) * h : 0.0, n * h, (n + 1) * h, h, h};
  }
  [[nodiscard]] bool jammed() const { return gap <= 0; }
  static double pressure(const CellTensor& s) { return -(s[0] + s[1] + s[2]) / 3; }

  [[nodiscard]] CellMeasure measure() const {
    CellMeasure m;
    if (!jammed()) { return m; }
    const double shake = 1 + noise * std::sin(0.37 * double(steps)) * std::cos(0.0123 * double(steps));
    for (std::size_t k = 0; k < 6; ++k) { m.stress[k] = (elastic[k] + viscous[k]) * shake; }
    m.stiffness = {normal, normal, normal, shear, shear, shear};
    m.contacts = 1000;
    m.unbalanced_force = 1e-3;
    return m;
  }

  /// One step of the cell.
  void move(const Matrix3& gradient) {
    const double h = dt();
    const CellTensor change = CellControl::strain_increment(gradient, h);
    for (std::size_t k = 0; k < 6; ++k) { strain[k] += change[k]; }
    ++steps;
    const double volume = change[0] + change[1] + change[2];
    if (!jammed()) {
      gap += volume;
      return;
    }
    for (std::size_t k = 0; k < 6; ++k) {
      const double rise = k < 3 ? (normal - lateral) * change[k] + lateral * volume : shear * change[k];
      elastic[k] += lasting * rise;
      viscous[k] += (1 - lasting) * rise;
      viscous[k] *= 1 - h / (relaxation * wave_time());
    }
    yield();
    if (pressure(elastic) < 0) {
      elastic = viscous = {};
      gap = 1e-9;
    }
  }

  void yield() {
    const double p = pressure(elastic);
    if (p <= 0) { return; }
    double squares = 0;
    for (std::size_t k = 0; k < 6; ++k) {
      squares += k < 3 ? 0.5 * std::pow(elastic[k] + p, 2) : std::pow(elastic[k], 2);
    }
    const double q = std::sqrt(3 * squares);
    if (q <= friction * p) { return; }
    const double bulk = lasting * (normal + 2 * lateral) / 3, plastic = (q - friction * p) / (3 * lasting * shear);
    for (std::size_t k = 0; k < 6; ++k) {
      const double mean = k < 3 ? -p : 0;
      elastic[k] = mean + (elastic[k] - mean) * (friction * p / q) - (k < 3 ? bulk * dilatancy * plastic : 0);
    }
  }

  /// Runs to the end of the control or for a number of steps, and calls `look` after every step.
  std::uint64_t run(CellControl& control, std::uint64_t most,
                    const std::function<void(const CellMeasure&)>& look = {}) {
    for (std::uint64_t k = 0; k < most; ++k) {
      const CellMeasure now = control.wants_measure(steps) ? measure() : CellMeasure{};
      if (control.ends(times(), strain, now)) { return k; }
      move(control.gradient(times(), strain, now));
      if (look) { look(measure()); }
    }
    return most;
  }
};

inline CellGoal stress_goal(double value) { return {CellGoal::Kind::stress, {{0.0, value}}}; }
inline CellGoal stress_path(TimeTable table) { return {CellGoal::Kind::stress, std::move(table)}; }
inline CellGoal strain_goal(double value) { return {CellGoal::Kind::strain, {{0.0, value}}}; }
inline CellGoal strain_path(TimeTable table) { return {CellGoal::Kind::strain, std::move(table)}; }
inline CellGoal rate_goal(double value, double reverse = 0) {
  return {CellGoal::Kind::strain_rate, {{0.0, value}}, reverse};
}

inline CellStage isotropic_stage(double stress) {
  CellStage stage;
  for (std::size_t k = 0; k < 3; ++k) { stage.goals[k] = stress_goal(stress); }
  return stage;
}

inline constexpr double P = 1e4;  // [Pa]

inline CellControl control_of(const FictitiousPacking& packing, std::vector<CellStage> stages, double modulus = 0) {
  PeriodicCell cell;
  cell.stages = std::move(stages);
  return CellControl(cell, packing.diameter, packing.density, modulus);
}

/// Strain rate [1/s] at an inertial number under the pressure P.
inline double rate_at(const FictitiousPacking& packing, double inertial) {
  return inertial * std::sqrt(P / packing.density) / packing.diameter;
}

/// The packing after another control has brought it to the isotropic pressure P.
inline FictitiousPacking consolidated(FictitiousPacking packing) {
  CellControl control = control_of(packing, {isotropic_stage(-P)});
  packing.run(control, 40000);
  packing.strain = {};
  packing.steps = 0;
  return packing;
}

inline FictitiousPacking packing_of(double stiffness_over_pressure, double lasting) {
  FictitiousPacking packing;
  packing.normal = stiffness_over_pressure * P;
  packing.lateral = packing.shear = packing.normal / 3;
  packing.lasting = lasting;
  return packing;
}

}  // namespace scree::inline SCREE_BACKEND
