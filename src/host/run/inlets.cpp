#include "host/run/inlets.hpp"

#include <algorithm>
#include <limits>

#include "scree/errors.hpp"

namespace scree {

Inlets::Inlets(const Case& input, const Scene& scene) : scene_(scene), groups_(scene.groups) {
  for (std::size_t k = 0; k < scene.inlets.size(); ++k) {
    if (scene.inlets[k].part == 0) inlets_.push_back(std::make_unique<OneInlet>(input, scene, groups_, k));
  }
}

std::uint64_t Inlets::next_after(std::uint64_t step, std::optional<double> at) const {
  const double time = at.value_or(static_cast<double>(step) * scene_.time_step);
  const bool over =
      std::all_of(inlets_.begin(), inlets_.end(), [&](const auto& inlet) { return inlet->finished(time); });
  return over ? std::numeric_limits<std::uint64_t>::max() : (step / interval + 1) * interval;
}

std::vector<std::string> Inlets::feed(Engine& engine, const std::function<void(std::uint64_t)>& fed) {
  std::vector<std::string> notes;
  if (engine.step() % interval != 0) return notes;
  for (const auto& inlet : inlets_) {
    inlet->feed(engine);
    if (fed) { fed(inlet->state.entry); }
    if (const auto complaint = inlet->complaint(engine.time())) notes.push_back(*complaint);
  }
  return notes;
}

void Inlets::change(std::size_t entry, const StagedInlet& change, double time) {
  for (const auto& inlet : inlets_) {
    if (inlet->state.entry == entry) inlet->change(change, time);
  }
}

void Inlets::change_group(std::size_t index, const GroupChange& change) {
  groups_.at(index) = changed(std::move(groups_.at(index)), change);
}

std::vector<InletState> Inlets::states() const {
  std::vector<InletState> states;
  for (const auto& inlet : inlets_) states.push_back(inlet->state);
  return states;
}

void Inlets::restore(const std::vector<InletState>& states) {
  SCREE_EXPECT(states.size() == inlets_.size(), "one state per inlet");
  for (std::size_t i = 0; i < states.size(); ++i) inlets_[i]->state = states[i];
}

std::vector<InletReport> Inlets::report(double time) const {
  std::vector<InletReport> reports;
  for (const auto& inlet : inlets_) reports.push_back(inlet->report(time));
  return reports;
}

}  // namespace scree
