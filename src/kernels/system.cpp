#include "kernels/system.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

#include "kernels/contact/boundary_sweep.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::uint64_t System<R>::advance(std::uint64_t steps, const std::atomic<bool>* stop, double until) {
  // Where launches are asynchronous a batch of steps goes out before the driver looks; kernels stop by themselves when
  // they need it. Moving boundaries are placed by the driver, one step at a time, and an adaptive step is chosen by it.
  const bool alone = boundary_.moving() || scene_.adaptive.has_value();
  const std::uint64_t batch = alone ? 1 : Exec::steps_ahead();
  std::uint64_t done = 0;
  // it was over
  if (const std::uint64_t fault = control_.element(0).fault; fault != no_fault) { report_fault(fault); }
  bool over = look_for_end();
  while (!over && done < steps && time() < until && !(stop != nullptr && stop->load(std::memory_order_relaxed))) {
    settle_ledger();
    if (cell_.any()) { prepare_cell(); }
    boundary_.place(exec_, time());
    if (list_spent_) { find_contacts(); }
    const std::uint64_t before = step_;
    const bool first = ledger_.on && !ledger_.started;  // its energy is looked at
    // Contacts are looked at in the first step of a batch alone: that one is surely made.
    const std::uint64_t most =
        std::min({batch, steps - done, list_step_ + most_list_steps - step_, steps_to_look(step_ + 1) + 1});
    const std::uint64_t launched = reserve_stacks(first ? 1 : most);
    cell_ahead_.assign(1, cell_.moment());
    for (std::uint64_t k = 0; k < launched; ++k) {
      if (k > 0 && driver_is_needed(before + k, until)) { break; }
      step(before + k);
    }
    read_control();
    if (first && ledger_.open) { note_start_energy(); }
    done += step_ - before;
    over = look_for_end();
  }
  return done;
}

/// Whether the control of the cell ends the run before the next step. A measure that it needs for this is that of the
/// next step, too.
template <class R>
bool System<R>::look_for_end() {
  if (!cell_.any()) { return false; }
  measure_cell();
  return cell_.ends(clock_.at(step_), cell_measure_);
}

/// Within a batch: whether step `index` cannot be launched before the driver has looked at those before it. Everything
/// that this depends on is known ahead; what only kernels know halts the batch.
template <class R>
bool System<R>::driver_is_needed(std::uint64_t index, double until) {
  const StepTimes times = clock_.at(index);
  if (!(times.now < until)) { return true; }
  if (!cell_.any()) { return false; }
  if (cell_.control().wants_measure(index) || cell_.wants_flip() || cell_.ends(times, cell_measure_)) { return true; }
  return boundary_travel_ + flow_travel(cell_ahead_.size() - 1) > 0.98 * boundary_skin_;
}

/// [m] How far the mean flow of a cell has carried bodies along boundaries at most, in the first so many steps of the
/// batch: for the search as if the boundaries had moved.
template <class R>
double System<R>::flow_travel(std::size_t n_steps) const {
  if (!cell_.any() || !cell_.deforms() || cell_.fully_periodic() || !boundary_.any()) { return 0; }
  double travel = 0;
  for (std::size_t k = 1; k <= n_steps; ++k) {
    travel += CellSystem::fastest_strain(cell_ahead_[k].geometry.gradient) * 2 * reach_ * clock_.next();
  }
  return travel;
}

/// Sees that the load histories find their pages in so many steps, or in fewer; returns how many.
template <class R>
std::uint64_t System<R>::reserve_stacks(std::uint64_t batch) {
  if (!stacks_.any()) { return batch; }
  const std::uint64_t steps = std::min(batch, StackStore<R>::most_steps_ahead);
  stacks_.reserve_for_steps(exec_, pairs_.stack.view(), near_boundary_.stack.view(), steps, step_, rebuilds_);
  return steps;
}

template <class R>
void System<R>::step(std::uint64_t index) {
  if (ledger_.on) { open_ledger_step(); }
  Control* control = control_.data();
  const Vec3<R> gravity{static_cast<R>(scene_.gravity[0]), static_cast<R>(scene_.gravity[1]),
                        static_cast<R>(scene_.gravity[2])};
  PairViews<R> pairs = pair_views();  // with the cell as it stands
  BoundaryContactViews<R> near = boundary_contact_views();
  pairs.lean = near.lean = static_cast<R>(lean_of_step(index));
  for (const auto& law : laws_.laws) { law->boundary_contacts(exec_, near_boundary_.body_of_row.size(), near); }
  look_at_contacts(index);
  const StepTimes times = clock_.at(index);
  const Leapfrog<R> scheme{static_cast<R>(times.next), static_cast<R>(times.kick()), static_cast<R>(scene_.damping)};
  const std::uint64_t moment = scene_.adaptive ? std::bit_cast<std::uint64_t>(times.after) : index + 1;
  const BodyMotion<R> motion{
      view(bodies_),
      wrench_gather(),
      scheme,
      gravity,
      Outlets{outlet_planes_.view(), outlet_regions_.view(), outlet_counts_.view(), quanta_per_mass_, moment},
      control,
      {},
      {},
      {},
      times.next};
  const auto go_with = [&]<bool grouped, bool clumps, bool periodic>(const auto& groups, const auto& cell) {
    contacts_and_motion(
        pairs,
        BodyMotion<R, grouped, clumps, periodic>{motion.bodies, motion.gather, scheme, gravity, motion.outlets, control,
                                                 groups, member_wrench_.view(), cell, times.next},
        times);
  };
  const auto go = [&]<bool grouped, bool clumps>(const auto& groups) {
    if (cell_.any()) {
      go_with.template operator()<grouped, clumps, true>(groups, advance_cell(times));
    } else {
      go_with.template operator()<grouped, clumps, false>(groups, NoCell{});
    }
  };
  if (has_clumps()) { member_wrench_.discard_and_resize(n_bodies_, "clumps"); }
  if (group_rules_.size() > 0) {
    const Grouped<R> groups = groups_of_step(times);
    has_clumps() ? go.template operator()<true, true>(groups) : go.template operator()<true, false>(groups);
  } else {
    has_clumps() ? go.template operator()<false, true>(NoGroups{}) : go.template operator()<false, false>(NoGroups{});
  }
  if (ledger_.on) { close_ledger_step(times); }
  exec_.for_each("end of step", 1, StepEnd{control});
}

template <class R>
template <bool grouped, bool clumps, bool periodic>
void System<R>::contacts_and_motion(const PairViews<R>& pairs, const BodyMotion<R, grouped, clumps, periodic>& motion,
                                    [[maybe_unused]] const StepTimes& times) {
  const std::size_t n_large = n_bodies_ - first_large_;
  const PairItems<R> items{laws_, pairs};
  exec_.for_items_then_each("pair contacts", n_pairs_, items, "gather and move", first_large_, motion,
                            ItemOrder{pairs_.chunk_start.view(), chunk_bodies, pairs_.lowest_slot.view()});
  if (n_large > 0) { move_large(motion); }
  if constexpr (clumps) { move_clumps(motion, times); }
}

template <class R>
template <bool grouped, bool clumps, bool periodic>
void System<R>::move_large(const BodyMotion<R, grouped, clumps, periodic>& motion) {
  const std::size_t n_large = n_bodies_ - first_large_;
  const auto ids_per_part = static_cast<index_t>((n_start_ + n_inserted_ + parts_of_large - 1) / parts_of_large);
  exec_.for_each("gather large bodies", n_large * parts_of_large,
                 LargeGather<R>{motion.gather, pairs_.bodies.view(), bodies_.id.view(), bodies_.radius.view(),
                                ids_per_part, control_.data()});
  exec_.for_each("gather and move", n_large, LaterMotion<R, grouped, clumps, periodic>{motion, first_large_});
}

template <class R>
PairViews<R> System<R>::pair_views() {
  // Contacts are updated by the step that led here.
  return {view(bodies_),
          pairs_.bodies.view(),
          pairs_.shear.view(),
          pairs_.extra.view(),
          laws_.history_size,
          pairs_.force.view(),
          pairs_.couple.view(),
          pairs_.touching.view(),
          laws_.law_of.view(),
          static_cast<std::uint32_t>(scene_.materials.size()),
          static_cast<R>(clock_.at(step_).last),
          control_.data(),
          scene_.no_ratcheting ? R(1) : R(0),
          bonds_broken_.view(),
          cell_pairs(),
          stacks_.view(),
          pairs_.stack.view()};
}

template <class R>
BoundaryContactViews<R> System<R>::boundary_contact_views() {
  return {view(bodies_),
          boundary_.view(),
          near_boundary_.body_of_row.view(),
          near_boundary_.row_start.view(),
          near_boundary_.slot.view(),
          near_boundary_.extra.view(),
          laws_.history_size,
          near_boundary_.couple.view(),
          boundary_wrench_.view(),
          laws_.law_of.view(),
          laws_.holding,
          laws_.hertzian,
          static_cast<std::uint32_t>(scene_.materials.size()),
          static_cast<R>(clock_.at(step_).last),
          control_.data(),
          cell_flow(),
          stacks_.view(),
          near_boundary_.stack.view()};
}

template <class R>
WrenchGather<R> System<R>::wrench_gather() {
  return {pairs_.force.view(),
          pairs_.couple.view(),
          pairs_.incident_start.view(),
          pairs_.incident.view(),
          near_boundary_.row_of_body.view(),
          boundary_wrench_.view(),
          static_cast<R>(large_radius_),
          static_cast<index_t>(first_large_),
          large_part_.view()};
}

template <class R>
void System<R>::read_control() {
  Control control = control_.element(0);
  double travel = 0;
  StepMoves moves;
  const StepTimes times = clock_.at(step_);
  if (boundary_.moving() && control.completed > 0) {
    const Real3& g = scene_.gravity;
    const bool matter = boundary_.loads_matter(times);
    const std::vector<Load> loads = matter ? moving_boundary_loads() : std::vector<Load>(boundary_.n_moving());
    moves = boundary_.finish_step(times, loads, {{g[0], g[1], g[2]}, scene_.damping}, reach_, smallest_radius_);
    travel = moves.most_travel;
  }
  travel += flow_travel(control.completed);
  if (cell_.any() && control.completed + 1 < cell_ahead_.size()) { go_back_in_cell(control.completed); }
  bodies_are_out_ = bodies_are_out_ || control.out_of_cell != 0;
  if (control.completed > 0) { clock_.tick(); }
  step_ += control.completed;
  if (control.completed > 0) { forces_known_ = true; }
  boundary_travel_ += travel;
  list_spent_ =
      control.list_spent != 0 || boundary_travel_ > 0.98 * boundary_skin_ || step_ - list_step_ >= most_list_steps;
  if (control.completed > 0 || control.halted != 0) { control_.set_element(0, Control{.fault = control.fault}); }
  if (control.fault != no_fault) { report_fault(control.fault); }
  for (const FastMove& move : moves.fast) { sweep_past_bodies(move, times.next); }
}

/// Looks whether a boundary that went far in a step of this length [s], which has just been made, met bodies on its
/// way.
template <class R>
void System<R>::sweep_past_bodies(const FastMove& move, double length) {
  swept_pose_.assign(move.pose, "boundaries");
  exec_.for_each("fast boundaries", n_bodies_,
                 BoundarySweep<R>{boundary_.reference_view(), move.boundary, move.travel, swept_pose_.view(),
                                  view(bodies_), length, cell_flow(), control_.data()});
  const std::uint64_t fault = control_.element(0).fault;
  if (fault == no_fault) { return; }
  const auto id = static_cast<index_t>(fault & 0xffffffffu);
  char way[120];
  std::snprintf(way, sizeof way, "at up to %.4g m/s it goes up to %.4g mm in a step of %.4g s", move.travel / length,
                1e3 * move.travel, length);
  throw KernelFault("boundary \"" + scene_.boundaries[move.boundary].name +
                        "\" met it and went past it by more than its radius in one step: " + way +
                        ", which is too long for this speed",
                    step_, {id});
}

/// A batch was halted after so many steps: what the driver has ahead of them goes back there.
template <class R>
void System<R>::go_back_in_cell(std::uint64_t completed) {
  cell_.go_back_to(cell_ahead_[completed]);
  if (!ledger_.on || completed == 0) { return; }
  ledger_.gradient_after = cell_ahead_[completed].geometry.gradient;
  ledger_.gradient_before = cell_ahead_[completed - 1].geometry.gradient;
}

template <class R>
std::vector<Load> System<R>::moving_boundary_loads() {
  const std::size_t n_rows = near_boundary_.body_of_row.size(), n_sums = boundary_.n_moving() * load_components;
  std::vector<Load> loads(boundary_.n_moving());
  if (n_rows == 0) { return loads; }
  const std::size_t most = SCREE_ON_CUDA ? std::max<std::size_t>(1, 16384 / n_sums) : std::size_t(exec_.threads());
  const std::size_t lanes = std::min(most, (n_rows + 255) / 256 * (SCREE_ON_CUDA ? 64 : 1));
  load_sums_.discard_and_resize(lanes * n_sums, "boundary loads");
  moving_loads_.discard_and_resize(n_sums, "boundary loads");
  exec_.for_lanes(
      "boundary loads", lanes, n_rows,
      BoundaryLoadSum<R>{near_boundary_.row_start.view(), near_boundary_.slot.view(), near_boundary_.couple.view(),
                         boundary_.view().feature, boundary_.place_among_moving(), n_rows, lanes, boundary_.n_moving(),
                         load_sums_.view()});
  if (lanes > 1) {
    exec_.for_each("boundary loads", n_sums * exact_sum_words, BoundaryLoadMerge{load_sums_.view(), lanes, n_sums});
  }
  exec_.for_each("boundary loads", n_sums, BoundaryLoadRound{load_sums_.view(), moving_loads_.view()});
  const std::vector<double> sums = moving_loads_.to_vector();
  for (std::size_t m = 0; m < loads.size(); ++m) {
    const double* sum = &sums[m * load_components];
    loads[m] = {{sum[0], sum[1], sum[2]}, {sum[3], sum[4], sum[5]}};
  }
  return loads;
}

template <class R>
void System<R>::report_fault(std::uint64_t fault) {
  const auto kind = static_cast<FaultKind>(fault >> 32);
  const auto id = static_cast<index_t>(fault & 0xffffffffu);
  std::vector<std::uint32_t> ids{id};
  std::string what;
  switch (kind) {
    case FaultKind::not_finite: what = "the velocity is no longer a finite number"; break;
    case FaultKind::moved_too_far: what = "it moved more than its radius in one step"; break;
    case FaultKind::deep_overlap: what = "another particle's surface passed its centre, or the reverse"; break;
    case FaultKind::crossed_boundary: what = "its centre passed through a boundary"; break;
    case FaultKind::outran: what = "a boundary met it and went past it by more than its radius in one step"; break;
  }
  throw KernelFault(what + "; the time step is too large, the material too soft, or the start was overlapping", step_,
                    std::move(ids));
}

template std::uint64_t System<float>::advance(std::uint64_t, const std::atomic<bool>*, double);
template std::uint64_t System<double>::advance(std::uint64_t, const std::atomic<bool>*, double);
template WrenchGather<float> System<float>::wrench_gather();
template WrenchGather<double> System<double>::wrench_gather();
template BoundaryContactViews<float> System<float>::boundary_contact_views();
template BoundaryContactViews<double> System<double>::boundary_contact_views();
template PairViews<float> System<float>::pair_views();
template PairViews<double> System<double>::pair_views();

}  // namespace scree::inline SCREE_BACKEND
