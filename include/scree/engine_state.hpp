#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// Type of the numbers in an array of a state.
enum class ValueType { float32, float64, uint8, uint32, uint64 };

[[nodiscard]] constexpr std::size_t size_of(ValueType type) {  ///< [bytes]
  switch (type) {
    case ValueType::uint8: return 1;
    case ValueType::float32:
    case ValueType::uint32: return 4;
    case ValueType::float64:
    case ValueType::uint64: return 8;
  }
  return 0;
}

/// One array of a state: rows of `columns` numbers, row after row.
struct StateArray {
  std::string name;  ///< group and name: "bodies/position"
  std::string unit;  ///< "m"; "1" where it has none
  ValueType type = ValueType::float64;
  std::size_t columns = 1;
  std::vector<std::byte> bytes;

  [[nodiscard]] std::size_t row_bytes() const { return columns * size_of(type); }
  [[nodiscard]] std::size_t rows() const { return row_bytes() > 0 ? bytes.size() / row_bytes() : 0; }
  bool operator==(const StateArray&) const = default;
};

/// Everything that the further course of a run depends on, apart from its scene. Bodies stand in ascending order of id,
/// contacts of the ids of their bodies: the same bytes on any backend, with any number of threads, whatever was listed.
struct EngineState {
  std::vector<StateArray> arrays;

  /// Null when there is none of that name.
  [[nodiscard]] const StateArray* find(std::string_view name) const {
    for (const StateArray& array : arrays) {
      if (array.name == name) { return &array; }
    }
    return nullptr;
  }
  bool operator==(const EngineState&) const = default;
};

}  // namespace scree
