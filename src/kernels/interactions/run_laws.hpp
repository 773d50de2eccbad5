#pragma once

#include <memory>
#include <vector>

#include "kernels/interactions/range_table.hpp"
#include "kernels/interactions/run_law.hpp"
#include "kernels/interactions/touch_table.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

/// The place of a law in a run, and its variant.
struct LawPlace {
  LawKind kind;
  std::uint32_t index;  ///< among the laws of the run
  bool one_material;    ///< all particles are of one material: `own`
  std::uint32_t own;
  bool rolling;                              ///< with rolling and twisting resistance of type C
  bool rolling_moment;                       ///< with rolling resistance of type A or B
  bool nodes;                                ///< at the nodes of level-set grains
  bool is_first;                             ///< the first of the run with its geometries
  Attraction attraction = Attraction::none;  ///< beside the law
};

/// The laws of a run, and the law of each ordered pair of classes of touch.
template <class R>
struct RunLaws {
  std::vector<std::unique_ptr<RunLaw<R>>> laws;
  std::vector<LawPlace> places;             ///< [n_laws] how each was made
  std::vector<RunLaw<R>*> among_particles;  ///< those that pairs of particles can have
  TouchTable table;                         ///< which law each ordered pair of classes has
  RangeTable ranges;                        ///< how far contacts reach
  InteractionBits bits;                     ///< of these laws
  Buffer<BondRule> bond_rules;              ///< by ordered pair of classes; empty if no law makes bonds
  std::uint32_t history_size = 0;           ///< largest of all laws, and the numbers of a collision
  std::uint32_t own_history_size = 0;       ///< largest of all laws without the energy ledger
  bool collisions = false;                  ///< rows of contacts have the numbers of a collision
  bool couples = false;
  bool stacks = false;       ///< some law has histories of any length
  bool nodes = false;        ///< there are level-set shapes
  bool bonds_nodes = false;  ///< some of which may be bonded
  bool later_bonds = false;  ///< bonds may be made in any step

  /// The law of an ordered pair of classes.
  [[nodiscard]] const RunLaw<R>& of(std::size_t pair) const { return *laws[table.interaction_of(pair)]; }
  [[nodiscard]] const RunLaw<R>& of(std::size_t first, std::size_t second) const {
    return of(table.pair(first, second));
  }
  [[nodiscard]] bool make_bonds() const { return bits.makes_bonds != 0 || bonds_nodes; }
  [[nodiscard]] TouchClasses touch_classes() { return table.view(bits); }
  [[nodiscard]] RowShape row_shape() const {
    return {history_size, own_history_size, couples, stacks, nodes, collisions};
  }
  /// Computes the boundary contacts of a step, each by the law of its classes.
  void touch_boundaries(Exec& exec, std::size_t n_rows, const BoundaryContactViews<R>& views,
                        const StepMoments<R>& moments) const {
    for (const auto& law : laws) { law->boundary_contacts(exec, n_rows, views, moments); }
  }
};

/// The contacts of all listed pairs in a step, as items of Exec::for_items_then_each.
template <class R>
struct PairItems {
  const RunLaws<R>& laws;
  PairViews<R> views;
  StepMoments<R> moments;

#if SCREE_ON_CUDA
  void launch(Exec& exec, std::size_t n) const {
    for (RunLaw<R>* law : laws.among_particles) { law->pair_contacts(exec, n, views, moments); }
  }
#else
  [[nodiscard]] PairItems bound() const { return {laws, views.at(moments.now()), moments}; }
  void run(std::size_t begin, std::size_t end) const {
    for (RunLaw<R>* law : laws.among_particles) { law->pair_contacts(begin, end, views); }
  }
#endif
};

// make_NAME(scene, place) for every law; laws/NAME.cpp defines it.
#define SCREE_LAW(name, ...) \
  template <class R>         \
  [[nodiscard]] std::unique_ptr<RunLaw<R>> make_##name(const Scene& scene, const LawPlace& place);
#include "scree/laws.def"

/// The rule for bonds of two materials.
[[nodiscard]] BondRule bond_rule_of(const Scene& scene, std::size_t a, std::size_t b);

/// Makes the laws that the pairs of materials of this scene have.
template <class R>
[[nodiscard]] RunLaws<R> make_laws(const Scene& scene);
/// Updates the laws to a scene that differs only in friction from the one from which they were made.
template <class R>
void update_laws(RunLaws<R>& run, const Scene& scene);

}  // namespace scree::inline SCREE_BACKEND
