#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/backend/buffer.hpp"
#include "kernels/grains/level_store.hpp"
#include "kernels/grains/mode_coupling.hpp"
#include "kernels/state/modes.hpp"
#include "kernels/state/state_hash.hpp"
#include "kernels/step/modes/mode_motion.hpp"
#include "scree/grain_shape.hpp"

namespace scree {
struct ParticleSet;
struct Scene;
}  // namespace scree

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;
template <class R>
struct RunState;

/// The modes of deformation of level-set grains: those of the shapes, and the state of each grain. Empty in a run in
/// which all grains are rigid.
template <class R>
class ModeStore {
 public:
  /// Adds the modes of a shape whose nodes come in `order`. Throws ContractError if they cannot be modes of it.
  [[nodiscard]] ModeForm add_shape(const GrainShape& shape, std::span<const std::size_t> order);
  /// Copies the shapes to the backend; after the last one was added.
  void send_shapes(const Scene& scene);
  [[nodiscard]] bool any() const { return stride_ > 0; }
  [[nodiscard]] std::uint32_t stride() const { return stride_; }
  /// Number of modes of a shape of clumps.
  [[nodiscard]] static std::size_t count_of(const Scene& scene, std::uint32_t shape);

  /// The modes as kernels see them, with room for the forces of this number of contacts.
  [[nodiscard]] ModeViews<R> views(std::size_t n_pairs, std::size_t n_slots);
  /// Appends the state of new clumps. Their momenta are set by start().
  void append_clumps(const ParticleSet& particles);
  /// Sets the momenta of the clumps from `first` on. To be called when these clumps have their places and spins.
  void start(RunState<R>& run, std::size_t first) { coupling_.start(run, first); }
  /// The same for clumps whose orientations or spins a caller has changed.
  void restart(RunState<R>& run, Span<index_t> clumps) { coupling_.restart(run, clumps); }
  /// Sorts the states: the new clump k was at order[k]. States of clumps from `n` on are dropped.
  void sort(RunState<R>& run, const Buffer<index_t>& order, std::size_t n);
  /// Moves the modes by a step, except those that couple to the rotation of their grain. To be called before the clumps
  /// are moved. Fills the values for the energy ledger; the arrays are empty without one.
  void move(RunState<R>& run, Span<ModeStep> steps, Span<ModeEnergy> energies);
  /// Turns the grains whose modes couple to their rotation, and moves these modes. To be called after the clumps were
  /// moved.
  void turn(RunState<R>& run, Span<ClumpStep> clump_steps, Span<ModeStep> steps, Span<ModeEnergy> energies);
  /// The part of the modes that couples to the rotation of clumps: see ClumpMotion.
  [[nodiscard]] ModeCoupling<R>& coupling() { return coupling_; }
  /// The grids of deformed grains.
  [[nodiscard]] LevelStore<R>& levels() { return levels_; }
  /// Energies of the modes of the clumps from `first` on, at their present amplitudes and rates: see ModeEnergies.
  [[nodiscard]] std::vector<ModeEnergy> energies(RunState<R>& run, std::size_t first);
  /// [n_materials] [Pa] Young's moduli.
  [[nodiscard]] Span<double> moduli() { return modulus_.view(); }

  /// [n_clumps * stride] amplitudes [m] and their rates [m/s], as they lie in memory.
  [[nodiscard]] std::vector<double> amplitudes() const { return amplitude_.to_vector(); }
  [[nodiscard]] std::vector<double> rates() const { return rate_.to_vector(); }
  void hash(const RunState<R>& run, UnorderedHash& sum) const;
  void save(const RunState<R>& run, StateWriter& out) const;
  /// To be called when the clumps are restored. Throws StateError.
  void restore(const RunState<R>& run, StateReader& in);
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  friend struct StateScrambler;  // names every member, see checkpoint_guard.test.cpp

  std::uint32_t stride_ = 0;
  Remap remap_;
  std::vector<ModeNumbers> numbers_;  ///< until they are sent, as the next five
  std::vector<Four<float>> field_;
  std::vector<Vec3<R>> at_node_;
  std::vector<ModeForceKnot> knot_;
  std::vector<ModeProduct> term_;
  std::vector<std::uint32_t> term_mode_;

  Buffer<ModeNumbers> numbers_there_;
  Buffer<Four<float>> field_there_;
  Buffer<Vec3<R>> at_node_there_;
  Buffer<ModeForceKnot> knot_there_;
  Buffer<ModeProduct> term_there_;
  Buffer<std::uint32_t> term_mode_there_;
  Buffer<double> modulus_;           ///< [n_materials] [Pa]
  Buffer<double> amplitude_, rate_;  ///< [n_clumps * stride]
  Buffer<double> path_, room_;       ///< [n_clumps]
  Buffer<double> pair_force_, slot_force_, force_;
  bool keeps_viscous_ = false;  ///< for the energy ledger
  Buffer<double> pair_viscous_, slot_viscous_;
  ModeCoupling<R> coupling_;
  LevelStore<R> levels_;
};

}  // namespace scree::inline SCREE_BACKEND
