#pragma once

#include <vector>

#include "kernels/backend/buffer.hpp"
#include "kernels/membranes/membrane_push.hpp"
#include "kernels/state/sheet_ids.hpp"
#include "scree/time_table.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// The membranes of a run: they press their nodes by forces that count as those of groups. Empty in a run without
/// membranes. Nothing is saved: lattices are those of the scene, and forces follow from places and pressures.
template <class R>
struct Membranes {
  std::vector<Sheet> sheets;      ///< [n_membranes]
  std::vector<TimeTable> tables;  ///< [n_membranes] [s], [Pa] pressures by the time of the run
  Buffer<SheetIds> ids;           ///< [n_membranes]
  Buffer<TimeRow> rows;           ///< all tables, one after the other
  Buffer<index_t> place;          ///< position in memory of each node, by id from GroupRules::first_pressed on

  /// Makes those of the scene of a run that has its groups.
  void make(RunState<R>& run);
  /// Throws ContractError.
  void set_pressure(std::size_t index, const TimeTable& pressure);
  /// [Pa] at a time [s]. Throws ContractError.
  [[nodiscard]] double pressure(std::size_t index, double time) const;
  /// In a search, when bodies have their places in memory: looks where the nodes are.
  void find(RunState<R>& run);
  /// In a step, before the motion: launches the forces at the present places.
  void press(RunState<R>& run);
  [[nodiscard]] std::uint64_t bytes() const { return ids.bytes() + rows.bytes() + place.bytes(); }

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  void send_tables();
};

}  // namespace scree::inline SCREE_BACKEND
