#include <algorithm>
#include <array>
#include <bit>

#include "kernels/archive/state_io.hpp"
#include "kernels/backend/lane_sums.hpp"
#include "kernels/backend/rearrange.hpp"
#include "kernels/integrators/rotation.hpp"
#include "kernels/ledger/energy_accounts.hpp"
#include "kernels/ledger/ledger_readout.hpp"
#include "kernels/run_state.hpp"
#include "kernels/step/ledger/ledger_contacts.hpp"
#include "scree/errors.hpp"

/// The energies of a ledger: readouts, changes by the caller, checkpoints.
namespace scree::inline SCREE_BACKEND {

namespace {

template <class R>
KineticEnergy kinetic_energy(R inverse_mass, R inverse_inertia, R radius, const Vec3<R>& velocity,
                             const Vec3<R>& spin) {
  const Vec3d v = convert<double>(velocity), w = convert<double>(spin);
  return {0.5 * ledger_mass(inverse_mass, inverse_inertia, radius) * dot(v, v),
          0.5 / double(inverse_inertia) * dot(w, w)};
}

using EnergyNumbers = std::array<double, sizeof(EnergyLedger) / sizeof(double)>;

/// How many of `n` numbers of the ledger a state has: the last one is that of the fluid.
template <class R>
std::size_t n_saved(const RunState<R>& run, std::size_t n) {
  return run.fluid.any() ? n : n - 1;
}

}  // namespace

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
  LedgerLane sums = lanes_.element(0);
  for (const double energy :
       {inserted.kinetic_translation, inserted.kinetic_rotation, inserted.vibration, inserted.deformation}) {
    sums.add(LedgerTerm::removed, -energy);
  }
  lanes_.set_element(0, sums);
}

template <class R>
void EnergyAccounts<R>::note_removed(RunState<R>& run, const std::vector<index_t>& places) {
  if (!on_ || run.step == 0) { return; }
  SCREE_EXPECT(!open_, "the energies of the last step are settled");
  Buffer<index_t> at;
  at.assign(places, "energy ledger");
  const auto place = elements_at(run.exec, "energy ledger", at.view(), run.bodies.place);
  const auto speed = elements_at(run.exec, "energy ledger", at.view(), run.bodies.speed);
  LedgerLane sums = lanes_.element(0);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const BodySpeed<R>& s = speed[k];
    const KineticEnergy own =
        kinetic_energy(s.inverse_mass, s.inverse_inertia, place[k].radius, s.velocity, s.angular_velocity);
    sums.add(LedgerTerm::removed, own.translation);
    sums.add(LedgerTerm::removed, own.rotation);
  }
  lanes_.set_element(0, sums);
  Buffer<std::uint8_t> marks;
  marks.discard_and_resize(run.count.bodies, "energy ledger");
  marks.zero();
  run.exec.for_each("energy ledger", places.size(), SetAt<std::uint8_t>{at.view(), marks.view(), 1});
  const LeavingBodies<R> of{view(run.bodies), marks.view()};
  Pairs<R>& pairs = run.contacts.pairs;
  run.exec.for_lanes(
      "energy ledger", lanes_.size(), pairs.size(),
      RemovePairSprings<R>{of, ledger_of_pairs(run), pairs.bodies.view(), pairs.touching.view(), lanes_.view()});
  if (!run.boundary.any()) { return; }
  BoundaryList<R>& near = run.contacts.near;
  run.exec.for_lanes("energy ledger", lanes_.size(), near.body_of_row.size(),
                     RemoveBoundarySprings<R>{of, ledger_of_boundaries(run), near.body_of_row.view(),
                                              near.row_start.view(), near.slot.view(), lanes_.view()});
}

template <class R>
KineticEnergy EnergyAccounts<R>::of_bodies(RunState<R>& run) const {
  if (!on_) { return {}; }
  EnergyLedger sums;
  add_present_energies(run, 0, 0, sums);
  return {sums.kinetic_translation, sums.kinetic_rotation};
}

template <class R>
void EnergyAccounts<R>::note_imposed(RunState<R>& run, const KineticEnergy& before) {
  if (!on_ || run.step == 0) { return; }  // the energy at the start is not known yet
  const KineticEnergy now = of_bodies(run);
  LedgerLane sums = lanes_.element(0);
  sums.add(LedgerTerm::groups, now.translation - before.translation);
  sums.add(LedgerTerm::groups, now.rotation - before.rotation);
  lanes_.set_element(0, sums);
}

/// The sums of the lanes, in a form that does not depend on the number of lanes.
template <class R>
template <class Lane>
void EnergyAccounts<R>::merge(RunState<R>& run, Buffer<Lane>& lanes, Span<ExactSum> merged) {
  run.exec.for_lanes("read energies", lanes.size(), lanes.size(), FinishLane<Lane>{lanes.view()});
  run.exec.for_each("read energies", merged.size * MergeTerms<Lane>::words, MergeTerms<Lane>{lanes.view(), merged});
}

/// Sums the present energies of bodies and springs.
template <class R>
void EnergyAccounts<R>::sum_states(RunState<R>& run) {
  state_lanes_.discard_and_resize(lanes_.size(), "energy ledger");
  state_lanes_.zero();
  const Span<StateLane> lanes = state_lanes_.view();
  run.exec.for_lanes("read energies", lanes.size, before_.size(),
                     LedgerKinetic<R>{bodies(run), LedgerTimes::of(made_), lanes});
  run.exec.for_lanes("read energies", lanes.size, clump_kinetic_.size(),
                     LedgerOfClumps{clump_kinetic_.view(), mode_energies_.view(), lanes});
  const auto springs = [&](const LedgerPlace<R>& place, std::size_t n, const auto& touches) {
    using Touches = std::remove_cvref_t<decltype(touches)>;
    run.exec.for_lanes("read energies", lanes.size, n, LedgerSprings<R, Touches>{place, touches, n, lanes});
  };
  springs(ledger_of_pairs(run), run.contacts.pairs.size(), PairTouches{run.contacts.pairs.touching.view()});
  if (run.boundary.any()) {
    const Span<BoundarySlot<R>> slots = run.contacts.near.slot.view();
    springs(ledger_of_boundaries(run), slots.size, SlotTouches<R>{slots});
  }
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
  sum_states(run);
  merged_.discard_and_resize(n_ledger_terms + n_ledger_states, "energy ledger");
  rounded_.discard_and_resize(merged_.size(), "energy ledger");
  const Span<ExactSum> sums = merged_.view();
  merge(run, lanes_, {sums.data, n_ledger_terms});
  merge(run, state_lanes_, {sums.data + n_ledger_terms, n_ledger_states});
  run.exec.for_each("read energies", sums.size, RoundSums{sums, rounded_.view()});
  const std::vector<double> values = rounded_.to_vector();
  const auto total = [&](LedgerTerm term) { return values[std::size_t(term)]; };
  const auto present = [&](LedgerState state) { return values[n_ledger_terms + std::size_t(state)]; };
  result.kinetic_translation = present(LedgerState::translation);
  result.kinetic_rotation = present(LedgerState::rotation);
  result.vibration = present(LedgerState::vibration);
  result.deformation = present(LedgerState::deformation);
  result.elastic = present(LedgerState::normal) + present(LedgerState::stored);
  result.gravity = total(LedgerTerm::gravity);
  result.boundaries = total(LedgerTerm::boundaries);
  result.groups = total(LedgerTerm::groups);
  result.cell = total(LedgerTerm::cell);
  result.friction = total(LedgerTerm::friction);
  result.viscous = total(LedgerTerm::viscous);
  result.damping = total(LedgerTerm::damping);
  result.modes = total(LedgerTerm::modes);
  result.fluid = total(LedgerTerm::fluid);
  result.breakage = total(LedgerTerm::breakage);
  result.parting = total(LedgerTerm::gained) - present(LedgerState::stored);
  result.removed = total(LedgerTerm::removed);
  const double held =
      result.kinetic_translation + result.kinetic_rotation + result.elastic + result.vibration + result.deformation;
  const double lost = result.friction + result.viscous + result.damping + result.modes + result.breakage +
                      result.parting + result.removed;
  result.error =
      (held + lost) - (result.gravity + result.boundaries + result.groups + result.cell + result.fluid) - start_;
  return result;
}

template <class R>
void EnergyAccounts<R>::note_start(RunState<R>& run) {
  started_ = true;
  start_ = 0;
  start_ = energies(run).error;
}

/// This adds the second halves of the last step first, so no values of bodies need to be saved.
template <class R>
void EnergyAccounts<R>::save(RunState<R>& run, StateWriter& out) {
  if (!on_) { return; }
  saved_ = energies(run);
  saved_step_ = run.step;
  settle(run);
  merged_.discard_and_resize(n_ledger_terms, "energy ledger");
  merge(run, lanes_, merged_.view());
  std::vector<ExactSum> all = merged_.to_vector();
  for (ExactSum& sum : all) { sum.carry(); }
  std::uint64_t started = started_ ? 1 : 0;
  out("ledger/started", "1", started);
  out("ledger/start", "J", start_);
  out.rows(
      "ledger/sums", "2^-1074 J", n_saved(run, n_ledger_terms), [&](std::size_t t) -> const auto& { return all[t]; });
  const auto energies_then = std::bit_cast<EnergyNumbers>(saved_);
  out.rows(
      "ledger/energies", "J", 1, [&](std::size_t) -> const double& { return energies_then[0]; },
      n_saved(run, energies_then.size()));
}

template <class R>
void EnergyAccounts<R>::restore(const RunState<R>& run, StateReader& in) {
  bool was_started = false;
  double start = 0;
  EnergyLedger saved;
  LedgerLane sums{};
  if (in.has("ledger/sums")) {
    std::uint64_t started = 0;
    in("ledger/started", "", started);
    in("ledger/start", "", start);
    in.rows(
        "ledger/sums", "", n_saved(run, n_ledger_terms), [&](std::size_t t) -> auto& { return sums.term[t]; });
    EnergyNumbers numbers{};
    in.rows(
        "ledger/energies", "", 1, [&](std::size_t) -> double& { return numbers[0]; }, n_saved(run, numbers.size()));
    saved = std::bit_cast<EnergyLedger>(numbers);
    for (const ExactSum& sum : sums.term) {
      for (const std::int64_t digit : sum.digit) {
        constexpr std::int64_t end = std::int64_t(1) << 62;
        expect_state(digit < end && digit > -end,
                     [&] { return broken_rule("a digit of ledger/sums", "within 2^62", double(digit)); });
      }
      expect_state(sum.not_finite == 0, [&] {
        return broken_rule("the count of numbers in ledger/sums that are not finite", "0",
                           std::uint64_t(sum.not_finite));
      });
    }
    was_started = started != 0;
  }
  open_ = false;
  if (!on_) { return; }
  start_ = start;
  started_ = was_started;
  saved_ = saved;
  saved_step_ = run.step;
  lanes_.zero();
  lanes_.set_element(0, sums);
}

template void EnergyAccounts<float>::note_inserted(RunState<float>&, std::size_t, std::size_t);
template void EnergyAccounts<double>::note_inserted(RunState<double>&, std::size_t, std::size_t);
template void EnergyAccounts<float>::note_removed(RunState<float>&, const std::vector<index_t>&);
template void EnergyAccounts<double>::note_removed(RunState<double>&, const std::vector<index_t>&);
template KineticEnergy EnergyAccounts<float>::of_bodies(RunState<float>&) const;
template KineticEnergy EnergyAccounts<double>::of_bodies(RunState<double>&) const;
template void EnergyAccounts<float>::note_imposed(RunState<float>&, const KineticEnergy&);
template void EnergyAccounts<double>::note_imposed(RunState<double>&, const KineticEnergy&);
template EnergyLedger EnergyAccounts<float>::energies(RunState<float>&);
template EnergyLedger EnergyAccounts<double>::energies(RunState<double>&);
template void EnergyAccounts<float>::note_start(RunState<float>&);
template void EnergyAccounts<double>::note_start(RunState<double>&);
template void EnergyAccounts<float>::save(RunState<float>&, StateWriter&);
template void EnergyAccounts<double>::save(RunState<double>&, StateWriter&);
template void EnergyAccounts<float>::restore(const RunState<float>&, StateReader&);
template void EnergyAccounts<double>::restore(const RunState<double>&, StateReader&);

}  // namespace scree::inline SCREE_BACKEND
