#pragma once

#include <optional>
#include <vector>

#include "kernels/backend/portability.hpp"
#include "kernels/math/vec3.hpp"
#include "scree/engine.hpp"

/// Readouts of a run. The backend does the work, and the result is copied to the host.
namespace scree::inline SCREE_BACKEND {

struct UnorderedHash;
template <class R>
struct RunState;

template <class R>
[[nodiscard]] Snapshot snapshot_of(RunState<R>& run, const SnapshotRequest& request);
template <class R>
[[nodiscard]] StateHash hash_of(RunState<R>& run);
template <class R>
[[nodiscard]] EngineCounts counts_of(RunState<R>& run);
template <class R>
[[nodiscard]] std::vector<BoundaryLoad> boundary_loads(RunState<R>& run);
template <class R>
[[nodiscard]] std::vector<Real3> boundary_vertices(RunState<R>& run, std::size_t index);
template <class R>
[[nodiscard]] std::optional<CellState> cell_state(RunState<R>& run);
/// [n_bodies] The number of contacts of each body in a checkpoint, in memory order. It includes contacts with
/// boundaries, and pairs that only remember a broken bond.
template <class R>
[[nodiscard]] std::vector<std::uint32_t> saved_contacts_of_bodies(RunState<R>& run);
/// All touching contacts in ascending order of the ids of the bodies. Contacts with boundaries come last. Fills
/// `details` unless it is null.
template <class R>
[[nodiscard]] std::vector<TouchingContact> touching_contacts(RunState<R>& run,
                                                             std::vector<ContactDetail>* details = nullptr);
/// The place of a body at the moment of the forces, one step ago.
template <class R>
struct PlaceBefore {
  Vec3d position;
  R radius;
  std::uint32_t id;
};
/// [n_bodies] places by position in memory at the moment of the forces.
template <class R>
[[nodiscard]] std::vector<PlaceBefore<R>> places_before(RunState<R>& run);
/// The bodies that outlets have removed since the last call.
template <class R>
[[nodiscard]] std::vector<RemovedParticle> removed_particles(RunState<R>& run);
/// [n_ids] For each body in the run, the lowest id of the bodies that intact bonds and clumps join with it.
template <class R>
[[nodiscard]] std::vector<std::uint32_t> fragments(RunState<R>& run);
template <class R>
[[nodiscard]] std::optional<ContactTractions> tractions_of(RunState<R>& run, std::uint32_t first, std::uint32_t second,
                                                           bool with_boundary, std::size_t points);
/// Adds all touching contacts with their histories, and the numbers of bonds, to the hash.
template <class R>
void hash_contacts(RunState<R>& run, UnorderedHash& sum);
/// Adds the load histories to the counts.
template <class R>
void count_segments(RunState<R>& run, EngineCounts& counts);
template <class R>
[[nodiscard]] std::vector<TouchingNode> touching_nodes(RunState<R>& run);
template <class R>
[[nodiscard]] NodeCounts node_counts_of(RunState<R>& run);

/// Memory [bytes] of the parts that are not in RunState.
struct PartBytes {
  std::uint64_t ledger, step_limits, moving_boundaries;
  std::uint64_t search, carried, carried_stacks, search_in_cell;
};
template <class R>
[[nodiscard]] std::vector<MemoryItem> memory_of(const RunState<R>& run, const PartBytes& parts);

}  // namespace scree::inline SCREE_BACKEND
