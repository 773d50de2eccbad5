#pragma once

#include "kernels/contact/boundary_contacts.hpp"
#include "kernels/contact/pair_contacts.hpp"

/// How long the load histories of contacts are.
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

/// Of the listed pairs that have one law; 0 where they do not touch.
template <class Law, class R>
struct PairSegments {
  PairContacts<Law, R, false> contacts;
  Span<std::uint32_t> length;  ///< [n_pairs]

  SCREE_HD void operator()(std::size_t slot) const {
    if (!contacts.is_mine(contacts.of.pairs[slot])) { return; }
    const HistoryOf<Law> history = contacts.history_of_slot(slot);
    length[slot] = contacts.of.touching[slot] != 0 ? own_history(history).count() + contacts.of.stack[slot].count : 0u;
  }
};

/// The same of boundary contacts; one thread per row.
template <class Law, class R>
struct BoundarySegments {
  BoundaryContacts<Law, R> contacts;
  Span<std::uint32_t> length;  ///< [n_slots]

  SCREE_HD void operator()(std::size_t row) const {
    const BoundaryContactViews<R>& of = contacts.of;
    for (offset_t k = of.row_start[row]; k < of.row_start[row + 1]; ++k) {
      if (contacts.law_at(k, of.body_of_row[row]) != contacts.law) { continue; }
      HistoryOf<Law> history;
      history.each([&](int component, R& value) { value = of.extra[history_place<Law>(k, component, of.n_extra)]; });
      length[k] = of.slots[k].touching != 0 ? own_history(history).count() + of.stack[k].count : 0u;
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
