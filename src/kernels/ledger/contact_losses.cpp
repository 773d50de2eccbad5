#include "kernels/ledger/contact_losses.hpp"

#include "kernels/archive/groups_of_arrays.hpp"
#include "kernels/backend/rearrange.hpp"
#include "kernels/run_state.hpp"
#include "kernels/step/pairs/pair_losses.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr const char* label = "losses";

/// Each body of a pair gets half of its loss.
struct EvenShare {
  static SCREE_INLINE double of_first(Span<std::uint32_t> /*material*/, const BodyPair& /*pair*/) { return 0.5; }
  static SCREE_INLINE double at_boundary(std::uint32_t /*material*/, std::uint32_t /*boundary*/) { return 1; }
};

/// Adds the losses of a step to the sums; one thread per body.
template <class R>
struct AddLosses {
  BodyLosses<R, EvenShare> losses;
  Span<double> energy;
  const Control* control;
  const StepMoment<R>* moment = nullptr;

  SCREE_HD void operator()(std::size_t body) const {
    if (control->halted == 0) { energy[body] += losses.of(body, moment->ledger); }
  }
#if !SCREE_ON_CUDA
  void work_on(std::size_t begin, std::size_t end) const { work_ahead(losses, *this, begin, end); }
#endif
};

}  // namespace

template <class R>
ContactLosses<R>::ContactLosses(const Scene& scene) : noted_(scene.notes_losses()), summed_(scene.sums_losses) {
  SCREE_EXPECT(!noted_ || scene.energies, "losses of contacts need the energy ledger");
  SCREE_EXPECT(!noted_ || scene.grain_shapes.empty(), "losses of level-set grains are not known");
}

template <class R>
void ContactLosses<R>::append(std::size_t n) {
  if (summed_) { scree::SCREE_BACKEND::append(energy_, std::vector<double>(n), label); }
}

template <class R>
void ContactLosses<R>::sort(RunState<R>& run, Span<index_t> order) {
  if (summed_) { put_in_order(run.exec, label, order, run.count.bodies, energy_, spare_); }
}

template <class R>
template <bool flows>
void ContactLosses<R>::find_losses_of_pairs(RunState<R>& run) {
  Pairs<R>& listed = run.contacts.pairs;
  pair_loss_.discard_and_resize(listed.size(), label);
  run.exec.for_each(label, listed.size(),
                    in_step(run, PairLosses<R, flows>{.bodies = view(run.bodies),
                                                      .place = ledger_of_pairs(run),
                                                      .pairs = listed.bodies.view(),
                                                      .touching = listed.touching.view(),
                                                      .slip = pair_slip_.view(),
                                                      .power_before = pair_power_.view(),
                                                      .of_pair = pair_loss_.view(),
                                                      .control = run.control.data()}));
}

template <class R>
void ContactLosses<R>::step(RunState<R>& run, Span<BodySpeed<R>> before) {
  if (!noted_) { return; }
  const bool flows = run.cell.any() && run.cell.deforms();
  flows ? find_losses_of_pairs<true>(run) : find_losses_of_pairs<false>(run);
  if (!summed_) { return; }
  run.exec.for_each(
      label, run.count.bodies,
      in_step(run, AddLosses<R>{body_losses(run, before, EvenShare{}), energy_.view(), run.control.data()}));
}

template <class R>
void ContactLosses<R>::save(RunState<R>& run, const std::vector<index_t>& ids, StateWriter& out) {
  if (summed_) { save_values_of_bodies(run, ids, "bodies/dissipated_energy", "J", energy_, out); }
}

template <class R>
void ContactLosses<R>::restore(RunState<R>& run, const std::vector<index_t>& ids,
                               const std::vector<index_t>& place_of_id, StateReader& in) {
  std::vector<double> energy(run.count.bodies);
  if (in.has("bodies/dissipated_energy")) {
    energy = values_of_bodies(in, ids, place_of_id, "bodies/dissipated_energy");
  }
  if (summed_) { energy_.assign(energy, label); }
}

template class ContactLosses<float>;
template class ContactLosses<double>;

}  // namespace scree::inline SCREE_BACKEND
