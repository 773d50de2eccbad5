#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/output/output_schedule.hpp"
#include "host/run/stage_conditions.hpp"
#include "scree/engine.hpp"
#include "scree/engine_state.hpp"
#include "scree/scene.hpp"

namespace scree {

/// [s] The given length of the steps once the first `n_begun` stages have begun; 0 if they follow the contacts.
[[nodiscard]] double given_step(const Scene& scene, std::size_t n_begun);

/// [s] The longest possible duration of a run of this scene: `duration`, or less if all stages have durations.
[[nodiscard]] double longest_duration(const Scene& scene, double duration);

/// The stages of a run. Conditions are checked every `interval` steps; durations end at their step. The result of a
/// check depends on the state alone, so a continued run changes stages at the same steps.
class Stages {
 public:
  static constexpr std::uint64_t interval = 100;  ///< [steps]

  /// The moment at which a stage began.
  struct Moment {
    std::uint64_t step;
    double time;  ///< [s]
    bool operator==(const Moment&) const = default;
  };
  /// Makes the changes of a stage outside of the engine.
  using Besides = std::function<void(const SceneStage& stage, const Moment& begun)>;

  /// The references must outlive it. `servos` are those of the run; null: no condition needs them.
  explicit Stages(const Scene& scene, const Servos* servos = nullptr, Besides besides = {})
      : scene_(scene), servos_(servos), besides_(std::move(besides)) {}

  [[nodiscard]] bool any() const { return !scene_.stages.empty(); }
  /// Whether the last stage has ended.
  [[nodiscard]] bool finished() const { return any() && begun_.size() > scene_.stages.size(); }
  /// Whether a stage has not ended although it has a condition for its end, or stages after it. Durations are rounded
  /// up to whole steps one by one, so stages that share the duration of a run may lack some steps at its end.
  [[nodiscard]] bool cut_short(const Engine& engine) const;
  /// The number of the present stage, from 0; after the end of the run the number of the last stage.
  [[nodiscard]] std::size_t present() const { return begun_.empty() ? 0 : std::min(begun_.size(), count()) - 1; }
  /// Name of that stage; empty without stages.
  [[nodiscard]] std::string name() const { return any() ? scene_.stages[present()].name : std::string(); }
  /// [s] The given length of the present steps; 0 where they follow the contacts.
  [[nodiscard]] double fixed_step() const { return given_step(scene_, begun_.size()); }
  /// The next step or time at which the present stage may end.
  [[nodiscard]] RunTarget next(const Engine& engine) const;
  /// The step at which the last stage ends at the latest; with an adaptive step, the time. It is never reached if the
  /// present stage or a later one has no duration.
  [[nodiscard]] RunTarget latest_end() const;
  /// Begins the first stage. Ends the present stage and begins the next, if that is due. Returns a line for the log
  /// about it.
  [[nodiscard]] std::optional<std::string> look(Engine& engine);

  /// Warnings for the user about the changes since the last call.
  [[nodiscard]] std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }

  /// The moments at which the stages began.
  [[nodiscard]] std::vector<StateArray> save() const;
  /// Continues a run whose engine was restored: makes the changes of all stages so far. If this run has begun already,
  /// the state must belong to the same stage. Throws StateError.
  void restore(const std::vector<StateArray>& arrays, Engine& engine);

 private:
  [[nodiscard]] std::size_t count() const { return scene_.stages.size(); }
  /// When `duration` [s] will have passed since the present stage began: at least one step.
  [[nodiscard]] RunTarget end_of_duration(double duration, const Engine& engine) const;
  /// Whether `duration` [s] have passed since the present stage began.
  [[nodiscard]] bool passed(double duration, const Engine& engine) const;
  /// The reason why the present stage ends now; empty if it does not.
  [[nodiscard]] std::string reason(Engine& engine) const;
  /// Makes the changes of stage `k`, which began or begins at this moment. `is_made` tells that the engine was
  /// restored, so that its state contains the effect of the stage on the particles.
  void apply(std::size_t k, const Moment& begun, bool is_made, Engine& engine);

  const Scene& scene_;
  const Servos* servos_;
  Besides besides_;
  std::vector<std::string> warnings_;
  StageFlows flows_;           ///< of the present stage
  StageMeasures measures_;     ///< of the present stage
  std::vector<Moment> begun_;  ///< [stages begun so far] and, when all are over, the end of the last one
};

}  // namespace scree
