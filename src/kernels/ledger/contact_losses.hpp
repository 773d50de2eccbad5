#pragma once

#include <vector>

#include "kernels/backend/buffer.hpp"
#include "kernels/step/ledger/body_losses.hpp"

namespace scree {
struct Scene;
}  // namespace scree

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;
template <class R>
struct RunState;

/// The losses of contacts by slip, breaking and dashpots, which the energy ledger stores in each step, and their sums
/// for each body. Each body of a pair gets half of the loss of their contact; a body at a boundary gets all of it.
template <class R>
class ContactLosses {
 public:
  explicit ContactLosses(const Scene& scene);

  /// Whether the losses of contacts are stored.
  [[nodiscard]] bool noted() const { return noted_; }
  /// Whether each body has a sum.
  [[nodiscard]] bool any() const { return summed_; }

  /// [n] [J] The losses of contacts by slip and breaking in a step.
  [[nodiscard]] Span<R> of_pairs(std::size_t n) { return sized(pair_slip_, n); }
  [[nodiscard]] Span<R> of_boundaries(std::size_t n) { return sized(boundary_slip_, n); }
  /// [n_pairs] [W] The power of the viscous forces before the motion of a step.
  [[nodiscard]] Span<R> powers_of_pairs(std::size_t n) { return sized(pair_power_, n); }
  [[nodiscard]] Span<R> of_boundaries() { return boundary_slip_.view(); }
  [[nodiscard]] Span<double> lost_by_pairs() { return pair_loss_.view(); }  ///< [n_pairs] [J] in all, see PairLosses

  /// Appends the sums of `n` new bodies.
  void append(std::size_t n);
  /// Sorts the sums in the order of a search: the body that now comes first was at order[0].
  void sort(RunState<R>& run, Span<index_t> order);
  /// Launches the losses of pairs, and the sums. To be called in a step, after the motion. `before` [n_bodies] has the
  /// velocities before the motion.
  void step(RunState<R>& run, Span<BodySpeed<R>> before);

  [[nodiscard]] Span<double> energy() { return energy_.view(); }  ///< [n_bodies] [J] since the start of the run
  /// `ids` of the bodies that are saved, in their order.
  void save(RunState<R>& run, const std::vector<index_t>& ids, StateWriter& out);
  /// When the bodies are restored. Sums that were not saved begin at 0. Throws StateError.
  void restore(RunState<R>& run, const std::vector<index_t>& ids, const std::vector<index_t>& place_of_id,
               StateReader& in);
  [[nodiscard]] std::uint64_t bytes() const {
    return pair_slip_.bytes() + boundary_slip_.bytes() + pair_power_.bytes() + pair_loss_.bytes() + energy_.bytes() +
           spare_.bytes();
  }

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  static Span<R> sized(Buffer<R>& buffer, std::size_t n) {
    if (buffer.size() != n) { buffer.discard_and_resize(n, "losses"); }
    return buffer.view();
  }

  template <bool flows>
  void find_losses_of_pairs(RunState<R>& run);

  bool noted_ = false, summed_ = false;
  Buffer<R> pair_slip_, boundary_slip_;  ///< [n_contacts] [J] of the step
  Buffer<R> pair_power_;                 ///< [n_pairs] [W] of the step
  Buffer<double> pair_loss_;             ///< [n_pairs] [J] of the step
  Buffer<double> energy_;                ///< [n_bodies] [J]
  Buffer<double> spare_;                 ///< work space of sort()
};

}  // namespace scree::inline SCREE_BACKEND
