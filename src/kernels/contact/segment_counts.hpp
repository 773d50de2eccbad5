#pragma once

#include "kernels/contact/boundary_contacts.hpp"
#include "kernels/contact/pair_contacts.hpp"
#include "kernels/laws/jaeger_record.hpp"

/// How long the load histories of contacts are, and what the last step was.
namespace scree::inline SCREE_BACKEND {

/// The record of a law, without what the energy ledger adds to it.
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

/// Of the listed pairs that have one law; 0 where they do not touch.
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

/// The same of boundary contacts; one thread per row.
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
