#include "kernels/readout/readout.hpp"
#include "kernels/run_state.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::vector<MemoryItem> memory_of(const RunState<R>& run, const PartBytes& parts) {
  std::uint64_t bodies = run.groups.bytes() + run.membranes.bytes() + run.fluid.bytes();
  std::apply([&](const auto&... field) { ((bodies += field.bytes()), ...); }, const_cast<Bodies<R>&>(run.bodies).all());
  const ContactLists<R>& contacts = run.contacts;
  std::vector<MemoryItem> items{
      {"bodies", bodies},
      {"neighbour list", contacts.list_bytes()},
      {"contact history", contacts.history_bytes() + parts.carried},
      {"load histories", contacts.stack_bytes() + parts.carried_stacks},
      {"contact forces", contacts.force_bytes()},
      {"boundary contacts", contacts.boundary_bytes() + parts.moving_boundaries},
      {"energy ledger", parts.ledger + run.losses.bytes() + run.collisions.bytes()},
      {"heat", run.heat.bytes()},
      {"liquid", run.films.bytes()},
      {"clumps", run.clumps.bytes()},
      {"level-set grains", run.grains.bytes() + run.modes.bytes() + run.bonds.bytes()},
      {"time step", parts.step_limits},
      {"periodic cell", contacts.pairs.image.bytes() + run.in_cell.bytes() + parts.search_in_cell},
      {"boundaries", run.boundary.bytes() + run.faces.bytes() + run.outlets.bytes()},
      {"neighbour search", parts.search + run.primitives.bytes()}};
  if (run.exec.thread_bytes() > 0) { items.push_back({"threads of kernels", run.exec.thread_bytes()}); }
  return items;
}

template std::vector<MemoryItem> memory_of(const RunState<float>&, const PartBytes&);
template std::vector<MemoryItem> memory_of(const RunState<double>&, const PartBytes&);

}  // namespace scree::inline SCREE_BACKEND
