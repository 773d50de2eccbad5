#include "kernels/archive/groups_of_arrays.hpp"
#include "kernels/backend/lane_sums.hpp"
#include "kernels/heat/heat_system.hpp"
#include "kernels/run_state.hpp"
#include "kernels/state/state_hash.hpp"
#include "scree/errors.hpp"

/// The heat of a run in readouts, in checkpoints, in the hash and in the table of memory.
namespace scree::inline SCREE_BACKEND {

namespace {

constexpr const char* heat_label = "heat";

/// Adds a temperature to the hash; bodies that were removed are left out.
struct HashTemperature {
  PositionColumn position;
  Span<index_t> id;
  Span<double> temperature;
  SCREE_HD void operator()(std::size_t i, UnorderedHash& sum) const {
    if (!is_parked(position[i])) { sum.add({id[i], bits(temperature[i])}); }
  }
};

/// Sums heat and capacity of the bodies in the run.
struct PresentHeat {
  PositionColumn position;
  Span<double> temperature, capacity;
  SCREE_HD void operator()(std::size_t i, ExactSum* sums) const {
    if (is_parked(position[i])) { return; }
    sums[0].add(capacity[i] * temperature[i]);
    sums[1].add(capacity[i]);
  }
};

/// Power [W] of each boundary in the last step.
template <class R>
struct BoundaryPower {
  Span<BoundarySlot<R>> slots;
  Span<Feature> feature;
  Span<double> slot_power;
  SCREE_HD void operator()(std::size_t k, ExactSum* sums) const {
    if (slot_power[k] != 0) { sums[feature[slots[k].feature].boundary].add(slot_power[k]); }
  }
};

}  // namespace

/// [n_boundaries + 2] The sums of all lanes, with carried digits.
template <class R>
std::vector<ExactSum> HeatSystem<R>::sums() const {
  std::vector<ExactSum> total(n_sums());
  const std::vector<ExactSum> all = lanes_.to_vector();
  for (std::size_t k = 0; k < all.size(); ++k) {
    ExactSum lane = all[k];
    lane.carry();
    total[k % n_sums()].add(lane);
  }
  for (ExactSum& sum : total) { sum.carry(); }
  return total;
}

template <class R>
HeatReport HeatSystem<R>::report(RunState<R>& run) {
  if (!on_) { return {}; }
  SCREE_EXPECT(run.forces_known, "flows of heat are not known between a search and the next step");
  HeatReport result;
  ExactSums exact;
  const std::vector<double> present =
      exact.of(run.exec, heat_label, run.count.bodies, 2,
               PresentHeat{run.bodies.position().view(), temperature_.view(), capacity_.view()});
  result.heat = present[0];
  result.capacity = present[1];
  result.mean_temperature = present[1] > 0 ? present[0] / present[1] : 0;
  result.start = start_;
  const std::vector<ExactSum> total = sums();
  for (std::size_t b = 0; b < n_boundaries_; ++b) { result.supplied.push_back(total[b].value()); }
  result.dissipation = total[n_boundaries_].value();
  result.removed = total[n_boundaries_ + 1].value();
  result.inserted = inserted_.value();
  result.flow = flows(run);
  return result;
}

/// [n_boundaries] [W] In the last step.
template <class R>
std::vector<double> HeatSystem<R>::flows(RunState<R>& run) {
  if (!flow_.empty()) { return flow_; }
  BoundaryList<R>& near = run.contacts.near;
  if (slot_power_.size() != near.slot.size()) { return std::vector<double>(n_boundaries_); }  // before the first step
  ExactSums exact;
  return exact.of(run.exec, heat_label, near.slot.size(), n_boundaries_,
                  BoundaryPower<R>{near.slot.view(), run.boundary.view().feature, slot_power_.view()});
}

template <class R>
void HeatSystem<R>::hash(RunState<R>& run, UnorderedHash& sum) {
  if (!on_) { return; }
  sum.add(sum_of_items<UnorderedHash>(
      run.exec, "hash", run.count.bodies,
      HashTemperature{run.bodies.position().view(), run.bodies.id.view(), temperature_.view()}));
}

template <class R>
void HeatSystem<R>::save(RunState<R>& run, const std::vector<index_t>& ids, StateWriter& out) {
  if (!on_) { return; }
  save_values_of_bodies(run, ids, "heat/temperature", "K", temperature_, out);
  save_values_of_bodies(run, ids, "heat/capacity", "J/K", capacity_, out);
  const std::vector<ExactSum> total = sums();
  out.rows("heat/sums", "2^-1074 J", total.size(), [&](std::size_t k) -> const ExactSum& { return total[k]; });
  out("heat/start", "J", start_);
  out("heat/inserted", "2^-1074 J", inserted_);
  const std::vector<double> flow = flows(run);
  out.rows("heat/flow", "W", flow.size(), [&](std::size_t k) -> const double& { return flow[k]; });
}

template <class R>
void HeatSystem<R>::restore(RunState<R>& run, const std::vector<index_t>& ids, const std::vector<index_t>& place_of_id,
                            StateReader& in) {
  if (!on_) { return; }
  const std::vector<double> temperature = values_of_bodies(in, ids, place_of_id, "heat/temperature");
  const std::vector<double> capacity = values_of_bodies(in, ids, place_of_id, "heat/capacity");
  for (const index_t id : ids) {
    const double own = capacity[place_of_id[id]], warm = temperature[place_of_id[id]];
    const auto broken = [&](const char* array, const char* rule, double value) {
      return broken_rule(StateEntry{array, "particle", id}.text(), rule, value);
    };
    expect_state(own > 0, [&] { return broken("heat/capacity", "> 0", own); });
    expect_state(warm >= 0, [&] { return broken("heat/temperature", ">= 0", warm); });
  }
  temperature_.assign(temperature, heat_label);
  capacity_.assign(capacity, heat_label);
  std::vector<ExactSum> total(n_sums());
  in.rows("heat/sums", "", n_sums(), [&](std::size_t k) -> ExactSum& { return total[k]; });
  in("heat/start", "", start_);
  in("heat/inserted", "", inserted_);
  flow_.assign(n_boundaries_, 0);
  in.rows("heat/flow", "", n_boundaries_, [&](std::size_t k) -> double& { return flow_[k]; });
  total.resize(lane_count(run) * n_sums());
  lanes_.assign(total, heat_label);
  slot_power_.discard_and_resize(0, heat_label);
  carried_ = run.step;
}

template <class R>
std::uint64_t HeatSystem<R>::bytes() const {
  return pairs_.bytes() + walls_.bytes() + emissivity_.bytes() + temperature_.bytes() + capacity_.bytes() +
         spare_.bytes() + of_slot_.bytes() + rate_.bytes() + slot_power_.bytes() + gained_.bytes() + left_.bytes() +
         lanes_.bytes();
}

template std::vector<ExactSum> HeatSystem<float>::sums() const;
template HeatReport HeatSystem<float>::report(RunState<float>&);
template std::vector<double> HeatSystem<float>::flows(RunState<float>&);
template void HeatSystem<float>::hash(RunState<float>&, UnorderedHash&);
template void HeatSystem<float>::save(RunState<float>&, const std::vector<index_t>&, StateWriter&);
template void HeatSystem<float>::restore(RunState<float>&, const std::vector<index_t>&, const std::vector<index_t>&,
                                         StateReader&);
template std::uint64_t HeatSystem<float>::bytes() const;
template std::vector<ExactSum> HeatSystem<double>::sums() const;
template HeatReport HeatSystem<double>::report(RunState<double>&);
template std::vector<double> HeatSystem<double>::flows(RunState<double>&);
template void HeatSystem<double>::hash(RunState<double>&, UnorderedHash&);
template void HeatSystem<double>::save(RunState<double>&, const std::vector<index_t>&, StateWriter&);
template void HeatSystem<double>::restore(RunState<double>&, const std::vector<index_t>&, const std::vector<index_t>&,
                                          StateReader&);
template std::uint64_t HeatSystem<double>::bytes() const;

}  // namespace scree::inline SCREE_BACKEND
