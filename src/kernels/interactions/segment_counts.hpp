#pragma once

#include "kernels/laws/jaeger_record.hpp"
#include "kernels/step/boundaries/boundary_contacts.hpp"
#include "kernels/step/pairs/pair_contacts.hpp"

/// Counts the segments in the load histories of contacts, and finds the kind of the newest segment.
namespace scree::inline SCREE_BACKEND {

/// The part of a history that belongs to the law, without the entry of the energy ledger.
template <class History>
SCREE_INLINE const auto& own_history(const History& history) {
  if constexpr (requires { history.own; }) {
    return history.own;
  } else {
    return history;
  }
}

struct HistoryCount {
  std::uint32_t segments;
  NewestSegment newest;
};

template <class History, class R>
SCREE_INLINE HistoryCount count_of(const History& history, const StackEnd<R>& stack, bool touching) {
  return touching ? HistoryCount{own_history(history).count() + stack.count, own_history(history).newest()}
                  : HistoryCount{0, NewestSegment::none};
}

/// Counts the segments of each listed pair that has one interaction; 0 if the pair does not touch. One thread per pair.
template <class Geometry, class Law>
struct PairSegments {
  PairContacts<Geometry, Law, false> contacts;
  Span<HistoryCount> count;  ///< [n_pairs]

  SCREE_HD void operator()(std::size_t slot) const {
    if (!contacts.is_mine(contacts.of.pairs[slot])) { return; }
    const HistoryOf<Law> history = contacts.history_of_slot(slot);
    count[slot] = count_of(history, contacts.of.stack[slot], contacts.of.touching[slot] != 0);
  }
};

/// The same for contacts with boundaries; one thread per row.
template <class Geometry, class Law>
struct BoundarySegments {
  using R = typename Geometry::Scalar;
  BoundaryContacts<Geometry, Law> contacts;
  Span<HistoryCount> count;  ///< [n_slots]

  SCREE_HD void operator()(std::size_t row) const {
    const BoundaryContactViews<R>& of = contacts.of;
    for (offset_t k = of.row_start[row]; k < of.row_start[row + 1]; ++k) {
      if (!of.has_interaction(contacts.interaction, k, of.body_of_row[row])) { continue; }
      const HistoryOf<Law> history = contacts.history_of_slot(k);
      count[k] = count_of(history, of.stack[k], of.slots[k].touching != 0);
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
