#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/laws/energies.hpp"
#include "kernels/state/contact_rows.hpp"

namespace scree::inline SCREE_BACKEND {

/// Finds the LedgerEntry of a contact. Most of the entry is the end of the history of the contact.
template <class R>
struct LedgerPlace {
  Span<R> extra;
  std::uint32_t n_extra;
  EntryRest<R> rest;

  SCREE_HD LedgerEntry<R> entry(std::size_t contact) const {
    LedgerEntry<R> result;
    result.each([&](int component, R& value) { value = extra[begin(contact) + std::size_t(component)]; });
    result.viscous_couple = couple(contact);
    result.normal = rest.normal[contact];
    return result;
  }
  /// The part of an entry that is in the history: LedgerEntry::n_components numbers.
  SCREE_INLINE R* row(std::size_t contact) const { return &extra[begin(contact)]; }
  /// LedgerEntry::viscous_couple.
  SCREE_INLINE Vec3<R> couple(std::size_t contact) const {
    return rest.viscous_couple.size > 0 ? rest.viscous_couple[contact] : Vec3<R>{R(0), R(0), R(0)};
  }
  SCREE_HD void put(std::size_t contact, LedgerEntry<R> entry) const {
    entry.each([&](int component, R& value) { extra[begin(contact) + std::size_t(component)] = value; });
    put_rest(rest, contact, entry);
  }
  /// Stores the part of an entry that is not in the history.
  SCREE_INLINE static void put_rest(const EntryRest<R>& rest, std::size_t contact, const LedgerEntry<R>& entry) {
    rest.normal[contact] = entry.normal;
    if (rest.viscous_couple.size > 0) { rest.viscous_couple[contact] = entry.viscous_couple; }
  }

  /// The index of `stored` in a row of `width` numbers.
  static constexpr std::size_t column_of_stored(std::size_t width) {
    return width - std::size_t(LedgerEntry<R>::n_components) + LedgerEntry<R>::stored_component;
  }

 private:
  SCREE_INLINE std::size_t begin(std::size_t contact) const {
    return (contact + 1) * n_extra - std::size_t(LedgerEntry<R>::n_components);
  }
};

}  // namespace scree::inline SCREE_BACKEND
