#pragma once

#include <vector>

#include "kernels/state/clumps.hpp"
#include "kernels/state/state_hash.hpp"
#include "kernels/state/step_times.hpp"
#include "kernels/step/motion/clump_ledger.hpp"
#include "kernels/step/motion/motion.hpp"

namespace scree {
struct ParticleSet;
struct Scene;
struct SnapshotClump;
}  // namespace scree

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;
template <class R>
struct RunState;

/// Memory that the neighbour search lends for sorting.
struct SortSpace {
  Buffer<std::uint64_t>& keys;
  Buffer<index_t>& entries;
  void* scratch;
  std::size_t scratch_bytes;
};

/// Rigid bodies other than single spheres: clumps of spheres. To the search and the contacts their members are ordinary
/// bodies. All arrays are empty in a run without clumps.
template <class R>
struct RigidBodies {
  Clumps fields;
  Buffer<std::uint32_t> shape_start;
  Buffer<Vec3d> shape_place;
  Buffer<index_t> body_of_id;  ///< [n_ids] position of a body in memory
  /// [n_bodies] position of its clump in memory, since the last search; no_clump for single spheres
  Buffer<index_t> clump_of;
  Buffer<MemberWrench<R>> member_wrench;  ///< [n_bodies]
  std::uint64_t n_made = 0;               ///< number of clumps made so far, including those of the start
  /// total number of members of all clumps so far, without the first member of each; and those of them that came
  /// through inlets
  std::uint64_t members_beyond = 0, inserted_beyond = 0;

  [[nodiscard]] bool any() const { return shape_start.size() > 1; }
  [[nodiscard]] std::size_t size() const { return fields.mass.size(); }
  [[nodiscard]] ClumpMembers members() { return {shape_start.view(), shape_place.view(), body_of_id.view()}; }

  /// Sets the shapes of a scene. Throws ContractError if a shape has no volume.
  void set_shapes(const Scene& scene);
  /// Appends the clumps of `particles`. To be called after the bodies of `particles`, whose ids begin at `first_id`,
  /// were appended.
  void append_clumps(RunState<R>& run, const ParticleSet& particles, std::size_t first_id);
  /// Gives each member the mass of its clump, which contacts see, and an inverse moment of inertia of 0.
  void set_member_masses(const Scene& scene, const ParticleSet& particles, std::vector<R>& inverse_mass,
                         std::vector<R>& inverse_inertia) const;
  /// Sorts the clumps by the new order of the bodies, drops removed clumps and finds the clump of each body.
  void sort(RunState<R>& run, const SortSpace& space);
  /// Moves all clumps by a step, together with their members. `steps` [n_clumps] is for the energy ledger and empty
  /// without one.
  template <bool grouped, bool periodic>
  void move(RunState<R>& run, const BodyMotion<R, grouped, true, periodic>& motion, Span<ClumpStep> steps);

  /// All clumps that have not been removed, by id.
  [[nodiscard]] std::vector<SnapshotClump> snapshot(const RunState<R>& run) const;
  /// The positions in memory of the clumps that have not been removed, by id.
  [[nodiscard]] std::vector<std::size_t> places_by_id() const;
  void hash(RunState<R>& run, UnorderedHash& sum);
  [[nodiscard]] std::uint64_t bytes() const;
  void save(StateWriter& out);
  /// To be called when the bodies are restored. Throws StateError.
  void restore(RunState<R>& run, StateReader& in);
};

}  // namespace scree::inline SCREE_BACKEND
