#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "host/text/text.hpp"
#include "scree/engine_state.hpp"
#include "scree/errors.hpp"

/// Lists of plain values that host parts of a run add to the state of the engine in checkpoints.
namespace scree {

/// A list as an array. Each row has `columns` numbers of type `type`.
template <class Row>
[[nodiscard]] StateArray array_of(std::string name, std::string unit, ValueType type, std::size_t columns,
                                  const std::vector<Row>& rows) {
  StateArray array{std::move(name), std::move(unit), type, columns, std::vector<std::byte>(rows.size() * sizeof(Row))};
  if (!rows.empty()) { std::memcpy(array.bytes.data(), rows.data(), array.bytes.size()); }
  return array;
}

/// The list that array_of() has made an array of. Throws StateError if the array has another type.
template <class Row>
[[nodiscard]] std::vector<Row> rows_of(const StateArray& array, ValueType type) {
  if (array.type != type || array.row_bytes() != sizeof(Row)) {
    throw StateError("the array " + array.name + " is not of the expected type");
  }
  std::vector<Row> rows(array.rows());
  if (!rows.empty()) { std::memcpy(rows.data(), array.bytes.data(), rows.size() * sizeof(Row)); }
  return rows;
}

/// Throws StateError with the first row of a list for which `holds` is false: "the array probes/in/mass: row 3 must be
/// finite, got nan".
template <class Number, class Holds>
void expect_rows(const std::string& array, const std::vector<Number>& rows, const std::string& rule,
                 const Holds& holds) {
  const auto wrong = std::find_if_not(rows.begin(), rows.end(), holds);
  if (wrong == rows.end()) { return; }
  throw StateError("the array " + array + ": row " + std::to_string(wrong - rows.begin()) + " must be " + rule +
                   ", got " + number_text(static_cast<double>(*wrong)));
}
inline void expect_finite_rows(const std::string& array, const std::vector<double>& rows) {
  expect_rows(array, rows, "finite", [](double x) { return std::isfinite(x); });
}

/// The array with this name; null if there is none.
[[nodiscard]] inline const StateArray* find_array(const std::vector<StateArray>& arrays, const std::string& name) {
  const auto found = std::find_if(arrays.begin(), arrays.end(), [&](const auto& array) { return array.name == name; });
  return found == arrays.end() ? nullptr : &*found;
}

/// The list with this name. Throws StateError if there is none, or if it has another type.
template <class Row>
[[nodiscard]] std::vector<Row> rows_called(const std::vector<StateArray>& arrays, const std::string& name,
                                           ValueType type) {
  const StateArray* const found = find_array(arrays, name);
  if (found == nullptr) { throw StateError("the state has no array " + name); }
  return rows_of<Row>(*found, type);
}

}  // namespace scree
