#pragma once

#include <optional>
#include <vector>

#include "kernels/backend/exec.hpp"
#include "kernels/contact/bond_rules.hpp"
#include "kernels/contact/boundary_views.hpp"
#include "kernels/contact/pair_views.hpp"
#include "kernels/contact/segment_counts.hpp"
#include "kernels/interactions/tractions.hpp"
#include "kernels/laws/stiffness.hpp"

namespace scree::inline SCREE_BACKEND {

/// One contact, copied from wherever it is.
template <class R>
struct ContactRecord {
  std::vector<R> history;              ///< of the law, all components of the slot from the first
  std::vector<JaegerSegment<R>> deep;  ///< segments in pages
  std::size_t classes;                 ///< index of the ordered pair
  double effective_radius;             ///< [m]
  Vec3<R> normal;                      ///< from body 1 to body 2
};

/// One contact law of a run, joined with the geometry of two spheres (SpherePair) and of a sphere on a boundary
/// (SphereOnFeature), and with its parameters for every ordered pair of classes of touch. The choice is made once per
/// launch or, on the host, once per chunk of pairs, never inside a kernel.
template <class R>
class RunLaw {
 public:
  virtual ~RunLaw() = default;

  /// Components of its history beyond the shear.
  [[nodiscard]] virtual std::uint32_t history_size() const = 0;
  /// Components of the law itself. If the energy ledger is on, its components follow them.
  [[nodiscard]] virtual std::uint32_t own_history_size() const = 0;
  [[nodiscard]] virtual bool has_couples() const = 0;
  [[nodiscard]] virtual bool holds_apart() const = 0;
  [[nodiscard]] virtual bool makes_bonds() const = 0;
  [[nodiscard]] virtual bool bonds_nodes() const = 0;
  [[nodiscard]] virtual bool has_stack() const = 0;
  [[nodiscard]] virtual bool is_hertzian() const = 0;

#if SCREE_ON_CUDA
  /// The pair contacts of a step.
  virtual void pair_contacts(Exec& exec, std::size_t n, const PairViews<R>& views, const StepMoments<R>& moments) = 0;
#else
  /// The same for the pairs [begin, end), by the calling thread; `views` are those at the moment of the step.
  virtual void pair_contacts(std::size_t begin, std::size_t end, const PairViews<R>& views) = 0;
#endif
  /// The boundary contacts of a step.
  virtual void boundary_contacts(Exec& exec, std::size_t n_rows, const BoundaryContactViews<R>& views,
                                 const StepMoments<R>& moments) = 0;
  /// Stiffness of the contacts that have this law, for the critical time step.
  virtual void pair_stiffness(Exec& exec, std::size_t n, const PairViews<R>& views,
                              Span<ContactStiffness<R>> stiffness) = 0;
  virtual void boundary_stiffness(Exec& exec, std::size_t n_rows, const BoundaryContactViews<R>& views,
                                  Span<ContactStiffness<R>> stiffness) = 0;
  /// After the first search, at the time `now` [s]: bonds the listed pairs that are near enough, and counts the bonds
  /// of each body in `made`, by id.
  virtual void make_bonds(Exec& exec, std::size_t n, const PairViews<R>& views, Span<std::uint32_t> made,
                          const BondMaking& making, double now) = 0;
  /// In a step, before its contacts: the same with pairs that have no bond and may be bonded later.
  virtual void make_later_bonds(Exec& exec, std::size_t n, const PairViews<R>& views, const StepMoments<R>& moments,
                                Span<std::uint32_t> made, const BondMaking& making) = 0;
  /// Counts the bonds of nodes of each listed pair, or makes them; see FindNodeBonds.
  virtual void find_node_bonds(Exec& exec, std::size_t n, const PairViews<R>& views, const BondMaking& making,
                               const FoundBonds<R>& found) = 0;
  /// Segments of the load history of each pair and each boundary slot that touches and has this law.
  virtual void count_segments(Exec& exec, std::size_t n, const PairViews<R>& views, std::size_t n_rows,
                              const BoundaryContactViews<R>& near, Span<HistoryCount> of_pair,
                              Span<HistoryCount> of_slot) = 0;
  /// Takes the parameters of `other`, which is the same law made of a scene with other values.
  virtual void take_parameters(RunLaw& other) = 0;
  /// Tractions at so many distances from the axis; none of laws without load histories.
  [[nodiscard]] virtual std::optional<ContactTractions> tractions(const ContactRecord<R>& contact,
                                                                  std::size_t points) const = 0;
};

}  // namespace scree::inline SCREE_BACKEND
