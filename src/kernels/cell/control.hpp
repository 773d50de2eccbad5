#pragma once

#include <cstdint>
#include <memory>

#include "kernels/archive/numbers.hpp"
#include "kernels/state/step_times.hpp"
#include "scree/cell.hpp"

namespace scree::inline SCREE_BACKEND {

/// What a control remembers from step to step; saved in checkpoints.
struct CellControlState {
  std::uint64_t stage = 0;            ///< that runs; the number of stages when all are over
  std::uint64_t measures = 0;         ///< that the stage has used
  double stage_began = 0;             ///< [s]
  double pressure = 0;                ///< [Pa] that the inertial number of the rates goes with
  CellTensor strain_began{};          ///< [-] when the stage began
  CellTensor sign{1, 1, 1, 1, 1, 1};  ///< of rates that reverse
  CellTensor rate{};                  ///< [1/s] of each servo until the next measure
  CellTensor integral{};              ///< [1/s] of each servo
  CellTensor error{};                 ///< [Pa] of each servo at the last measure
  bool operator==(const CellControlState&) const = default;
};

template <>
struct NumbersOf<CellControlState> {
  using type = std::uint64_t;  // bits of integers and doubles
};

/// Chooses the velocity gradient of a periodic cell, step by step, from the goals of its stages. Upper triangular: L_xy
/// is the velocity along x by y. Host code without functions of the C library: the same bits everywhere. Cheap to copy.
///
/// Stress is held by a servo that needs no gains of the user. Let C be what the stress would rise by, per strain, if
/// all particles moved with the mean strain. That is how any packing answers at once; later it gives way, to 0.05 to
/// 0.8 of it. As a packing takes energy up and gives none, rate = g e + J with e the missing stress cannot become
/// unstable, whatever the packing does later, if only g C is slower than the measures follow each other. So g = 1 / (C
/// tau), tau = 4 of them. J grows with g (de/dt + e / (8 tau)): it finds the rate that holds the stress while another
/// component is driven, and, as an error that falls by itself does not feed it, stress does not shoot over its goal.
class CellControl {
 public:
  static constexpr std::uint64_t servo_interval = 10;  ///< [steps] between measures

  /// `mean_diameter` [m], `density` [kg/m3] and `modulus` [Pa] of the particles. The modulus only gives the rates where
  /// nothing else gives a pressure.
  CellControl(const PeriodicCell& cell, double mean_diameter, double density, double modulus = 0);

  /// Whether the last stage is over, so that the coming step must not be made; to be asked before gradient(), with the
  /// same values. From then on finished() is true.
  bool ends(const StepTimes& times, const CellTensor& strain, const CellMeasure& measure);
  /// L of the coming step [1/s]. To be called once for every step; `strain` is that of the cell now (see
  /// strain_increment), `measure` is looked at only where wants_measure() was true of this step.
  [[nodiscard]] Matrix3 gradient(const StepTimes& times, const CellTensor& strain, const CellMeasure& measure);
  /// Whether ends() and gradient() need a measure before step `step`.
  [[nodiscard]] bool wants_measure(std::uint64_t step) const;
  /// No stage is left.
  [[nodiscard]] bool finished() const;

  /// What a step adds to the strain: exactly ln F_ii of a cell that is stretched along the axes; shear L_ab dt.
  [[nodiscard]] static CellTensor strain_increment(const Matrix3& gradient, double dt);

  [[nodiscard]] const CellControlState& state() const { return state_; }
  void set_state(const CellControlState& state) { state_ = state; }

 private:
  struct Plan;

  [[nodiscard]] const CellStage& stage() const;
  [[nodiscard]] bool is_fresh(const StepTimes& times, const CellMeasure& measure) const;
  [[nodiscard]] bool is_over(const StepTimes& times, const CellTensor& strain, const CellMeasure* measure) const;
  [[nodiscard]] bool is_balanced(double time, const CellTensor& strain, const CellMeasure& measure) const;
  void begin_next(const StepTimes& times, const CellTensor& strain);
  void look(const StepTimes& times, const CellMeasure& measure);
  void serve(std::size_t component, double goal, double limit, const StepTimes& times, const CellMeasure& measure);
  [[nodiscard]] double limit() const;
  [[nodiscard]] double strain_rate(std::size_t component, const StepTimes& times, double strain) const;

  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  std::shared_ptr<const Plan> plan_;
  CellControlState state_;
};

}  // namespace scree::inline SCREE_BACKEND
