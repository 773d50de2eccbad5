#pragma once

#include <chrono>
#include <vector>

#include "kernels/backend/primitives.hpp"
#include "kernels/neighbours/carried_history.hpp"
#include "kernels/neighbours/interval_tuner.hpp"
#include "kernels/neighbours/pair_search.hpp"
#include "kernels/neighbours/skins.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

// In float a step rounds the travel of a body by up to 2^-24 of its skin. Over this number of steps the rounding uses
// at most half of the reserve in the travel limit, however slowly a body moves.
inline constexpr std::uint64_t most_list_steps = 16384;

/// Makes the lists of a run: sorts bodies and clumps, lists pairs and boundary contacts, and hands the history of
/// contacts over from the old lists to the new ones. Between two searches it keeps only work space and measured times.
template <class R>
class NeighbourSearch {
 public:
  /// Makes new lists. Boundaries must be at their present poses.
  void find(RunState<R>& run);
  /// Number of distance tests between bodies that the last search needed.
  [[nodiscard]] std::uint64_t count_tests(RunState<R>& run);
  /// Forgets everything about lists, as in a new run.
  void forget();

  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] std::uint64_t carried_bytes() const { return carried_.extra.bytes(); }
  [[nodiscard]] std::uint64_t carried_stack_bytes() const { return carried_.stack.bytes(); }
  [[nodiscard]] std::uint64_t cell_bytes() const { return place_.bytes() + image_.bytes(); }
  [[nodiscard]] const ColumnGrid& grid() const { return grid_; }

 private:
  friend struct StateScrambler;  // names every member, see checkpoint_guard.test.cpp

  // neighbour_search.cpp
  void count_history(RunState<R>& run);
  void carry_history(RunState<R>& run);
  void sort_bodies(RunState<R>& run);
  void reorder(RunState<R>& run);
  void start_levels(RunState<R>& run);
  void take_back(RunState<R>& run);
  void find_boundary_contacts(RunState<R>& run);
  void list_features(RunState<R>& run);
  void return_boundary_history(RunState<R>& run);

  // pair_lists.cpp
  [[nodiscard]] PairSweep<R> pair_sweep(RunState<R>& run);
  void find_pairs(RunState<R>& run);
  void list_incident(RunState<R>& run);
  void sort_incident(RunState<R>& run, Span<index_t> other_id);
  void return_history(RunState<R>& run);

  // grid.cpp: how far to search, and in which columns
  void choose_skins(RunState<R>& run);
  [[nodiscard]] RuleChoice<R> rule_choice(RunState<R>& run);
  [[nodiscard]] static double last_move(const RunState<R>& run);
  [[nodiscard]] static double last_move_of_bodies(const RunState<R>& run);
  [[nodiscard]] double boundary_skin(RunState<R>& run, const SkinRule<R>& rule) const;
  [[nodiscard]] ColumnGrid make_grid(RunState<R>& run, const SearchPlan<R>& plan, PositionBounds bounds);
  [[nodiscard]] PositionBounds crowded_box(RunState<R>& run, const PositionBounds& bounds, double largest);

  /// Positions in the cell, for the search.
  [[nodiscard]] PositionColumn places_in_cell() { return RecordMember(place_, &BodyPlace<R>::position).view(); }

  // What lies in the memory that sorting has left over; see spare_.
  [[nodiscard]] KeptList kept();
  [[nodiscard]] SweepRecords sweep_records(std::size_t n_bodies);
  [[nodiscard]] Span<offset_t> offsets(std::size_t n_bodies);
  [[nodiscard]] Span<std::uint32_t> incoming() { return spare_.id.view(); }

  IntervalTuner tuner_;
  std::chrono::steady_clock::time_point list_made_{};
  double search_seconds_ = 0, mean_skin_ = 0;
  offset_t n_carried_ = 0;  ///< number of touching pairs at the last search
  std::uint64_t n_parked_ = 0;
  std::size_t first_of_level_1_ = 0;  ///< position in memory of the first body of a higher level
  ColumnGrid grid_{};

  // Work space.
  /// Sorting writes the bodies into this second set of buffers, which then takes the place of the first. Until the next
  /// search it is work space.
  Bodies<R> spare_;
  Buffer<std::uint64_t> keys_, row_keys_;
  Buffer<index_t> order_, column_start_, level_start_, row_entries_;
  Buffer<offset_t> carried_start_;
  ContactRows<R> carried_;  ///< [n_carried_] rows on their way from the old list to the new one
  Buffer<BodyLook> looks_;
  Buffer<SizeClasses> sizes_;
  Buffer<SearchPlan<R>> plan_;
  Buffer<Vec3d> position_sample_;
  /// [n_bodies] positions inside the periodic cell, only for the search; the radii are not set
  Buffer<BodyPlace<R>> place_;
  Buffer<std::uint8_t> image_;  ///< [n_bodies] code of the image by which each was taken back
};

}  // namespace scree::inline SCREE_BACKEND
