#include "kernels/system.hpp"

#include <algorithm>
#include <utility>

#include "kernels/motion/sweep.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

template <class R>
void make_later_bonds(RunState<R>& run) {
  for (RunLaw<R>* law : run.laws.among_particles) {
    law->make_later_bonds(run.exec, run.contacts.pairs.size(), pair_views_of_steps(run),
                          run.plan.moments(run.control.data()), run.contacts.bonds_made.view(), bond_making(run));
  }
}

}  // namespace

/// Launches a step of the batch. The parameters of the launches are the same in all its steps. Only the first step of a
/// batch checks the contacts, if a check is due. The search for nodes comes first: if the pool of nodes is too small,
/// the batch halts before this step has changed anything.
template <class R>
void System<R>::step(InBatch place) {
  const bool is_first = place == InBatch::first;
  if (run_.cell.any()) {
    run_.exec.for_each("periodic cell", n_images, in_step(run_, ImageShifts{{}, run_.in_cell.shift.view()}));
  }
  moving_.begin_step(run_);
  run_.grains.find(run_, is_first);
  if (energies_.on()) { energies_.open(run_); }
  if (run_.laws.later_bonds) { make_later_bonds(run_); }
  BoundaryContactViews<R> near = boundary_contact_views_of_steps(run_);
  near.ledger = energies_.of_boundaries(run_);
  if (run_.losses.noted()) { near.ledger.losses = run_.losses.of_boundaries(run_.contacts.near.slot.size()); }
  run_.laws.touch_boundaries(run_.exec, run_.contacts.near.body_of_row.size(), near,
                             run_.plan.moments(run_.control.data()));
  if (is_first && limits_.look(run_, run_.step)) { plan(1); }  // the length of the step has changed
  run_.faces.add(run_);
  if (run_.heat.any()) { run_.heat.flow(run_); }
  run_.membranes.press(run_);  // the ledger has read the forces of the last step
  run_.fluid.push(run_);
  const bool ends_in_sweep = !energies_.on() && !run_.boundary.moving() && !run_.heat.any() && !run_.films.any();
  if (sweep(run_, energies_.steps(run_), ends_in_sweep)) { return; }
  run_.losses.step(run_, energies_.speeds_before());
  run_.collisions.step(run_, energies_.speeds_before());
  if (run_.heat.any()) { run_.heat.step(run_, energies_.speeds_before()); }
  run_.films.step(run_);
  if (energies_.on()) { energies_.close(run_); }
  moving_.end_step(run_);
}

template <class R>
std::uint64_t System<R>::advance(std::uint64_t steps, const std::atomic<bool>* stop, double until) {
  std::uint64_t done = 0;
  // A run that has ended with a fault cannot continue.
  if (run_.seen.fault != no_fault) { report_fault(run_.seen.fault); }
  bool over = ends();
  while (!over && done < steps && run_.time() < until && !(stop != nullptr && stop->load(std::memory_order_relaxed))) {
    prepare_step();
    const std::uint64_t before = run_.step, stage = run_.cell.stage_to_watch();
    const bool first = energies_.begins();  // one step alone: after it the energy of the start is noted
    plan(reserve_stacks(first ? 1 : batch_length(steps - done)), until);
    make_steps();
    read_control();
    if (first && energies_.is_open()) { energies_.note_start(run_); }
    done += run_.step - before;
    over = ends() || run_.cell.stage_to_watch() != stage;
  }
  return done;
}

/// Launches all planned steps. The first one is launched separately if it checks contacts, or makes room for contacts
/// of nodes.
template <class R>
void System<R>::make_steps() {
  std::size_t left = run_.plan.size();
  moving_.begin_batch(run_);
  if (run_.grains.any() || StepLimits<R>::steps_to_look(run_, run_.step) == 0) {
    step(InBatch::first);
    --left;
  }
  const std::uint64_t key =
      (run_.boundary.loads_matter() ? 1u : 0u) | (run_.contacts.stacks.least_free() > 0 ? 2u : 0u);
  graph_.run(run_.exec, left, key, [&] { step(InBatch::later); });
}

/// The work of the driver between two batches of steps.
template <class R>
void System<R>::prepare_step() {
  if (run_.cell.any()) { run_.in_cell.prepare(run_, limits_.pair_stiffness()); }
  energies_.settle_for_step(run_);
  run_.faces.carry_in_time(run_);
  run_.heat.carry_in_time(run_);
  run_.collisions.carry_in_time(run_);
  if (!run_.lists.spent) { return; }
  run_.boundary.place(run_.exec, run_.time());
  run_.collisions.before_search(run_);
  search_.find(run_);
  run_.collisions.after_search(run_);
  run_.outlets.reserve(run_.count.bodies);
  run_.faces.note_lists(run_);
}

template <class R>
bool System<R>::ends() {
  return run_.cell.any() && run_.in_cell.look_for_end(run_, limits_.pair_stiffness());
}

namespace {
/// The length of a batch if the lists may be spent at any time.
constexpr std::uint64_t few_steps = 4;
}  // namespace

/// If launches are asynchronous, the driver launches a batch of steps before it looks at any result. Kernels halt the
/// batch when they need the driver. The driver chooses an adaptive step, so batches then have one step. Steps after a
/// spent list are launched in vain, so batches become shorter when a list is about to reach the age of the one before.
template <class R>
std::uint64_t System<R>::batch_length(std::uint64_t steps_left) const {
  std::uint64_t batch = run_.scene.adaptive ? 1 : Exec::steps_ahead();
  if (const std::uint64_t life = run_.lists.life, age = run_.step - run_.lists.step; life > 0 && batch > few_steps) {
    batch = std::clamp(life > age ? life - age : 0, few_steps, batch);
  }
  // Contacts are checked only in the first step of a batch, because only this step is made for certain.
  const std::uint64_t to_look = StepLimits<R>::steps_to_look(run_, run_.step + 1) + 1;
  return std::min({batch, steps_left, run_.lists.step + most_list_steps - run_.step, to_look});
}

/// Plans a batch of at most `most_steps` steps: all values that change from step to step and that the driver knows.
template <class R>
void System<R>::plan(std::uint64_t most_steps, double until) {
  run_.plan.begin(run_, energies_.made());
  run_.plan.add(run_);
  while (run_.plan.size() < most_steps && plan_step(run_.step + run_.plan.size(), until)) {}
  run_.plan.send(run_);
}

/// Ensures enough pages of load histories for `batch` steps, or for fewer. Returns the number of these steps.
template <class R>
std::uint64_t System<R>::reserve_stacks(std::uint64_t batch) {
  ContactLists<R>& contacts = run_.contacts;
  if (!contacts.stacks.any()) { return batch; }
  return contacts.stacks.reserve_for_steps(run_.exec, contacts.pairs.rows.stack.view(), contacts.near.rows.stack.view(),
                                           batch, run_.step, run_.lists.rebuilds);
}

/// Adds step `index` to the plan, unless the driver must first see the results of the steps before it. Then the plan is
/// complete. All that this depends on is known ahead; events that only kernels know halt the batch. Returns whether the
/// step was added.
template <class R>
bool System<R>::plan_step(std::uint64_t index, double until) {
  const StepTimes times = run_.clock.at(index);
  if (!(times.now < until)) { return false; }
  if (run_.boundary.plan_is_fast() || run_.plan.travel() > run_.lists.travel_left()) { return false; }
  if (run_.cell.any()) {
    CellSystem& cell = *run_.in_cell.planned;
    if (cell.control().wants_measure(index) || cell.wants_flip()) { return false; }
    const std::uint64_t stage = cell.stage_to_watch();
    if (cell.ends(times, run_.in_cell.measure) || cell.stage_to_watch() != stage) { return false; }
    if (cell.control().wants_measure(index)) { return false; }  // for a stage that begins in the planned cell
  }
  run_.plan.add(run_);
  return true;
}

/// Reads the results of the kernels of a batch.
template <class R>
void System<R>::read_control() {
  const Control control = run_.control.element(0);
  ListState& lists = run_.lists;
  const Control before = std::exchange(run_.seen, control);
  const std::uint64_t made = control.completed - before.completed;
  const bool moves = run_.boundary.moving() && made > 0;
  const StepTimes times = run_.clock.at(run_.step + std::max<std::uint64_t>(made, 1) - 1);  // of the last step made
  const bool fast = moves && (control.fast != 0 || (made == run_.plan.size() && run_.boundary.plan_is_fast()));
  lists.boundary_travel +=
      moves ? control.boundary_travel - before.boundary_travel : run_.in_cell.flow_travel(run_, made);
  if (moves) { run_.boundary.note_steps(); }
  if (run_.cell.any()) { run_.cell.go_to(run_.in_cell.ahead.at(made)); }
  if (energies_.on() && made > 0) { energies_.note_made(run_.plan.step(made - 1).ledger); }
  run_.in_cell.some_are_out = run_.in_cell.some_are_out || control.out_of_cell != 0;
  if (made > 0) {
    run_.clock.tick();
    run_.contacts.stacks.note_free(control.free_pages);
  }
  run_.step += made;
  if (made > 0) { run_.forces_known = true; }
  lists.spent = control.list_spent != 0 || lists.travel_left() < 0 || run_.step - lists.step >= most_list_steps ||
                (lists.wide && made > 0);
  if (control.list_spent != 0) { lists.life = run_.step - lists.step; }
  if (control.halted != 0) {
    Control seen;  // nvcc takes designated values of an assignment by their order
    seen.fault = control.fault, seen.completed = control.completed, seen.boundary_travel = control.boundary_travel;
    run_.seen = seen;
    run_.control.set_element(0, run_.seen);
  }
  if (control.fault != no_fault) { report_fault(control.fault); }
  if (!fast) { return; }
  for (const FastMove& move : run_.boundary.fast_moves(times, run_.lists.reach, run_.expected.smallest_radius)) {
    moving_.sweep(run_, move, times.next);
  }
}

namespace {

/// The boundaries that a body touches, in their order. For a member of a clump these are the boundaries that the clump
/// touches.
template <class R>
std::vector<std::uint32_t> boundaries_of(RunState<R>& run, std::uint32_t id, bool of_clump = false) {
  std::vector<std::uint32_t> found;
  if (!run.forces_known) { return found; }
  std::uint32_t end = id + 1;
  if (of_clump && run.clumps.any()) {
    const auto first = run.clumps.fields.first.to_vector();
    const auto shape = run.clumps.fields.shape.to_vector(), start = run.clumps.shape_start.to_vector();
    const auto clump = static_cast<std::size_t>(std::find(first.begin(), first.end(), id) - first.begin());
    if (clump < first.size()) { end = id + start[shape[clump] + 1] - start[shape[clump]]; }
  }
  for (const TouchingContact& contact : touching_contacts(run)) {
    if (contact.with_boundary && contact.second >= id && contact.second < end) { found.push_back(contact.first); }
  }
  return found;
}

/// "its centre passed through boundary "lid"", with possible causes other than the step and the material.
template <class R>
std::string crossing_text(RunState<R>& run, std::uint32_t id, std::string& causes) {
  std::string names;
  for (const std::uint32_t b : boundaries_of(run, id)) {
    const SceneBoundary& boundary = run.scene.boundaries[b];
    const std::string name = "\"" + boundary.name + "\"";
    if (names.find(name) != std::string::npos) { continue; }  // several facets of one mesh
    names += (names.empty() ? "" : " or ") + name;
    if (boundary.moves() && !boundary.drive) { causes = ", or the motion of " + name + " crushes the particles"; }
  }
  return names.empty() ? "its centre passed through a boundary" : "its centre passed through boundary " + names;
}

/// Explains why the temperature of a body is not above 0 K. `id` is the id of a sphere, or of the first member of a
/// clump.
template <class R>
std::string cooling_text(RunState<R>& run, std::uint32_t id) {
  std::string names;
  for (const std::uint32_t b : boundaries_of(run, id, true)) {
    const SceneBoundary& boundary = run.scene.boundaries[b];
    const std::string name = "\"" + boundary.name + "\"";
    if (!(boundary.heat_flux.value_or(0) < 0) || names.find(name) != std::string::npos) { continue; }
    names += (names.empty() ? "" : " and ") + name;
  }
  if (names.empty()) { return "it would cool below 0 K: more heat is taken from it than it has"; }
  return "it would cool below 0 K: the \"heat_flux\" of boundary " + names +
         " takes more heat from it than it has; make the flux weaker, or give the boundary a \"temperature\"";
}

}  // namespace

template <class R>
void System<R>::report_fault(std::uint64_t fault) {
  const auto kind = static_cast<FaultKind>(fault >> 32);
  const auto id = static_cast<index_t>(fault & 0xffffffffu);
  std::string what, causes;
  switch (kind) {
    case FaultKind::not_finite: what = "the velocity is no longer a finite number"; break;
    case FaultKind::moved_too_far: what = "it moved more than its radius in one step"; break;
    case FaultKind::deep_overlap: what = "another particle's surface passed its centre, or the reverse"; break;
    case FaultKind::crossed_boundary: what = crossing_text(run_, id, causes); break;
    case FaultKind::bulged: what = "it is deformed so much that it sticks out of the ball that is kept for it"; break;
    case FaultKind::heated_too_fast:
      throw KernelFault(
          "its temperature follows its surroundings in less than a step: shorten the time step, or give "
          "its material a larger heat capacity or a smaller conductivity",
          run_.step, {id});
    case FaultKind::cooled_to_zero: throw KernelFault(cooling_text(run_, id), run_.step, {id});
    case FaultKind::outran: what = "a boundary met it and went past it by more than its radius in one step"; break;
  }
  throw KernelFault(what + "; the time step is too large, the material too soft" + (causes.empty() ? ", or" : ",") +
                        " the start was overlapping" + causes,
                    run_.step, {id});
}

template <class R>
void System<R>::insert(const ParticleSet& particles) {
  const std::size_t first = run_.count.bodies, first_clump = run_.clumps.size();
  insert_bodies(run_, particles);
  energies_.note_inserted(run_, first, first_clump);
}

template <class R>
void System<R>::remove(const std::vector<std::uint32_t>& ids, std::uint32_t outlet) {
  SCREE_EXPECT(outlet < run_.outlets.counts.size(), "there is no such outlet");
  if (ids.empty()) { return; }
  RunState<R>& run = steered();
  const std::vector<index_t> places = places_of_spheres(run, ids);
  energies_.note_removed(run, places);
  remove_bodies(run, places, outlet);
}

template <class R>
SearchReport System<R>::search_neighbours() {
  run_.lists.spent = true;
  prepare_step();
  run_.forces_known = false;
  const std::uint64_t tests = search_.count_tests(run_);
  return {run_.count.bodies, tests, run_.contacts.pairs.size()};
}

template <class R>
std::vector<MemoryItem> System<R>::memory() const {
  return memory_of(run_, {.ledger = energies_.bytes(),
                          .step_limits = limits_.bytes(),
                          .moving_boundaries = moving_.bytes(),
                          .search = search_.bytes(),
                          .carried = search_.carried_bytes(),
                          .carried_stacks = search_.carried_stack_bytes(),
                          .search_in_cell = search_.cell_bytes()});
}

template class System<float>;
template class System<double>;

}  // namespace scree::inline SCREE_BACKEND
