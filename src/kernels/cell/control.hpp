#pragma once

#include <cstdint>
#include <memory>

#include "kernels/archive/numbers.hpp"
#include "kernels/state/step_times.hpp"
#include "scree/cell.hpp"

namespace scree::inline SCREE_BACKEND {

/// The state of a control from step to step. It is saved in checkpoints.
struct CellControlState {
  std::uint64_t stage = 0;            ///< index of the present stage; the number of stages when all are over
  std::uint64_t measures = 0;         ///< number of measures that the stage has used
  double stage_began = 0;             ///< [s]
  double pressure = 0;                ///< [Pa] in the inertial number of the rates
  CellTensor strain_began{};          ///< [-] strain when the stage began
  CellTensor sign{1, 1, 1, 1, 1, 1};  ///< [-] 1 or -1: sign of rates that reverse
  CellTensor rate{};                  ///< [1/s] of each servo until the next measure
  CellTensor integral{};              ///< [1/s] of each servo
  CellTensor error{};                 ///< [Pa] of each servo at the last measure
  bool operator==(const CellControlState&) const = default;
};

template <>
struct NumbersOf<CellControlState> {
  using type = std::uint64_t;  // bits of integers and doubles
};

/// The stresses and reversals that a stage has seen and that may end it. Saved in checkpoints.
struct StageProgress {
  /// [-] for each stress that the stage waits for: 1 or -1 if it was above or below its value at the first measure; 0
  /// before, and for others
  CellTensor sides{};
  std::uint64_t reversals = 0;  ///< changes of sign of strain rates
  /// [-] least and largest strains since the round of a repeated stage began; 0 in others
  CellTensor low{}, high{};
};

/// Chooses the velocity gradient L of a periodic cell, step by step, from the goals of its stages. L is upper
/// triangular; L_xy is the gradient along y of the velocity along x. The code runs on the host and uses no mathematical
/// functions of the C library, so the bits are the same everywhere. A control is cheap to copy.
///
/// A servo holds each stress, without gains from the user. Let C be the rise of the stress per strain if all particles
/// moved with the mean strain. Every packing answers in this way at first; later the stress falls to 0.05 to 0.8 of
/// that. The servo sets rate = g e + J, where e is the missing stress. A packing consumes energy and supplies none, so
/// this cannot become unstable, whatever the packing does later, provided that 1 / (g C) is longer than the time
/// between two measures. Dashpots add the stress D times the rate, which the next measure answers, so 2 g D must be
/// less than 1. Therefore g = 1 / (C tau), where tau is the longest of four times the time between measures, twice the
/// time of a wave across a particle, and four times D / C. J grows at the rate g (de/dt + e / (8 tau)). It finds the
/// rate that holds the stress while another component is driven. An error that shrinks by itself does not make J grow,
/// so the stress does not overshoot its goal.
class CellControl {
 public:
  static constexpr std::uint64_t servo_interval = 10;  ///< [steps] between measures

  /// `mean_diameter` [m], `density` [kg/m3] and `modulus` [Pa] are those of the particles, `solid` [m3] is their
  /// volume, for void ratios. The modulus only gives a least pressure, for rates as long as nothing else gives a
  /// pressure.
  CellControl(const PeriodicCell& cell, double mean_diameter, double density, double modulus = 0, double solid = 0);

  /// Begins the next stage if the present one is over. Returns whether the last one is over, so that the coming step
  /// must not be made: finished() is then true. To be called before gradient(), with the same arguments. A stage that
  /// begins is not judged by this measure, which may lack what the stage needs: call again after another measure.
  bool ends(const StepTimes& times, const CellTensor& strain, const CellMeasure& measure);
  /// L of the coming step [1/s]. To be called once for every step. `strain` is the present strain of the cell (see
  /// strain_increment). `measure` is used only if wants_measure() is true for this step.
  [[nodiscard]] Matrix3 gradient(const StepTimes& times, const CellTensor& strain, const CellMeasure& measure);
  /// Whether ends() and gradient() need a measure before step `step`.
  [[nodiscard]] bool wants_measure(std::uint64_t step) const;
  /// Whether the present stage has not used any measure yet. Its first one must have stiffness and unbalanced force of
  /// this moment, since stages before it may have measured neither.
  [[nodiscard]] bool begins() const { return state_.measures == 0; }
  /// Whether the present stage can end by its unbalanced force. Then each of its measures must have this force. Not to
  /// be called when no stage is left.
  [[nodiscard]] bool waits_for_balance() const;
  /// Whether any stage can end by a double amplitude of strain.
  [[nodiscard]] bool has_amplitudes() const;
  /// Whether no stage is left.
  [[nodiscard]] bool finished() const;

  /// [-] The strain that a step of length dt [s] adds: ln(1 + L_aa dt) to normal components, so that their sum is ln
  /// F_aa if the cell is stretched along the axes only, and L_ab dt to shear components.
  [[nodiscard]] static CellTensor strain_increment(const Matrix3& gradient, double dt);

  [[nodiscard]] const CellControlState& state() const { return state_; }
  [[nodiscard]] const StageProgress& progress() const { return progress_; }
  void set_state(const CellControlState& state, const StageProgress& progress) { state_ = state, progress_ = progress; }

 private:
  struct Plan;

  [[nodiscard]] const CellStage& stage() const;
  [[nodiscard]] bool is_fresh(const StepTimes& times, const CellMeasure& measure) const;
  [[nodiscard]] bool is_over(const StepTimes& times, const CellTensor& strain, const CellMeasure* measure) const;
  [[nodiscard]] bool is_balanced(double time, const CellTensor& strain, const CellMeasure& measure) const;
  [[nodiscard]] bool is_wide() const;
  [[nodiscard]] std::size_t next_stage() const;
  void note_extremes(const CellTensor& strain);
  void begin_next(const StepTimes& times, const CellTensor& strain);
  void look(const StepTimes& times, const CellMeasure& measure);
  void serve_stresses(const StepTimes& times, const CellTensor& strain, const CellMeasure& measure);
  void serve(std::size_t component, double goal, double limit, const StepTimes& times, const CellMeasure& measure);
  [[nodiscard]] double limit() const;
  [[nodiscard]] double strain_rate(std::size_t component, const StepTimes& times, double strain) const;
  [[nodiscard]] double following_rate(std::size_t component, const Matrix3& gradient, double dt) const;

  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  std::shared_ptr<const Plan> plan_;
  CellControlState state_;
  StageProgress progress_;
};

}  // namespace scree::inline SCREE_BACKEND
