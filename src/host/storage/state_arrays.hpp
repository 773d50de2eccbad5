#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "scree/engine_state.hpp"
#include "scree/errors.hpp"
#include "scree/values.hpp"

/// Copies rows of arrays from one state to another.
namespace scree {

/// The arrays of lists that contacts have, load histories and nodes. The first array has one row for each entry.
inline const std::vector<const char*> segment_arrays{"/end", "/slope_1", "/slope_2"},
    node_arrays{"/node", "/shear", "/normal", "/overlap", "/history", "/stored_energy"};

/// The array with its numbers converted to another floating-point type. Throws StateError if the types differ and are
/// not both floating-point types.
[[nodiscard]] StateArray converted(StateArray array, ValueType type);

/// The array with a name. Throws StateError if the state does not have it.
[[nodiscard]] const StateArray& array_of(const EngineState& state, const std::string& name);
[[nodiscard]] StateArray& mutable_array(EngineState& state, const std::string& name);

/// The numbers of an array, row after row. Throws StateError if it has another type or another number of columns.
template <class T>
[[nodiscard]] std::vector<T> numbers(const StateArray& array, std::size_t columns) {
  constexpr ValueType type = std::is_same_v<T, double>          ? ValueType::float64
                             : std::is_same_v<T, std::uint32_t> ? ValueType::uint32
                                                                : ValueType::uint64;
  const StateArray same = converted(array, type);
  if (same.columns != columns) {
    throw StateError("the array " + array.name + " must have " + std::to_string(columns) + " columns, but has " +
                     std::to_string(same.columns));
  }
  std::vector<T> values(same.rows() * columns);
  if (!values.empty()) std::memcpy(values.data(), same.bytes.data(), same.bytes.size());
  return values;
}
template <class T>
[[nodiscard]] std::vector<T> numbers(const EngineState& state, const std::string& name, std::size_t columns = 1) {
  return numbers<T>(array_of(state, name), columns);
}

/// The histories of the contacts of pairs in a state, with the same number of columns for all contacts.
class PairHistories {
 public:
  explicit PairHistories(const EngineState& state) {
    const StateArray* const array = state.find("pairs/history");
    if (array == nullptr || array->columns == 0) return;
    columns_ = array->columns;
    values_ = numbers<double>(*array, columns_);
  }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  /// Number `column` of the history of a contact; 0 if the state does not have it.
  [[nodiscard]] double number(std::size_t contact, std::size_t column) const {
    const std::size_t place = contact * columns_ + column;
    return column < columns_ && place < values_.size() ? values_[place] : 0;
  }

 private:
  std::size_t columns_ = 0;
  std::vector<double> values_;
};

[[nodiscard]] inline Real3 row_of(const std::vector<double>& values, std::size_t row) {
  return {values[3 * row], values[3 * row + 1], values[3 * row + 2]};
}

/// Copies a row of numbers. If one array has more columns, only the first columns are copied, which have the histories
/// of laws.
void copy_row(const StateArray& from, std::size_t from_row, StateArray& to, std::size_t to_row);

/// Fills the arrays of a group, such as "pairs/", from the same arrays of another state: take(from, to) copies the
/// rows. Arrays that the other state does not have become 0, and so do collisions, whose classes belong to the other
/// case.
template <class Take>
void fill_rows(EngineState& state, const std::string& group, std::size_t rows, const EngineState& from, Take&& take) {
  for (StateArray& array : state.arrays) {
    if (!array.name.starts_with(group)) continue;
    array.bytes.assign(rows * array.row_bytes(), std::byte{});
    const StateArray* old = from.find(array.name);
    if (old == nullptr || array.name.ends_with("/collision")) continue;
    const StateArray same = converted(*old, array.type);
    if (same.columns != array.columns && !array.name.ends_with("/history")) {
      throw StateError("the array " + array.name + " has another number of columns");
    }
    take(same, array);
  }
}

void write_ids(StateArray& array, const std::vector<std::uint32_t>& ids);

}  // namespace scree
