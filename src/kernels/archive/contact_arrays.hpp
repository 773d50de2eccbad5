#pragma once

#include <string>
#include <vector>

#include "kernels/archive/stacks.hpp"
#include "kernels/archive/state_io.hpp"
#include "kernels/state/contact_rows.hpp"
#include "kernels/step/ledger/ledger_place.hpp"

namespace scree::inline SCREE_BACKEND {

/// Some columns of an array of contacts: `width` of its `of` columns, from column `first` on.
struct Columns {
  std::size_t width, of, first;
};

/// Calls visit(name, unit, buffer, columns) for each array in the rows of these contacts, except the load histories. A
/// width of 0 means that the run does not have the array.
template <class R, class Visit>
void visit_rows(const std::string& contacts, ContactRows<R>& rows, const RowShape& shape, Visit&& visit) {
  visit(contacts + "/history", "of the law", rows.extra, Columns{shape.own_width, shape.width, 0});
  visit(contacts + "/collision", "1, J, J, m/s", rows.extra,
        Columns{shape.collisions ? collision_width : 0u, shape.width,
                shape.collisions ? CollisionPlace<R>::first_column(shape.width) : 0});
  visit(contacts + "/stored_energy", "J", rows.extra,
        Columns{shape.ledger() ? 1u : 0u, shape.width, LedgerPlace<R>::column_of_stored(shape.width)});
  visit(contacts + "/couple", "N m", rows.couple, Columns{shape.couples ? 1u : 0u, 1, 0});
}

/// Saves the given columns of the `chosen` contacts, in this order.
template <class T>
void save_columns(StateWriter& out, const std::string& name, const char* unit, const Buffer<T>& buffer,
                  const std::vector<std::size_t>& chosen, const Columns& c) {
  if (c.width == 0) { return; }
  const auto values = chosen.empty() ? std::vector<T>{} : buffer.to_vector();
  out.rows(
      name, unit, chosen.size(), [&](std::size_t k) -> const auto& { return values[chosen[k] * c.of + c.first]; },
      c.width);
}

/// Saves the rows of the chosen contacts. Their load histories become the arrays of the group `segments`.
template <class R>
void save_rows(StateWriter& out, const std::string& contacts, const char* segments, ContactRows<R>& rows,
               const RowShape& shape, const std::vector<std::size_t>& chosen, const StackStore<R>& store) {
  visit_rows(contacts, rows, shape, [&](const std::string& name, const char* unit, auto& buffer, const Columns& c) {
    save_columns(out, name, unit, buffer, chosen, c);
  });
  std::vector<StackEnd<R>> stacks;
  if (shape.stacks && !chosen.empty()) {
    const auto all = rows.stack.to_vector();
    for (const std::size_t k : chosen) { stacks.push_back(all[k]); }
  }
  save_stacks(out, segments, store, stacks);
}

/// Lists of nodes of the chosen contacts.
template <class R>
[[nodiscard]] std::vector<NodeList> chosen_lists(const ContactRows<R>& rows, const std::vector<std::size_t>& chosen) {
  std::vector<NodeList> lists;
  const auto all = rows.nodes.to_vector();
  for (const std::size_t k : chosen) { lists.push_back(all.empty() ? NodeList{} : all[k]); }
  return lists;
}

/// Restores the given columns of `n` contacts. The values of the energy ledger and those of collisions may be missing,
/// or the run may not keep them: it then starts them at zero, or drops the values.
template <class T>
void restore_columns(StateReader& in, const std::string& name, const char* unit, Buffer<T>& buffer, std::size_t n,
                     const Columns& c) {
  const bool of_collisions = name.ends_with("/collision"), of_ledger = of_collisions || name.ends_with("stored_energy");
  if (of_ledger && c.width == 0) {
    const std::size_t width = of_collisions ? collision_width : 1;
    std::vector<T> dropped(n * width);
    if (in.has(name)) {
      in.rows(
          name, unit, n, [&](std::size_t k) -> T& { return dropped[k * width]; }, width);
    }
    return;
  }
  std::vector<T> values = c.first > 0 ? buffer.to_vector() : std::vector<T>(c.width > 0 ? n * c.of : 0);
  if (c.width > 0) { values.resize(n * c.of); }
  if (c.width > 0 && (!of_ledger || in.has(name))) {
    in.rows(
        name, unit, n, [&](std::size_t k) -> T& { return values[k * c.of + c.first]; }, c.width);
  }
  buffer.assign(values);
}

/// Restores rows that save_rows() saved, for `n` contacts, which are all contacts of the list. Throws StateError.
template <class R>
void restore_rows(StateReader& in, const std::string& contacts, const char* segments, ContactRows<R>& rows,
                  const RowShape& shape, std::size_t n, StackStore<R>& store, Exec& exec) {
  visit_rows(contacts, rows, shape, [&](const std::string& name, const char* unit, auto& buffer, const Columns& c) {
    restore_columns(in, name, unit, buffer, n, c);
  });
  rows.stack.assign(restore_stacks(in, segments, n, store, exec));
}

/// Position in memory of the particle `id`. Throws StateError if it does not exist.
inline index_t place_of(const std::vector<index_t>& place_of_id, index_t id, const char* group) {
  const index_t place = id < place_of_id.size() ? place_of_id[id] : no_index;
  if (place == no_index) {
    throw StateError(std::string(group) + " name the particle " + std::to_string(id) + ", which is not there");
  }
  return place;
}

}  // namespace scree::inline SCREE_BACKEND
