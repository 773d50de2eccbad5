#include <algorithm>

#include "kernels/archive/state_io.hpp"
#include "kernels/integrators/rotation.hpp"
#include "kernels/system.hpp"
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

void keep_poses(BoundarySystem& boundaries, Buffer<Pose>& kept) {
  const Span<Pose> pose = boundaries.view().pose;
  kept.discard_and_resize(pose.size, "energy ledger");
  if (pose.size > 0) { copy_within_backend(kept.data(), pose.data, pose.size * sizeof(Pose)); }
}

}  // namespace

template <class R>
LedgerBodies<R> System<R>::ledger_bodies() {
  return {view(bodies_), ledger_.velocity_before.view(), ledger_.spin_before.view(), ledger_.inverse_mass_before.view(),
          ledger_.kinetic.view()};
}

template <class R>
void System<R>::begin_ledger() {
  ledger_.on = true;
  ledger_.lanes.assign(std::vector<LedgerSums>(SCREE_ON_CUDA ? 2048 : std::size_t(exec_.threads())), "energy ledger");
  ledger_.damped = scene_.damping != 0 || scene_.viscous_damping != 0;
  for (const SceneGroup& group : scene_.groups) { ledger_.damped = ledger_.damped || group.damping != 0; }
}

template <class R>
void System<R>::open_ledger_step() {
  settle_ledger();
  ledger_.velocity_before.discard_and_resize(n_bodies_, "energy ledger");
  ledger_.spin_before.discard_and_resize(n_bodies_, "energy ledger");
  ledger_.inverse_mass_before.discard_and_resize(n_bodies_, "energy ledger");
  ledger_.kinetic.discard_and_resize(n_bodies_, "energy ledger");
  exec_.for_each("energy ledger", n_bodies_, LedgerBefore<R>{ledger_bodies(), control_.data()});
  keep_poses(boundary_, ledger_.pose);
}

template <class R>
void System<R>::add_ledger_half(bool after) {
  const bool first = ledger_.last == 0;
  const WorkHalf half{after, 0.5 * (after ? ledger_.next : ledger_.last)};
  const Span<LedgerSums> lanes = ledger_.lanes.view();
  const auto single = [](double value) { return double(static_cast<R>(value)); };
  const Vec3d gravity{single(scene_.gravity[0]), single(scene_.gravity[1]), single(scene_.gravity[2])};
  const std::size_t n = ledger_.kinetic.size();  // those that were inserted since then had no step yet
  const GroupTable<R> groups{group_rules_.view(), group_of_id_.view()};
  const LedgerFlow flow{cell_.any() && cell_.deforms(), after ? ledger_.gradient_after : ledger_.gradient_before,
                        ledger_.gradient_after, cell_.origin()};
  exec_.for_lanes("energy ledger", lanes.size, n,
                  LedgerMotion<R>{ledger_bodies(), wrench_gather(), groups, gravity, ledger_.kick,
                                  first ? ledger_.next : ledger_.kick, first ? 0.0 : ledger_.next - ledger_.last,
                                  ledger_.damped, flow, half, lanes, n, control_.data()});
  if (has_clumps()) {
    ledger_.clump_kinetic.discard_and_resize(ledger_.clump_steps.size(), "energy ledger");
    exec_.for_lanes(
        "energy ledger", lanes.size, ledger_.clump_steps.size(),
        LedgerClumps<R>{ledger_.clump_steps.view(), ledger_.clump_kinetic.view(), groups, gravity, ledger_.kick,
                        first ? ledger_.next : ledger_.kick, first ? 0.0 : ledger_.next - ledger_.last,
                        scene_.viscous_damping, first, ledger_.damped, flow, half, lanes, control_.data()});
  }
  const LedgerPlace<R> pairs{pairs_.extra.view(), laws_.history_size};
  exec_.for_lanes("energy ledger", lanes.size, n_pairs_,
                  LedgerPairs<R>{ledger_bodies(), pairs, pairs_.bodies.view(), pairs_.force.view(),
                                 pairs_.touching.view(), flow, half, lanes, n_pairs_, control_.data()});
  if (!boundary_.any()) { return; }
  const std::size_t n_rows = near_boundary_.body_of_row.size();
  const LedgerPlace<R> slots{near_boundary_.extra.view(), laws_.history_size};
  exec_.for_lanes("energy ledger", lanes.size, n_rows,
                  LedgerBoundaries<R>{ledger_bodies(), slots, boundary_.view(), ledger_.pose.view(),
                                      near_boundary_.body_of_row.view(), near_boundary_.row_start.view(),
                                      near_boundary_.slot.view(), flow, half, lanes, n_rows, control_.data()});
}

template <class R>
void System<R>::close_ledger_step(const StepTimes& times) {
  const auto single = [](double value) { return double(static_cast<R>(value)); };
  ledger_.last = times.step > 0 ? single(times.last) : 0;
  ledger_.next = single(times.next);
  ledger_.kick = single(times.kick());
  ledger_.gradient_before = ledger_.gradient_after;
  ledger_.gradient_after = cell_.geometry().gradient;
  add_ledger_half(false);
  ledger_.open = true;
}

template <class R>
void System<R>::settle_ledger() {
  if (!ledger_.open) { return; }
  // What forces drive has another velocity by now, as the particles have; prescribed motions are those of the step
  // still.
  bool driven = false;
  for (std::size_t b = 0; b < scene_.boundaries.size(); ++b) { driven = driven || boundary_.driven(b); }
  if (driven) {
    boundary_.place(exec_, clock_.at(step_).before);  // before the next step they are placed again
    keep_poses(boundary_, ledger_.pose);
  }
  add_ledger_half(true);
  ledger_.open = false;
  note_inserted(ledger_.kinetic.size(), ledger_.clump_steps.size());  // since then
}

/// Kinetic energies of bodies from `first` and clumps from `first_clump` on, by their velocities as they stand.
template <class R>
void System<R>::add_kinetic_energies(std::size_t first, std::size_t first_clump, ExactSum& translation,
                                     ExactSum& rotation) {
  const auto inverse_mass = bodies_.inverse_mass.to_vector(), inverse_inertia = bodies_.inverse_inertia.to_vector();
  const auto velocity = bodies_.velocity.to_vector(), spin = bodies_.angular_velocity.to_vector();
  const auto radius = bodies_.radius.to_vector();
  for (std::size_t i = first; i < n_bodies_; ++i) {
    if (is_member(inverse_inertia[i])) { continue; }
    const KineticEnergy own = kinetic_energy(inverse_mass[i], inverse_inertia[i], radius[i], velocity[i], spin[i]);
    translation.add(own.translation);
    rotation.add(own.rotation);
  }
  if (!has_clumps()) { return; }
  const auto mass = clumps_.mass.to_vector();
  const auto v = clumps_.velocity.to_vector(), w = clumps_.angular_velocity.to_vector(),
             inertia = clumps_.inertia.to_vector();
  const auto orientation = clumps_.orientation.to_vector();
  for (std::size_t c = first_clump; c < mass.size(); ++c) {
    if (mass[c] == 0) { continue; }
    translation.add(0.5 * mass[c] * dot(v[c], v[c]));
    rotation.add(rotation_energy(Rotor<double>{orientation[c], w[c], {}}, inertia[c]));
  }
}

/// What bodies and clumps that came later bring with them.
template <class R>
void System<R>::note_inserted(std::size_t first, std::size_t first_clump) {
  if (!ledger_.on || ledger_.open || step_ == 0 || first == n_bodies_) { return; }
  ExactSum translation, rotation;
  add_kinetic_energies(first, first_clump, translation, rotation);
  LedgerSums sums = ledger_.lanes.element(0);
  sums.of(LedgerTerm::removed).add(-translation.value());
  sums.of(LedgerTerm::removed).add(-rotation.value());
  ledger_.lanes.set_element(0, sums);
}

/// All sums in the one form that does not depend on lanes.
template <class R>
LedgerSums System<R>::ledger_sums() const {
  LedgerSums sums{};
  for (const LedgerSums& lane : ledger_.lanes.to_vector()) {
    for (std::size_t t = 0; t < n_ledger_terms; ++t) { sums.term[t].add(lane.term[t]); }
  }
  sums.carry();
  return sums;
}

template <class R>
void System<R>::add_springs(Buffer<R>& extra, const std::vector<std::uint8_t>& touching, ExactSum& normal,
                            ExactSum& stored) {
  std::vector<R> all = extra.to_vector();
  const LedgerPlace<R> place{{all.data(), all.size()}, laws_.history_size};
  for (std::size_t contact = 0; contact < touching.size(); ++contact) {
    if (touching[contact] == 0) { continue; }
    const LedgerEntry<R> entry = place.entry(contact);
    normal.add(double(entry.normal));
    stored.add(double(entry.stored));
  }
}

template <class R>
EnergyLedger System<R>::energies() {
  SCREE_EXPECT(ledger_.on, "the run keeps no energy ledger");
  EnergyLedger result;
  if (step_ == 0) {  // no force is known yet
    ExactSum translation, rotation;
    add_kinetic_energies(0, 0, translation, rotation);
    result.kinetic_translation = translation.value();
    result.kinetic_rotation = rotation.value();
    return result;
  }
  if (!ledger_.open) {
    SCREE_EXPECT(ledger_.saved_step == step_, "energies are not known between a search and the next step");
    return ledger_.saved;
  }
  LedgerSums sums = ledger_sums();
  ExactSum translation, rotation, normal, stored;
  for (const KineticEnergy& k : ledger_.kinetic.to_vector()) {
    translation.add(k.translation);
    rotation.add(k.rotation);
  }
  for (const KineticEnergy& k : ledger_.clump_kinetic.to_vector()) {
    translation.add(k.translation);
    rotation.add(k.rotation);
  }
  add_springs(pairs_.extra, pairs_.touching.to_vector(), normal, stored);
  if (boundary_.any()) {
    std::vector<std::uint8_t> touching;
    for (const BoundarySlot<R>& slot : near_boundary_.slot.to_vector()) {
      touching.push_back(slot.touching != 0 ? 1 : 0);
    }
    add_springs(near_boundary_.extra, touching, normal, stored);
  }
  const auto total = [&](LedgerTerm term) { return sums.of(term).value(); };
  result.kinetic_translation = translation.value();
  result.kinetic_rotation = rotation.value();
  result.elastic = normal.value() + stored.value();
  result.gravity = total(LedgerTerm::gravity);
  result.boundaries = total(LedgerTerm::boundaries);
  result.groups = total(LedgerTerm::groups);
  result.cell = total(LedgerTerm::cell);
  result.friction = total(LedgerTerm::friction);
  result.viscous = total(LedgerTerm::viscous);
  result.damping = total(LedgerTerm::damping);
  result.breakage = total(LedgerTerm::breakage);
  result.parting = total(LedgerTerm::gained) - stored.value();
  result.removed = total(LedgerTerm::removed);
  const double held = result.kinetic_translation + result.kinetic_rotation + result.elastic;
  const double lost =
      result.friction + result.viscous + result.damping + result.breakage + result.parting + result.removed;
  result.error = (held + lost) - (result.gravity + result.boundaries + result.groups + result.cell) - ledger_.start;
  return result;
}

template <class R>
void System<R>::note_start_energy() {
  ledger_.started = true;
  ledger_.start = 0;
  ledger_.start = energies().error;
}

/// With the second halves of the last step in the sums nothing is left to be saved of bodies.
template <class R>
void System<R>::save_ledger(StateWriter& out) {
  if (!ledger_.on) { return; }
  ledger_.saved = energies();
  ledger_.saved_step = step_;
  settle_ledger();
  LedgerSums sums = ledger_sums();
  std::uint64_t started = ledger_.started ? 1 : 0;
  out("ledger/started", "1", started);
  out("ledger/start", "J", ledger_.start);
  out.rows(
      "ledger/sums", "2^-1074 J", n_ledger_terms, [&](std::size_t t) -> const auto& { return sums.term[t]; });
  out("ledger/energies", "J", ledger_.saved);
}

template <class R>
void System<R>::restore_ledger(StateReader& in) {
  Ledger<R> read;
  LedgerSums sums{};
  if (in.has("ledger/sums")) {
    std::uint64_t started = 0;
    in("ledger/started", "", started);
    in("ledger/start", "", read.start);
    in.rows(
        "ledger/sums", "", n_ledger_terms, [&](std::size_t t) -> auto& { return sums.term[t]; });
    in("ledger/energies", "", read.saved);
    for (const ExactSum& sum : sums.term) {
      const bool carried = std::all_of(std::begin(sum.digit), std::end(sum.digit), [](std::int64_t d) {
        return d < std::int64_t(1) << 62 && d > -(std::int64_t(1) << 62);
      });
      expect_state(carried && sum.not_finite == 0, "ledger/sums are no sums");
    }
    read.started = started != 0;
    read.saved_step = step_;
  }
  ledger_.open = false;
  ledger_.gradient_after = cell_.geometry().gradient;
  if (!ledger_.on) { return; }
  ledger_.start = read.start;
  ledger_.started = read.started;
  ledger_.saved = read.saved;
  ledger_.saved_step = step_;
  std::vector<LedgerSums> lanes(ledger_.lanes.size());
  lanes.front() = sums;
  ledger_.lanes.assign(lanes, "energy ledger");
}

template void System<float>::begin_ledger();
template void System<double>::begin_ledger();
template void System<float>::open_ledger_step();
template void System<double>::open_ledger_step();
template void System<float>::close_ledger_step(const StepTimes&);
template void System<double>::close_ledger_step(const StepTimes&);
template void System<float>::settle_ledger();
template void System<double>::settle_ledger();
template void System<float>::note_inserted(std::size_t, std::size_t);
template void System<double>::note_inserted(std::size_t, std::size_t);
template void System<float>::save_ledger(StateWriter&);
template void System<double>::save_ledger(StateWriter&);
template void System<float>::restore_ledger(StateReader&);
template void System<double>::restore_ledger(StateReader&);
template EnergyLedger System<float>::energies();
template EnergyLedger System<double>::energies();
template void System<float>::note_start_energy();
template void System<double>::note_start_energy();

}  // namespace scree::inline SCREE_BACKEND
