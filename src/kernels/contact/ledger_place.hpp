#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/laws/energies.hpp"

namespace scree::inline SCREE_BACKEND {

/// Finds the LedgerEntry of a contact, which is the end of its history.
template <class R>
struct LedgerPlace {
  Span<R> extra;
  std::uint32_t n_extra;

  SCREE_HD LedgerEntry<R> entry(std::size_t contact) const {
    LedgerEntry<R> result;
    result.each([&](int component, R& value) { value = extra[begin(contact) + std::size_t(component)]; });
    return result;
  }
  SCREE_HD void put(std::size_t contact, LedgerEntry<R> entry) const {
    entry.each([&](int component, R& value) { extra[begin(contact) + std::size_t(component)] = value; });
  }

  /// Which of the `width` numbers of a row is `stored`.
  static constexpr std::size_t column_of_stored(std::size_t width) {
    return width - std::size_t(LedgerEntry<R>::n_components) + LedgerEntry<R>::stored_component;
  }

 private:
  SCREE_INLINE std::size_t begin(std::size_t contact) const {
    return (contact + 1) * n_extra - std::size_t(LedgerEntry<R>::n_components);
  }
};

}  // namespace scree::inline SCREE_BACKEND
