#include "kernels/heat/heat_system.hpp"

#include <algorithm>

#include "kernels/backend/lane_sums.hpp"
#include "kernels/backend/rearrange.hpp"
#include "kernels/heat/dissipated.hpp"
#include "kernels/heat/flow.hpp"
#include "kernels/heat/heating.hpp"
#include "kernels/heat/pair_heat.hpp"
#include "kernels/math/sphere.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr const char* label = "heat";

BoundaryHeat boundary_heat(const SceneBoundary& boundary) {
  SCREE_EXPECT(!boundary.temperature || !boundary.heat_flux, "a boundary has a temperature or a flux");
  if (boundary.temperature) { return {WallKind::temperature, *boundary.temperature}; }
  if (boundary.heat_flux) { return {WallKind::flux, *boundary.heat_flux}; }
  return {};
}

}  // namespace

template <class R>
HeatSystem<R>::HeatSystem(const Scene& scene) {
  if (!scene.heat) { return; }
  on_ = true;
  const HeatSettings& settings = scene.heat->settings;
  const std::size_t n = scene.materials.size();
  SCREE_EXPECT(scene.heat->pairs.size() == n * n, "one entry of heat per ordered pair of materials is needed");
  SCREE_EXPECT(scene.grain_shapes.empty(), "level-set grains have no temperature");
  n_boundaries_ = scene.boundaries.size();
  start_temperature_ = settings.temperature;
  if (settings.gas) {
    model_.gas_conductivity = settings.gas->conductivity;
    model_.film = settings.gas->thickness;
    model_.least_gap = settings.gas->least_gap;
    model_.reach = std::max(model_.reach, 1 + settings.gas->thickness);
  }
  if (settings.radiation) {
    model_.radiation_range = settings.radiation->range;
    model_.reach = std::max(model_.reach, settings.radiation->range);
  }
  SCREE_EXPECT(model_.reach <= scene.interaction_range || model_.reach == 1,
               "the interaction range of the scene covers the range of heat");
  model_.dissipation = settings.dissipation;
  std::vector<HeatPair> pairs;
  for (const ThermalPair& pair : scene.heat->pairs) {
    pairs.push_back({pair.per_radius, pair.radius_factor, pair.share_of_first});
  }
  pairs_.assign(pairs, label);
  std::vector<double> emissivity;
  for (const Material& material : scene.materials) {
    const Thermal thermal = material.thermal.value_or(Thermal{});
    heat_per_mass_.push_back(thermal.heat_capacity);
    emissivity.push_back(thermal.emissivity.value_or(1));
  }
  emissivity_.assign(emissivity, label);
  std::vector<BoundaryHeat> walls;
  for (const SceneBoundary& boundary : scene.boundaries) { walls.push_back(boundary_heat(boundary)); }
  walls_.assign(walls, label);
}

template <class R>
void HeatSystem<R>::set_boundary(std::size_t index, const SceneBoundary& boundary) {
  walls_.set_element(index, boundary_heat(boundary));
}

template <class R>
void HeatSystem<R>::append(RunState<R>& run, const ParticleSet& particles, std::size_t first, bool at_start) {
  if (!on_) { return; }
  const std::size_t n = particles.size();
  SCREE_EXPECT(particles.temperature.empty() || particles.temperature.size() == n, "particle arrays differ in length");
  std::vector<double> temperature(n, start_temperature_), capacity(n);
  if (!particles.temperature.empty()) { temperature = particles.temperature; }
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t material = particles.material[i];
    capacity[i] = sphere_mass(particles.radius[i], run.scene.materials[material].density) * heat_per_mass_[material];
  }
  for (const Clump& clump : particles.clumps) {
    const ClumpShape& shape = run.scene.clump_shapes[clump.shape];
    const std::size_t members = shape.position.size();
    const std::uint32_t material = particles.material[clump.first];
    const double mass = run.scene.materials[material].density * shape.volume * clump.size * clump.size * clump.size;
    for (std::size_t k = clump.first; k < clump.first + members; ++k) {
      temperature[k] = temperature[clump.first];
      capacity[k] = mass * heat_per_mass_[material] / double(members);
    }
  }
  ExactSum heat;
  for (std::size_t i = 0; i < n; ++i) {
    SCREE_EXPECT(temperature[i] > 0 && capacity[i] > 0, "temperatures and heat capacities are above 0");
    heat.add(capacity[i] * temperature[i]);
  }
  SCREE_EXPECT(temperature_.size() == first, "temperatures of all bodies");
  scree::SCREE_BACKEND::append(temperature_, temperature, label);
  scree::SCREE_BACKEND::append(capacity_, capacity, label);
  if (at_start) {
    start_ += heat.value();
  } else {
    inserted_.add(heat);
    inserted_.carry();
  }
}

template <class R>
void HeatSystem<R>::remove(RunState<R>& run, const std::vector<index_t>& places) {
  if (!on_) { return; }
  if (lanes_.size() == 0) {
    lanes_.discard_and_resize(lane_count(run) * n_sums(), label);
    lanes_.zero();
  }
  const std::size_t of_removed = n_boundaries_ + 1;
  ExactSum sum = lanes_.element(of_removed);
  Buffer<index_t> at;
  at.assign(places, label);
  const auto capacity = elements_at(run.exec, label, at.view(), capacity_),
             temperature = elements_at(run.exec, label, at.view(), temperature_);
  for (std::size_t k = 0; k < places.size(); ++k) { sum.add(capacity[k] * temperature[k]); }
  run.exec.for_each(label, places.size(), SetAt<double>{at.view(), temperature_.view(), 0});
  sum.carry();
  lanes_.set_element(of_removed, sum);
}

template <class R>
void HeatSystem<R>::sort(RunState<R>& run, Span<index_t> order) {
  if (!on_) { return; }
  for (Buffer<double>* field : {&temperature_, &capacity_}) {
    put_in_order(run.exec, label, order, run.count.bodies, *field, spare_);
  }
}

template <class R>
void HeatSystem<R>::carry_in_time(RunState<R>& run) {
  // ExactSum allows 2^31 numbers. A step adds at most one for each listed contact with a boundary and two for each
  // body. The digits are carried when half of that number may be reached; the steps of a batch stay below the other
  // half if a step adds fewer than 2^24 numbers.
  const std::uint64_t added = run.contacts.near.slot.size() + 2 * run.count.bodies;
  if (!on_ || (run.step - carried_) * added < std::uint64_t(1) << 30) { return; }
  run.exec.for_each(label, lanes_.size(), CarryHeatSum{lanes_.view()});
  carried_ = run.step;
}

template <class R>
template <bool has_gas, bool radiates>
void HeatSystem<R>::flow_between_pairs(RunState<R>& run) {
  Pairs<R>& listed = run.contacts.pairs;
  run.exec.for_selected(label, listed.size(),
                        PairHeat<R, has_gas, radiates>{.model = model_,
                                                       .bodies = view(run.bodies),
                                                       .temperature = temperature_.view(),
                                                       .of_pair = pairs_.view(),
                                                       .emissivity = emissivity_.view(),
                                                       .n_materials = heat_per_mass_.size(),
                                                       .pairs = listed.bodies.view(),
                                                       .cell = cell_pairs_of_steps(run),
                                                       .of_slot = of_slot_.view(),
                                                       .control = run.control.data()});
}

template <class R>
void HeatSystem<R>::flow(RunState<R>& run) {
  Pairs<R>& listed = run.contacts.pairs;
  BoundaryList<R>& near = run.contacts.near;
  flow_.clear();
  of_slot_.discard_and_resize(listed.size(), label);
  const bool has_gas = model_.gas_conductivity > 0, radiates = model_.radiation_range > 0;
  if (has_gas && radiates) {
    flow_between_pairs<true, true>(run);
  } else if (has_gas) {
    flow_between_pairs<true, false>(run);
  } else if (radiates) {
    flow_between_pairs<false, true>(run);
  } else {
    flow_between_pairs<false, false>(run);
  }
  rate_.discard_and_resize(run.count.bodies, label);
  slot_power_.discard_and_resize(near.slot.size(), label);
  run.exec.for_each(label, run.count.bodies,
                    HeatFlow<R>{.model = model_,
                                .bodies = view(run.bodies),
                                .temperature = temperature_.view(),
                                .of_pair = pairs_.view(),
                                .emissivity = emissivity_.view(),
                                .n_materials = heat_per_mass_.size(),
                                .of_slot = of_slot_.view(),
                                .incident_start = listed.incident_start.view(),
                                .incident = listed.incident.view(),
                                .boundaries = run.boundary.view(),
                                .walls = walls_.view(),
                                .row_of_body = near.row_of_body.view(),
                                .row_start = near.row_start.view(),
                                .slots = near.slot.view(),
                                .slot_power = slot_power_.view(),
                                .rate = rate_.view(),
                                .control = run.control.data()});
}

template <class R>
void HeatSystem<R>::step(RunState<R>& run, Span<BodySpeed<R>> before) {
  const std::size_t n = run.count.bodies;
  left_.discard_and_resize(n, label);
  if (dissipates()) {
    gained_.discard_and_resize(n, label);
    const HeatShare share{pairs_.view(), heat_per_mass_.size(), walls_.view(), run.boundary.view().info};
    run.exec.for_each(label, n,
                      in_step(run, DissipatedHeat<R>{.losses = body_losses(run, before, share),
                                                     .part = model_.dissipation,
                                                     .gained = gained_.view(),
                                                     .control = run.control.data()}));
  }
  const Heating<R> heating{.bodies = view(run.bodies),
                           .temperature = temperature_.view(),
                           .capacity = capacity_.view(),
                           .rate = rate_.view(),
                           .gained = gained_.view(),
                           .left = left_.view(),
                           .control = run.control.data()};
  run.exec.for_each(label, n, in_step(run, HeatSpheres<R>{heating}));
  if (run.clumps.any()) {
    run.exec.for_each(label, run.clumps.size(),
                      in_step(run, HeatClumps<R>{heating, view(run.clumps.fields), run.clumps.members()}));
  }
  add_up(run);
}

template <class R>
std::size_t HeatSystem<R>::lane_count(const RunState<R>& run) const {
  return SCREE_ON_CUDA ? std::max<std::size_t>(4096 / n_sums(), 32) : std::size_t(run.exec.threads());
}

template <class R>
void HeatSystem<R>::add_up(RunState<R>& run) {
  if (lanes_.size() == 0) {
    lanes_.discard_and_resize(lane_count(run) * n_sums(), label);
    lanes_.zero();
  }
  const Span<double> left = run.outlets.any() ? left_.view() : Span<double>{};
  const std::size_t n_lanes_used = lanes_.size() / n_sums();
  run.exec.for_lanes(label, n_lanes_used, run.count.bodies,
                     in_step(run, HeatSums<R>{.slots = run.contacts.near.slot.view(),
                                              .slot_power = slot_power_.view(),
                                              .feature = run.boundary.view().feature,
                                              .gained = gained_.view(),
                                              .left = left,
                                              .n_boundaries = n_boundaries_,
                                              .sums = lanes_.view(),
                                              .n_lanes_used = n_lanes_used,
                                              .control = run.control.data()}));
}

template class HeatSystem<float>;
template class HeatSystem<double>;

}  // namespace scree::inline SCREE_BACKEND
