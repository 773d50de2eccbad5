#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/measure/steady_rate.hpp"
#include "host/output/output_schedule.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"
#include "scree/simulation.hpp"

namespace scree {

/// The flow of mass through the outlets of a scene, and into its regions that remove particles. It is sampled at
/// multiples of `interval` steps, at the start and at the end: it does not depend on what else a run writes.
class OutletFlows {
 public:
  static constexpr std::uint64_t interval = 200;  ///< [steps] as of the regular checks of all contacts

  /// `scene` must outlive it.
  explicit OutletFlows(const Scene& scene) : scene_(scene), mass_(scene.outlet_names.size()) {}

  [[nodiscard]] bool due(const Engine& engine) const { return !mass_.empty() && engine.step() % interval == 0; }
  /// When the next sample is due.
  [[nodiscard]] RunTarget next(const Engine& engine) const {
    return mass_.empty() ? RunTarget{} : RunTarget{(engine.step() / interval + 1) * interval};
  }
  /// Takes a sample, at most once per step.
  void sample(Engine& engine);
  /// The flows of all outlets and regions that have removed something.
  [[nodiscard]] std::vector<FlowReport> report() const;

 private:
  const Scene& scene_;
  std::vector<SteadyRate> mass_;  ///< [n_outlet_names]
  std::optional<std::uint64_t> last_step_;
};

}  // namespace scree
