#include "kernels/archive/groups_of_arrays.hpp"
#include "kernels/run_state.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

template <class R, class Visit>
void visit_bonds(RunState<R>& run, Visit& visit) {
  visit("totals/bonds_made", "1", run.contacts.bonds_made);  // by id
  visit("totals/bonds_broken", "1", run.contacts.bonds_broken);
}

template <class R>
void restore_bonds(RunState<R>& run, StateReader& in) {
  if (run.laws.later_bonds) {
    run.contacts.bonds_made.assign(std::vector<std::uint32_t>(run.count.ids()), "bonds");
    run.contacts.bonds_broken.assign(std::vector<std::uint32_t>(run.count.ids()), "bonds");
  }
  visit_bonds(run, in);
  const auto made = run.contacts.bonds_made.to_vector(), broken = run.contacts.bonds_broken.to_vector();
  for (std::size_t i = 0; i < made.size(); ++i) {
    expect_state(broken[i] <= made[i], [&] {
      return broken_rule(StateEntry{"totals/bonds_broken", "particle", i}.text(),
                         "at most " + std::to_string(made[i]) + ", the bonds that it has had", broken[i]);
    });
  }
}

/// Computes the contact sums of large bodies again, with the values of the last step.
template <class R>
void restore_large_parts(RunState<R>& run) {
  const std::size_t n_parts = (run.count.bodies - run.count.first_large) * parts_of_large;
  run.contacts.large_part.discard_and_resize(n_parts, "large particles");
  if (n_parts == 0) { return; }
  const auto ids_per_part = static_cast<index_t>((run.count.ids() + parts_of_large - 1) / parts_of_large);
  run.exec.for_each("gather large bodies", n_parts,
                    LargeGather<R>{wrench_gather(run), run.contacts.pairs.bodies.view(), run.bodies.id.view(),
                                   run.bodies.radius().view(), ids_per_part, run.control.data()});
}

}  // namespace

template <class R>
void save_contacts(RunState<R>& run, StateWriter& out) {
  visit_bonds(run, out);
  run.bonds.save(run, out);
  save_pairs(run, out);
  save_boundary_contacts(run, out);
}

template <class R>
void restore_contacts(RunState<R>& run, StateReader& in, const std::vector<index_t>& place_of_id) {
  restore_bonds(run, in);
  run.bonds.restore(run, in);
  restore_pairs(run, in, place_of_id);
  restore_boundary_contacts(run, in, place_of_id);
  restore_large_parts(run);
}

template void save_contacts(RunState<float>&, StateWriter&);
template void save_contacts(RunState<double>&, StateWriter&);
template void restore_contacts(RunState<float>&, StateReader&, const std::vector<index_t>&);
template void restore_contacts(RunState<double>&, StateReader&, const std::vector<index_t>&);

}  // namespace scree::inline SCREE_BACKEND
