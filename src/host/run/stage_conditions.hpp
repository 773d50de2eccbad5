#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/measure/displacement.hpp"
#include "host/measure/measured_state.hpp"
#include "host/output/stage_measures.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

class Servos;

/// The flow through an outlet over successive windows of time.
struct FlowWindow {
  double begin = 0;  ///< [s] of the present window
  double mass = 0;   ///< [kg] removed until then
  double rate = -1;  ///< [kg/s] of the last whole window; negative: there was none yet
};

/// The windows of all flows that may end a stage: the one of `until`, and one for each condition of `all_of`.
class StageFlows {
 public:
  /// Begins the windows with the stage. Reads nothing of the engine if the stage waits for no flow.
  void begin(const SceneStage& stage, Engine& engine);
  /// Ends the windows that are over. To be called once for each check of the stage.
  void look(const SceneStage& stage, Engine& engine);

  /// The window of `until`, and that of condition `k` of `all_of`.
  [[nodiscard]] FlowWindow of_end() const { return windows_.empty() ? FlowWindow{} : windows_.front(); }
  [[nodiscard]] FlowWindow of_condition(std::size_t k) const {
    return windows_.empty() ? FlowWindow{} : windows_.at(k + 1);
  }
  /// [3 n_windows] begin, mass and rate of each window.
  [[nodiscard]] std::vector<double> save() const;
  /// Restores what save() has returned in this stage; false if it does not fit.
  [[nodiscard]] bool restore(const SceneStage& stage, const std::vector<double>& numbers);

 private:
  std::vector<FlowWindow> windows_;  ///< empty: the stage waits for no flow
};

/// Checks the conditions of a stage once. It keeps the values that it reads of the engine, since several conditions use
/// them.
class StageLook {
 public:
  /// The references must outlive it. `since` [s] is the time at which the stage began. `servos` are null if no
  /// condition needs them.
  StageLook(Engine& engine, const Scene& scene, const Servos* servos, double since)
      : engine_(engine), scene_(scene), servos_(servos), since_(since) {}

  /// The reason why the stage ends now, except for its duration; empty if it does not.
  [[nodiscard]] std::string reason(const SceneStage& stage, const StageFlows& flows, const StageMeasures& measures);

 private:
  /// Returns a text that says how the condition holds; none: it does not hold.
  using Condition = std::function<std::optional<std::string>()>;
  template <class Conditions>
  [[nodiscard]] std::vector<Condition> conditions_of(const Conditions& given, const ConditionPlaces& places,
                                                     const FlowWindow& flow, MeasuredColumn* measure);
  // These add the conditions about counts and flows, about boundaries and their servos, and about particles.
  template <class Conditions>
  void add_of_counts(const Conditions& given, const ConditionPlaces& places, const FlowWindow& flow,
                     std::vector<Condition>& all);
  template <class Conditions>
  void add_of_walls(const Conditions& given, const ConditionPlaces& places, std::vector<Condition>& all);
  template <class Conditions>
  void add_of_particles(const Conditions& given, MeasuredColumn* measure, std::vector<Condition>& all);
  [[nodiscard]] static std::string first_of(const std::vector<Condition>& conditions);
  [[nodiscard]] std::string all_of(const SceneStage& stage, const StageFlows& flows, const StageMeasures& measures);
  [[nodiscard]] std::string particles_text();
  const MeasuredState& state();
  const EngineCounts& counts();
  const std::vector<BoundaryLoad>& loads();

  Engine& engine_;
  const Scene& scene_;
  const Servos* servos_;
  double since_;
  MeasureNeeds needs_{.forces = false, .contacts = false};  ///< of state_
  std::optional<MeasuredState> state_;
  std::optional<EngineCounts> counts_;
  std::optional<std::vector<BoundaryLoad>> loads_;
};

/// A sentence if the stage of the cell's control with the name `control` is over; otherwise empty.
[[nodiscard]] std::string end_of_control(Engine& engine, const std::string& control, const ConditionPlaces& places);

}  // namespace scree
