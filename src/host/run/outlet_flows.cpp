#include "host/run/outlet_flows.hpp"

namespace scree {

void OutletFlows::sample(Engine& engine) {
  if (mass_.empty() || last_step_ == engine.step()) { return; }
  const EngineCounts counts = engine.counts();
  for (std::size_t k = 0; k < mass_.size(); ++k) { mass_[k].add(engine.time(), counts.removed_mass.at(k)); }
  last_step_ = engine.step();
}

std::vector<FlowReport> OutletFlows::report() const {
  std::vector<FlowReport> flows;
  for (std::size_t k = 0; k < mass_.size(); ++k) {
    if (scene_.counts_broken(k)) { continue; }  // broken spheres flow nowhere
    if (const auto found = mass_[k].result()) {
      flows.push_back(
          {scene_.outlet_names[k], false, found->rate, found->from, found->until, found->amount, found->is_steady});
    }
  }
  return flows;
}

}  // namespace scree
