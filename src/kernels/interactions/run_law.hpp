#pragma once

#include <optional>
#include <vector>

#include "kernels/backend/exec.hpp"
#include "kernels/interactions/segment_counts.hpp"
#include "kernels/interactions/tractions.hpp"
#include "kernels/laws/stiffness.hpp"
#include "kernels/step/boundaries/boundary_views.hpp"
#include "kernels/step/pairs/bond_rules.hpp"
#include "kernels/step/pairs/pair_views.hpp"

namespace scree::inline SCREE_BACKEND {

/// A copy of one contact.
template <class R>
struct ContactRecord {
  std::vector<R> history;              ///< of the law, all components of the slot from the first
  std::vector<JaegerSegment<R>> deep;  ///< segments in pages
  std::size_t classes;                 ///< index of the ordered pair
  double effective_radius;             ///< [m]
  Vec3<R> normal;                      ///< from body 1 to body 2
};

/// One contact law of a run, joined with the geometry of two spheres (SpherePair) and of a sphere on a boundary
/// (SphereOnFeature), and with its parameters for every ordered pair of classes of touch. The law is chosen once per
/// launch or, on the host, once per chunk of pairs, but never inside a kernel.
template <class R>
class RunLaw {
 public:
  virtual ~RunLaw() = default;

  /// The number of components of its history beyond the shear.
  [[nodiscard]] virtual std::uint32_t history_size() const = 0;
  /// The number of these components that belong to the law itself. If the energy ledger is on, its components follow
  /// them.
  [[nodiscard]] virtual std::uint32_t own_history_size() const = 0;
  [[nodiscard]] virtual bool has_couples() const = 0;
  [[nodiscard]] virtual bool holds_apart() const = 0;
  [[nodiscard]] virtual bool makes_bonds() const = 0;
  [[nodiscard]] virtual bool bonds_nodes() const = 0;
  [[nodiscard]] virtual bool has_stack() const = 0;
  [[nodiscard]] virtual bool is_hertzian() const = 0;

#if SCREE_ON_CUDA
  /// Computes the pair contacts of a step.
  virtual void pair_contacts(Exec& exec, std::size_t n, const PairViews<R>& views, const StepMoments<R>& moments) = 0;
#else
  /// Computes the pairs [begin, end) in the calling thread. `views` are those at the moment of the step.
  virtual void pair_contacts(std::size_t begin, std::size_t end, const PairViews<R>& views) = 0;
#endif
  /// Computes the boundary contacts of a step.
  virtual void boundary_contacts(Exec& exec, std::size_t n_rows, const BoundaryContactViews<R>& views,
                                 const StepMoments<R>& moments) = 0;
  /// Computes the stiffness of the contacts that have this law, for the critical time step.
  virtual void pair_stiffness(Exec& exec, std::size_t n, const PairViews<R>& views,
                              Span<ContactStiffness<R>> stiffness) = 0;
  virtual void boundary_stiffness(Exec& exec, std::size_t n_rows, const BoundaryContactViews<R>& views,
                                  Span<ContactStiffness<R>> stiffness) = 0;
  /// Bonds the listed pairs that are near enough, and counts the bonds of each body in `made`, by id. To be called
  /// after the first search, at the time `now` [s].
  virtual void make_bonds(Exec& exec, std::size_t n, const PairViews<R>& views, Span<std::uint32_t> made,
                          const BondMaking& making, double now) = 0;
  /// The same during a run, before the contacts of a step, for pairs without a bond that may be bonded later.
  virtual void make_later_bonds(Exec& exec, std::size_t n, const PairViews<R>& views, const StepMoments<R>& moments,
                                Span<std::uint32_t> made, const BondMaking& making) = 0;
  /// Counts the bonds of nodes of each listed pair, or makes them; see FindNodeBonds.
  virtual void find_node_bonds(Exec& exec, std::size_t n, const PairViews<R>& views, const BondMaking& making,
                               const FoundBonds<R>& found) = 0;
  /// Counts the segments of the load history of each pair and each boundary slot that touches and has this law.
  virtual void count_segments(Exec& exec, std::size_t n, const PairViews<R>& views, std::size_t n_rows,
                              const BoundaryContactViews<R>& near, Span<HistoryCount> of_pair,
                              Span<HistoryCount> of_slot) = 0;
  /// Takes over the parameters of `other`, which is the same law made from a scene with other values.
  virtual void take_parameters(RunLaw& other) = 0;
  /// The tractions at this number of distances from the axis. Laws without load histories have none.
  [[nodiscard]] virtual std::optional<ContactTractions> tractions(const ContactRecord<R>& contact,
                                                                  std::size_t points) const = 0;
};

}  // namespace scree::inline SCREE_BACKEND
