#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "scree/engine_state.hpp"

/// Lists of numbers as arrays of a state.
namespace scree {

template <class T>
[[nodiscard]] StateArray array_of(const std::string& name, const char* unit, ValueType type,
                                  const std::vector<T>& values) {
  StateArray array{name, unit, type, 1, std::vector<std::byte>(values.size() * sizeof(T))};
  if (!values.empty()) { std::memcpy(array.bytes.data(), values.data(), array.bytes.size()); }
  return array;
}

/// The numbers of the array of this name; none if there is no array of this type.
template <class T>
[[nodiscard]] std::optional<std::vector<T>> numbers_of(const std::vector<StateArray>& arrays, const std::string& name,
                                                       ValueType type) {
  const auto found =
      std::find_if(arrays.begin(), arrays.end(), [&](const StateArray& array) { return array.name == name; });
  if (found == arrays.end() || found->type != type || found->row_bytes() != sizeof(T)) { return std::nullopt; }
  std::vector<T> values(found->rows());
  if (!values.empty()) { std::memcpy(values.data(), found->bytes.data(), found->bytes.size()); }
  return values;
}

}  // namespace scree
