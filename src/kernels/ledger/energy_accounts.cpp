#include "kernels/ledger/energy_accounts.hpp"

#include <algorithm>

#include "kernels/archive/state_io.hpp"
#include "kernels/contact/ledger_contacts.hpp"
#include "kernels/contact/ledger_motion.hpp"
#include "kernels/integrators/rotation.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

template <class R>
KineticEnergy kinetic_energy(R inverse_mass, R inverse_inertia, R radius, const Vec3<R>& velocity,
                             const Vec3<R>& spin) {
  const Vec3d v = convert<double>(velocity), w = convert<double>(spin);
  return {0.5 * ledger_mass(inverse_mass, inverse_inertia, radius) * dot(v, v),
          0.5 / double(inverse_inertia) * dot(w, w)};
}

/// Adds the energies [J] in the springs of all touching contacts: those of the normal springs to `normal`, all others
/// to `stored`. `extra` has a row of `width` numbers for each contact.
template <class R>
void add_springs(const Buffer<R>& extra, std::uint32_t width, const std::vector<std::uint8_t>& touching,
                 ExactSum& normal, ExactSum& stored) {
  std::vector<R> all = extra.to_vector();
  const LedgerPlace<R> place{{all.data(), all.size()}, width};
  for (std::size_t contact = 0; contact < touching.size(); ++contact) {
    if (touching[contact] == 0) { continue; }
    const LedgerEntry<R> entry = place.entry(contact);
    normal.add(double(entry.normal));
    stored.add(double(entry.stored));
  }
}

}  // namespace

template <class R>
LedgerBodies<R> EnergyAccounts<R>::bodies(RunState<R>& run) {
  return {view(run.bodies), velocity_before_.view(), spin_before_.view(), inverse_mass_before_.view(), kinetic_.view()};
}

template <class R>
EnergyAccounts<R>::EnergyAccounts(const RunState<R>& run) {
  if (!run.scene.energies) { return; }
  on_ = true;
  lanes_.assign(std::vector<LedgerSums>(SCREE_ON_CUDA ? 2048 : std::size_t(run.exec.threads())), "energy ledger");
  damped_ = run.scene.integration.damping != 0 || run.scene.integration.viscous_damping != 0;
  for (const SceneGroup& group : run.scene.groups) { damped_ = damped_ || group.damping != 0; }
}

template <class R>
void EnergyAccounts<R>::open(RunState<R>& run) {
  if (open_) { add_half(run, true); }
  open_ = false;
  velocity_before_.discard_and_resize(run.count.bodies, "energy ledger");
  spin_before_.discard_and_resize(run.count.bodies, "energy ledger");
  inverse_mass_before_.discard_and_resize(run.count.bodies, "energy ledger");
  kinetic_.discard_and_resize(run.count.bodies, "energy ledger");
  run.exec.for_each("energy ledger", run.count.bodies, LedgerBefore<R>{bodies(run), run.control.data()});
}

template <class R>
void EnergyAccounts<R>::add_half(RunState<R>& run, bool after) {
  const WorkHalf half{after};
  const Span<LedgerSums> lanes = lanes_.view();
  const auto single = [](double value) { return double(static_cast<R>(value)); };
  const Vec3d gravity{single(run.scene.gravity[0]), single(run.scene.gravity[1]), single(run.scene.gravity[2])};
  const std::size_t n = kinetic_.size();  // without bodies that were inserted after the step
  const GroupTable<R> groups = run.groups.table();
  const LedgerFlow flow{.any = run.cell.any() && run.cell.deforms(), .origin = run.cell.origin()};
  run.exec.for_lanes("energy ledger", lanes.size, n,
                     in_step(run, LedgerMotion<R>{.of = bodies(run),
                                                  .gather = wrench_gather(run),
                                                  .groups = groups,
                                                  .gravity = gravity,
                                                  .damped = damped_,
                                                  .flow = flow,
                                                  .half = half,
                                                  .lanes = lanes,
                                                  .n = n,
                                                  .control = run.control.data()}));
  if (run.clumps.any()) {
    clump_kinetic_.discard_and_resize(clump_steps_.size(), "energy ledger");
    run.exec.for_lanes("energy ledger", lanes.size, clump_steps_.size(),
                       in_step(run, LedgerClumps<R>{.steps = clump_steps_.view(),
                                                    .kinetic = clump_kinetic_.view(),
                                                    .groups = groups,
                                                    .gravity = gravity,
                                                    .viscous_damping = run.scene.integration.viscous_damping,
                                                    .damped = damped_,
                                                    .flow = flow,
                                                    .half = half,
                                                    .lanes = lanes,
                                                    .control = run.control.data()}));
  }
  if (run.modes.any()) {
    run.exec.for_lanes("energy ledger", lanes.size, clump_steps_.size(),
                       in_step(run, LedgerModes<R>{.steps = mode_steps_.view(),
                                                   .energies = mode_energies_.view(),
                                                   .clump_steps = clump_steps_.view(),
                                                   .stride = run.modes.stride(),
                                                   .half = half,
                                                   .flow = flow,
                                                   .lanes = lanes,
                                                   .control = run.control.data()}));
  }
  const LedgerPlace<R> pairs{run.contacts.pairs.rows.extra.view(), run.laws.history_size};
  run.exec.for_lanes("energy ledger", lanes.size, run.contacts.pairs.size(),
                     in_step(run, LedgerPairs<R>{.of = bodies(run),
                                                 .place = pairs,
                                                 .pairs = run.contacts.pairs.bodies.view(),
                                                 .force = run.contacts.pairs.force.view(),
                                                 .touching = run.contacts.pairs.touching.view(),
                                                 .flow = flow,
                                                 .half = half,
                                                 .lanes = lanes,
                                                 .n = run.contacts.pairs.size(),
                                                 .control = run.control.data()}));
  if (!run.boundary.any()) { return; }
  // The step changes the velocities of driven boundaries, as it changes those of particles.
  const bool changed = after && run.boundary.moving();
  const Span<Pose> pose = changed ? run.boundary.pose_of_forces() : run.boundary.view().pose;
  const std::size_t n_rows = run.contacts.near.body_of_row.size();
  const LedgerPlace<R> slots{run.contacts.near.rows.extra.view(), run.laws.history_size};
  run.exec.for_lanes("energy ledger", lanes.size, n_rows,
                     in_step(run, LedgerBoundaries<R>{.of = bodies(run),
                                                      .place = slots,
                                                      .boundaries = run.boundary.view(),
                                                      .pose = pose,
                                                      .body_of_row = run.contacts.near.body_of_row.view(),
                                                      .row_start = run.contacts.near.row_start.view(),
                                                      .slots = run.contacts.near.slot.view(),
                                                      .flow = flow,
                                                      .half = half,
                                                      .lanes = lanes,
                                                      .n = n_rows,
                                                      .control = run.control.data()}));
}

template <class R>
void EnergyAccounts<R>::close(RunState<R>& run) {
  add_half(run, false);
  open_ = true;
}

template <class R>
void EnergyAccounts<R>::settle(RunState<R>& run) {
  if (!open_) { return; }
  run.plan.hold(run, made_);
  add_half(run, true);
  open_ = false;
  note_inserted(run, kinetic_.size(), clump_steps_.size());  // while the account was open, this waited
}

/// Adds the energies of the bodies from `first` on and of the clumps from `first_clump` on, from their present
/// velocities and amplitudes.
template <class R>
void EnergyAccounts<R>::add_present_energies(RunState<R>& run, std::size_t first, std::size_t first_clump,
                                             EnergyLedger& sums) const {
  ExactSum translation, rotation, vibration, deformation;
  const auto inverse_mass = run.bodies.inverse_mass().to_vector(),
             inverse_inertia = run.bodies.inverse_inertia().to_vector();
  const auto velocity = run.bodies.velocity().to_vector(), spin = run.bodies.angular_velocity().to_vector();
  const auto radius = run.bodies.radius().to_vector();
  for (std::size_t i = first; i < run.count.bodies; ++i) {
    if (is_member(inverse_inertia[i])) { continue; }
    const KineticEnergy own = kinetic_energy(inverse_mass[i], inverse_inertia[i], radius[i], velocity[i], spin[i]);
    translation.add(own.translation);
    rotation.add(own.rotation);
  }
  if (run.clumps.any()) {
    const auto mass = run.clumps.fields.mass.to_vector();
    const auto v = run.clumps.fields.velocity.to_vector(), w = run.clumps.fields.angular_velocity.to_vector(),
               inertia = run.clumps.fields.inertia.to_vector();
    const auto orientation = run.clumps.fields.orientation.to_vector();
    for (std::size_t c = first_clump; c < mass.size(); ++c) {
      if (mass[c] == 0) { continue; }
      translation.add(0.5 * mass[c] * dot(v[c], v[c]));
      rotation.add(rotation_energy(Rotor<double>{orientation[c], w[c], {}}, inertia[c]));
    }
    for (const ModeEnergy& modes : run.modes.energies(run, first_clump)) {
      vibration.add(modes.vibration);
      deformation.add(modes.elastic);
    }
  }
  sums.kinetic_translation = translation.value();
  sums.kinetic_rotation = rotation.value();
  sums.vibration = vibration.value();
  sums.deformation = deformation.value();
}

template <class R>
void EnergyAccounts<R>::note_inserted(RunState<R>& run, std::size_t first, std::size_t first_clump) {
  if (!on_ || open_ || run.step == 0 || first == run.count.bodies) { return; }
  EnergyLedger inserted;
  add_present_energies(run, first, first_clump, inserted);
  LedgerSums sums = lanes_.element(0);
  for (const double energy :
       {inserted.kinetic_translation, inserted.kinetic_rotation, inserted.vibration, inserted.deformation}) {
    sums.of(LedgerTerm::removed).add(-energy);
  }
  lanes_.set_element(0, sums);
}

/// The sums over all lanes, in the one form that does not depend on the number of lanes.
template <class R>
LedgerSums EnergyAccounts<R>::sums() const {
  LedgerSums sums{};
  for (const LedgerSums& lane : lanes_.to_vector()) {
    for (std::size_t t = 0; t < n_ledger_terms; ++t) { sums.term[t].add(lane.term[t]); }
  }
  sums.carry();
  return sums;
}

template <class R>
LedgerSteps EnergyAccounts<R>::steps(const RunState<R>& run) {
  if (!on_) { return {}; }
  const std::size_t n = run.clumps.size();
  clump_steps_.discard_and_resize(n, "energy ledger");
  if (run.modes.any()) {
    mode_steps_.discard_and_resize(n * run.modes.stride(), "energy ledger");
    mode_energies_.discard_and_resize(n, "energy ledger");
  }
  return {clump_steps_.view(), mode_steps_.view(), mode_energies_.view()};
}

template <class R>
std::uint64_t EnergyAccounts<R>::bytes() const {
  return velocity_before_.bytes() + spin_before_.bytes() + inverse_mass_before_.bytes() + kinetic_.bytes() +
         lanes_.bytes() + mode_steps_.bytes() + mode_energies_.bytes();
}

template <class R>
EnergyLedger EnergyAccounts<R>::energies(RunState<R>& run) {
  SCREE_EXPECT(on_, "the run keeps no energy ledger");
  EnergyLedger result;
  if (run.step == 0) {  // no forces are known yet
    add_present_energies(run, 0, 0, result);
    return result;
  }
  if (!open_) {
    SCREE_EXPECT(saved_step_ == run.step, "energies are not known between a search and the next step");
    return saved_;
  }
  LedgerSums all = sums();
  ExactSum translation, rotation, vibration, deformation, normal, stored;
  for (const KineticEnergy& k : kinetic_.to_vector()) {
    translation.add(k.translation);
    rotation.add(k.rotation);
  }
  for (const KineticEnergy& k : clump_kinetic_.to_vector()) {
    translation.add(k.translation);
    rotation.add(k.rotation);
  }
  for (const ModeEnergy& modes : mode_energies_.to_vector()) {
    vibration.add(modes.vibration);
    deformation.add(modes.elastic);
  }
  add_springs(run.contacts.pairs.rows.extra, run.laws.history_size, run.contacts.pairs.touching.to_vector(), normal,
              stored);
  if (run.boundary.any()) {
    std::vector<std::uint8_t> touching;
    for (const BoundarySlot<R>& slot : run.contacts.near.slot.to_vector()) {
      touching.push_back(slot.touching != 0 ? 1 : 0);
    }
    add_springs(run.contacts.near.rows.extra, run.laws.history_size, touching, normal, stored);
  }
  const auto total = [&](LedgerTerm term) { return all.of(term).value(); };
  result.kinetic_translation = translation.value();
  result.kinetic_rotation = rotation.value();
  result.vibration = vibration.value();
  result.deformation = deformation.value();
  result.elastic = normal.value() + stored.value();
  result.gravity = total(LedgerTerm::gravity);
  result.boundaries = total(LedgerTerm::boundaries);
  result.groups = total(LedgerTerm::groups);
  result.cell = total(LedgerTerm::cell);
  result.friction = total(LedgerTerm::friction);
  result.viscous = total(LedgerTerm::viscous);
  result.damping = total(LedgerTerm::damping);
  result.modes = total(LedgerTerm::modes);
  result.breakage = total(LedgerTerm::breakage);
  result.parting = total(LedgerTerm::gained) - stored.value();
  result.removed = total(LedgerTerm::removed);
  const double held =
      result.kinetic_translation + result.kinetic_rotation + result.elastic + result.vibration + result.deformation;
  const double lost = result.friction + result.viscous + result.damping + result.modes + result.breakage +
                      result.parting + result.removed;
  result.error = (held + lost) - (result.gravity + result.boundaries + result.groups + result.cell) - start_;
  return result;
}

template <class R>
void EnergyAccounts<R>::note_start(RunState<R>& run) {
  started_ = true;
  start_ = 0;
  start_ = energies(run).error;
}

/// Adds the second halves of the last step first. Then no values of bodies need to be saved.
template <class R>
void EnergyAccounts<R>::save(RunState<R>& run, StateWriter& out) {
  if (!on_) { return; }
  saved_ = energies(run);
  saved_step_ = run.step;
  settle(run);
  LedgerSums all = sums();
  std::uint64_t started = started_ ? 1 : 0;
  out("ledger/started", "1", started);
  out("ledger/start", "J", start_);
  out.rows(
      "ledger/sums", "2^-1074 J", n_ledger_terms, [&](std::size_t t) -> const auto& { return all.term[t]; });
  out("ledger/energies", "J", saved_);
}

template <class R>
void EnergyAccounts<R>::restore(const RunState<R>& run, StateReader& in) {
  bool was_started = false;
  double start = 0;
  EnergyLedger saved;
  LedgerSums sums{};
  if (in.has("ledger/sums")) {
    std::uint64_t started = 0;
    in("ledger/started", "", started);
    in("ledger/start", "", start);
    in.rows(
        "ledger/sums", "", n_ledger_terms, [&](std::size_t t) -> auto& { return sums.term[t]; });
    in("ledger/energies", "", saved);
    for (const ExactSum& sum : sums.term) {
      const bool carried = std::all_of(std::begin(sum.digit), std::end(sum.digit), [](std::int64_t d) {
        return d < std::int64_t(1) << 62 && d > -(std::int64_t(1) << 62);
      });
      expect_state(carried && sum.not_finite == 0, "ledger/sums are no sums");
    }
    was_started = started != 0;
  }
  open_ = false;
  if (!on_) { return; }
  start_ = start;
  started_ = was_started;
  saved_ = saved;
  saved_step_ = run.step;
  std::vector<LedgerSums> lanes(lanes_.size());
  lanes.front() = sums;
  lanes_.assign(lanes, "energy ledger");
}

template class EnergyAccounts<float>;
template class EnergyAccounts<double>;

}  // namespace scree::inline SCREE_BACKEND
