#pragma once

#include <vector>

#include "kernels/backend/buffer.hpp"
#include "kernels/liquid/film_exchange.hpp"
#include "scree/engine.hpp"

namespace scree {
struct ParticleSet;
struct Scene;
}  // namespace scree

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;
struct UnorderedHash;
template <class R>
struct RunState;

/// Films of liquid on the bodies of a run. Bridges that begin take their liquid from the films of both bodies, and give
/// it back in equal parts when they rupture. Empty in a run whose bridges get their liquid from nowhere.
template <class R>
class FilmSystem {
 public:
  explicit FilmSystem(const Scene& scene);

  [[nodiscard]] bool any() const { return on_; }
  /// Appends the films of `particles`, after their bodies were appended.
  void append(const ParticleSet& particles);
  /// Sorts the films in the order of a search: the body that now comes first was at order[0].
  void sort(RunState<R>& run, Span<index_t> order);
  /// Launches the exchange between films and bridges in a step, after its contacts.
  void step(RunState<R>& run);

  [[nodiscard]] FilmReport report(RunState<R>& run);
  [[nodiscard]] Span<double> volume() { return film_.view(); }  ///< [n_bodies] [m3]
  void hash(RunState<R>& run, UnorderedHash& sum);
  /// `ids` of the bodies that are saved, in their order.
  void save(RunState<R>& run, const std::vector<index_t>& ids, StateWriter& out);
  /// When the bodies are restored. Throws StateError.
  void restore(RunState<R>& run, const std::vector<index_t>& ids, const std::vector<index_t>& place_of_id,
               StateReader& in);
  [[nodiscard]] std::uint64_t bytes() const {
    return film_.bytes() + spare_.bytes() + factor_.bytes() + exchanges_.bytes() + transfer_.bytes() + pairs_.bytes();
  }

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  [[nodiscard]] FilmViews<R> views(RunState<R>& run);

  bool on_ = false;
  std::size_t n_materials_ = 0;
  Buffer<FilmPair> pairs_;           ///< [n_materials * n_materials]
  Buffer<double> film_;              ///< [n_bodies] [m3]
  Buffer<double> spare_;             ///< work space of sort()
  Buffer<double> factor_;            ///< [n_bodies] of the step
  Buffer<std::uint32_t> exchanges_;  ///< [n_bodies] 0 between two steps
  Buffer<FilmTransfer> transfer_;    ///< [n_pairs] of the step
};

}  // namespace scree::inline SCREE_BACKEND
