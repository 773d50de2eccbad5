#pragma once

#include <string>
#include <vector>

#include "kernels/archive/state_io.hpp"

namespace scree::inline SCREE_BACKEND {

/// Some columns of an array of contacts: so many, of those it has, from the first.
struct Columns {
  std::size_t width, of, first;
};

/// What the energy ledger remembers may be missing, or not be asked for: the run then keeps none, or begins one.
template <class T>
void restore_columns(StateReader& in, const std::string& name, const char* unit, Buffer<T>& buffer, std::size_t n,
                     const Columns& c) {
  const bool of_ledger = name.ends_with("stored_energy");
  if (of_ledger && c.width == 0) {
    std::vector<T> dropped(n);
    if (in.has(name)) {
      in.rows(name, unit, n, [&](std::size_t k) -> T& { return dropped[k]; });
    }
    return;
  }
  std::vector<T> values = c.first > 0 ? buffer.to_vector() : std::vector<T>(c.width > 0 ? n * c.of : 0);
  if (c.width > 0 && (!of_ledger || in.has(name))) {
    in.rows(
        name, unit, n, [&](std::size_t k) -> T& { return values[k * c.of + c.first]; }, c.width);
  }
  buffer.assign(values);
}

/// The place in memory of a particle. Throws StateError when it is not there.
inline index_t place_of(const std::vector<index_t>& place_of_id, index_t id, const char* group) {
  const index_t place = id < place_of_id.size() ? place_of_id[id] : no_index;
  if (place == no_index) {
    throw StateError(std::string(group) + " name the particle " + std::to_string(id) + ", which is not there");
  }
  return place;
}

}  // namespace scree::inline SCREE_BACKEND
