#pragma once

#include <vector>

#include "kernels/contact/clump_ledger.hpp"
#include "kernels/contact/motion.hpp"
#include "kernels/state/clumps.hpp"
#include "kernels/state/state_hash.hpp"
#include "kernels/state/step_times.hpp"

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
  Buffer<std::uint64_t>&keys, &scratch;
  Buffer<index_t>& entries;
};

/// Rigid bodies that are no plain spheres: clumps of spheres. Their members are bodies like any other to the search and
/// the contacts. All of it is empty in a run without clumps.
template <class R>
struct RigidBodies {
  Clumps fields;
  Buffer<std::uint32_t> shape_start;
  Buffer<Vec3d> shape_place;
  Buffer<index_t> body_of_id;       ///< [ids] place in memory
  Buffer<index_t> clump_of;         ///< [n_bodies] place of the clump, since the last search
  Buffer<Wrench<R>> member_wrench;  ///< [n_bodies]
  std::uint64_t n_made = 0;         ///< since before the start
  /// members of all clumps made but the first ones, in all and of inlets
  std::uint64_t members_beyond = 0, inserted_beyond = 0;

  [[nodiscard]] bool any() const { return shape_start.size() > 1; }
  [[nodiscard]] std::size_t size() const { return fields.mass.size(); }
  [[nodiscard]] ClumpMembers members() { return {shape_start.view(), shape_place.view(), body_of_id.view()}; }

  /// The shapes of a scene. Throws ContractError when one has no volume.
  void set_shapes(const Scene& scene);
  /// After the bodies of `particles`, whose ids begin at `first_id`, were appended.
  void append_clumps(RunState<R>& run, const ParticleSet& particles, std::size_t first_id);
  /// Members have neither mass nor inertia of their own: contacts see the mass of their clump.
  void set_member_masses(const Scene& scene, const ParticleSet& particles, std::vector<R>& inverse_mass,
                         std::vector<R>& inverse_inertia) const;
  /// After the bodies were sorted: the same order for clumps, and who is whose member.
  void sort(RunState<R>& run, const SortSpace& space);
  /// Moves all clumps by a step, with their members. `steps` [n_clumps] is for the energy ledger, empty without one.
  template <bool grouped, bool periodic>
  void move(RunState<R>& run, const BodyMotion<R, grouped, true, periodic>& motion, const StepTimes& times,
            Span<ClumpStep> steps);

  /// Of all clumps that are there, by id.
  [[nodiscard]] std::vector<SnapshotClump> snapshot(const RunState<R>& run) const;
  void hash(const RunState<R>& run, UnorderedHash& sum) const;
  [[nodiscard]] std::uint64_t bytes() const;
  void save(StateWriter& out);
  /// After the bodies. Throws StateError.
  void restore(RunState<R>& run, StateReader& in);
};

}  // namespace scree::inline SCREE_BACKEND
