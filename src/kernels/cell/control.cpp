#include "kernels/cell/control.hpp"

#include <algorithm>

#include "kernels/cell/control_plan.hpp"
#include "kernels/math/functions.hpp"
#include "kernels/math/logarithm.hpp"
#include "kernels/math/mat3.hpp"
#include "kernels/math/real3.hpp"
#include "scree/errors.hpp"
#include "scree/time_table.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

using Kind = CellGoal::Kind;

constexpr double servo_intervals = 4;  ///< time of a servo over the time between two measures
constexpr double servo_wave = 2;       ///< least time of a servo over the time of a wave across a particle
constexpr double servo_dashpots = 4;   ///< least time of a servo over the time of the dashpots
constexpr double integral_times = 8;   ///< time of the integral over the time of the servo
constexpr double least_band = 0.01;    ///< [-] fraction of the pressure: smaller errors never get the full rate
constexpr std::array<std::array<std::size_t, 2>, n_cell_components> place{
    {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}}};

double clamp(double value, double limit) { return math::max(-limit, math::min(limit, value)); }

/// ln(1 + x), x > -0.95
double log_of_one_plus(double x) { return x < 0 ? math::log_of_one_minus(-x) : -math::log_of_one_minus(x / (1 + x)); }

/// exp(x) - 1. Up to |x| = 1/16 Taylor's series is exact to rounding; larger values are computed from x / 2.
double exp_minus_one(double x) {
  if (math::abs(x) > 0.0625) {
    const double half = exp_minus_one(0.5 * x);
    return half * (half + 2);
  }
  double sum = 1;
  for (int n = 10; n >= 2; --n) { sum = 1 + sum * x / double(n); }
  return x * sum;
}

bool needs_measure(const CellStage& stage) {
  const auto depends_on_stress = [](const CellGoal& goal) {
    return goal.kind == Kind::strain || goal.kind == Kind::stress || goal.reverse_at_stress > 0;
  };
  return stage.stress_error > 0 || stage.unbalanced_force > 0 ||
         std::any_of(stage.stress.begin(), stage.stress.end(), [](const auto& stress) { return stress.has_value(); }) ||
         std::any_of(stage.goals.begin(), stage.goals.end(), depends_on_stress);
}

/// [-] The factor by which the answer of a component may exceed that to its own rate. Other stresses, too, answer to
/// its strain, but no more than its own stress does; and its stress answers to the components that follow it.
double reach_of(const CellStage& stage, std::size_t component) {
  double sum = 1;
  for (const double part : stage.goals[component].plus) { sum += math::abs(part); }
  for (const CellGoal& other : stage.goals) { sum += math::abs(other.follows[component]); }
  return sum;
}

/// [Pa] Mean of the goals of normal stress or, if larger, the largest goal of shear stress.
double goal_pressure(const CellStage& stage, double time, const CellTensor& stress) {
  double sum = 0, shear = 0;
  int count = 0;
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    if (stage.goals[k].kind != Kind::stress) { continue; }
    const double goal = math::abs(value_at(stage.goals[k].table, time) + stress_of_others(stage.goals[k], stress));
    if (k < 3) {
      sum += goal;
      ++count;
    } else {
      shear = math::max(shear, goal);
    }
  }
  return math::max(shear, count > 0 ? sum / count : 0);
}

/// [Pa] The pressure of the goals or that of the packing, whichever is larger.
double pressure_of(const CellStage& stage, double time, const CellTensor& stress) {
  return math::max(goal_pressure(stage, time, stress), math::abs(stress[0] + stress[1] + stress[2]) / 3);
}

/// [1/s] The largest rate of servos beside components that are driven. A dense packing dilates while it is sheared, so
/// the component that holds a stress deforms faster than the driven one: in plane strain about twice as fast. If the
/// volume is constant, a normal component answers to the sum of all others. Goals that count other stresses may let one
/// servo follow another one. A servo that is held back by this limit would let its stress grow without end. `driven`
/// are the magnitudes of the strain rates, and of the rates that follow a path or approach a goal of strain.
double rate_beside(const CellStage& stage, const CellTensor& driven) {
  constexpr double of_one = 3, of_chain = 9;
  double normal = 0, shear = 0;
  bool chained = false;
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    const CellGoal& goal = stage.goals[k];
    chained = chained || (goal.kind == Kind::stress && goal.plus != CellTensor{});
    double rate = driven[k];
    for (std::size_t j = 0; j < n_cell_components; ++j) {
      if (goal.follows[j] != 0) { rate += math::abs(goal.follows[j]) * driven[j]; }
    }
    if (k < 3) {
      normal += rate;
    } else {
      shear = math::max(shear, rate);
    }
  }
  return math::max(normal, shear) * (chained ? of_chain : of_one);
}

}  // namespace

CellControl::CellControl(const PeriodicCell& cell, double mean_diameter, double density, double modulus, double solid) {
  Plan plan{cell, mean_diameter, density};
  for (const CellStage& stage : cell.stages) {
    for (const CellGoal& goal : stage.goals) {
      if (goal.kind != Kind::stress) { continue; }
      for (const auto& row : goal.table) { plan.largest_goal = math::max(plan.largest_goal, math::abs(row[1])); }
    }
    // The gradient is triangular, so the sum of the normal strains is ln(volume / volume at the start).
    Plan::Dilation& limits = plan.dilation.emplace_back();
    const auto strain_at = [&](double void_ratio) {
      SCREE_EXPECT(solid > 0, "a stage that ends at a void ratio has particles");
      const Mat3d edges{vec(cell.edges[0]), vec(cell.edges[1]), vec(cell.edges[2])};
      return math::logarithm((1 + void_ratio) * solid / determinant(edges));
    };
    if (stage.void_ratio_above) { limits.above = strain_at(*stage.void_ratio_above); }
    if (stage.void_ratio_below) { limits.below = strain_at(*stage.void_ratio_below); }
  }
  plan.least_pressure = math::max(1e-6 * modulus, 1e-4 * plan.largest_goal);
  plan_ = std::make_shared<const Plan>(std::move(plan));
}

const CellStage& CellControl::stage() const { return plan_->cell.stages[state_.stage]; }

bool CellControl::finished() const {
  const auto& stages = plan_->cell.stages;
  return !stages.empty() && state_.stage == stages.size();
}

bool CellControl::wants_measure(std::uint64_t step) const {
  return !plan_->cell.stages.empty() && !finished() && step % servo_interval == 0 && needs_measure(stage());
}

bool CellControl::waits_for_balance() const { return stage().unbalanced_force > 0; }

/// Whether the measure belongs to this step. Before the first step, forces are known only if the run continues from
/// contacts that were there.
bool CellControl::is_fresh(const StepTimes& times, const CellMeasure& measure) const {
  return wants_measure(times.step) && (times.step > 0 || measure.contacts > 0);
}

bool CellControl::ends(const StepTimes& times, const CellTensor& strain, const CellMeasure& measure) {
  if (plan_->cell.stages.empty() || finished()) { return finished(); }
  note_extremes(strain);
  const CellMeasure* fresh = is_fresh(times, measure) ? &measure : nullptr;
  while (!finished() && is_over(times, strain, fresh)) {
    begin_next(times, strain);
    fresh = nullptr;
  }
  return finished();
}

Matrix3 CellControl::gradient(const StepTimes& times, const CellTensor& strain, const CellMeasure& measure) {
  if (plan_->cell.stages.empty()) { return plan_->cell.velocity_gradient; }
  Matrix3 result{};
  if (finished()) { return result; }
  note_extremes(strain);
  // Only ends() may end the last stage. An adaptive step gets its final length later, and then gradient() is called
  // with other times. A stage that begins here gets its first measure later.
  const CellMeasure* known = is_fresh(times, measure) ? &measure : nullptr;
  while (next_stage() < plan_->cell.stages.size() && is_over(times, strain, known)) {
    begin_next(times, strain);
    known = nullptr;
  }
  if (known != nullptr) {
    serve_stresses(times, strain, measure);
    look(times, measure);
  }
  const double time = times.now - state_.stage_began;
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    const CellGoal& goal = stage().goals[k];
    double& rate = result[place[k][0]][place[k][1]];
    switch (goal.kind) {
      case Kind::strain_rate: rate = state_.sign[k] * value_at(goal.table, time); break;
      case Kind::strain: rate = strain_rate(k, times, strain[k] - state_.strain_began[k]); break;
      case Kind::stress: rate = state_.rate[k]; break;
      case Kind::follows: break;
    }
  }
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    if (stage().goals[k].kind != Kind::follows) { continue; }
    result[place[k][0]][place[k][1]] = following_rate(k, result, times.next);
  }
  return result;
}

/// [1/s] The rate that gives the inertial number of the stage.
double CellControl::limit() const {
  const double pressure = math::max(state_.pressure, plan_->least_pressure);
  return stage().inertial_number * math::sqrt(pressure / plan_->density) / plan_->diameter;
}

/// Sets the rates of all servos from a new measure.
void CellControl::serve_stresses(const StepTimes& times, const CellTensor& strain, const CellMeasure& measure) {
  const double time = times.now - state_.stage_began;
  state_.pressure = pressure_of(stage(), time, measure.stress);
  CellTensor driven{};
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    const CellGoal& goal = stage().goals[k];
    if (goal.kind == Kind::strain_rate) { driven[k] = math::abs(value_at(goal.table, time)); }
    if (goal.kind == Kind::strain) { driven[k] = math::abs(strain_rate(k, times, strain[k] - state_.strain_began[k])); }
  }
  const double most = math::max(limit(), rate_beside(stage(), driven));
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    const CellGoal& goal = stage().goals[k];
    if (goal.kind != Kind::stress) { continue; }
    serve(k, value_at(goal.table, time) + stress_of_others(goal, measure.stress), most, times, measure);
  }
}

void CellControl::serve(std::size_t component, double goal, double limit, const StepTimes& times,
                        const CellMeasure& measure) {
  const double interval = double(servo_interval) * times.next;
  const double stiffness = measure.stiffness[component] * reach_of(stage(), component);
  double tau = math::max(servo_intervals * interval, servo_dashpots * measure.dashpot_time);
  if (stiffness > 0) { tau = math::max(tau, servo_wave * plan_->diameter * math::sqrt(plan_->density / stiffness)); }
  // The error that gets the full rate. With few contacts the stiffness is not reliable, so there is a least band.
  const double band =
      math::max(stiffness * tau * limit, least_band * math::max(state_.pressure, plan_->least_pressure));
  const double gain = band > 0 ? limit / band : 0;
  const double error = goal - measure.stress[component];
  const double part = gain * error;
  double& integral = state_.integral[component];
  if (math::abs(part) >= limit) {
    integral = 0;
  } else {
    const double change = state_.measures > 0 ? error - state_.error[component] : 0;
    integral += gain * (change + error * (interval / (integral_times * tau)));
    integral = clamp(part + integral, limit) - part;
  }
  state_.rate[component] = clamp(part + integral, limit);
  state_.error[component] = error;
}

/// [1/s] The rate of a component that follows a path of strain. It follows the slope of the path, however large. It
/// approaches the path, or a constant goal, no faster than the inertial number allows.
double CellControl::strain_rate(std::size_t component, const StepTimes& times, double strain) const {
  const TimeTable& table = stage().goals[component].table;
  const double aim = value_at(table, times.after - state_.stage_began);
  const double slope = math::abs(aim - value_at(table, times.now - state_.stage_began));
  const double change = clamp(aim - strain, math::max(limit() * times.next, slope));
  return (component < 3 ? exp_minus_one(change) : change) / times.next;
}

/// [1/s] The rate with which the strain of a component grows by multiples of those of others in this step. Normal
/// strains are logarithmic, so the volume stays to rounding if all multiples of a strain sum to -1.
double CellControl::following_rate(std::size_t component, const Matrix3& gradient, double dt) const {
  const CellTensor& follows = stage().goals[component].follows;
  const CellTensor others = strain_increment(gradient, dt);
  double change = 0;
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    if (follows[k] != 0) { change += follows[k] * others[k]; }
  }
  return (component < 3 ? exp_minus_one(change) : change) / dt;
}

CellTensor CellControl::strain_increment(const Matrix3& gradient, double dt) {
  CellTensor result{};
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    const double change = gradient[place[k][0]][place[k][1]] * dt;
    result[k] = k < 3 ? log_of_one_plus(change) : change;
  }
  return result;
}

}  // namespace scree::inline SCREE_BACKEND
