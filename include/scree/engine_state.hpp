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

/// One array of a state: [rows, columns] numbers, row by row, in the byte order of the machine.
struct StateArray {
  std::string name;  ///< group and name, such as "bodies/position"
  std::string unit;  ///< such as "m"; "1" for numbers without a unit
  ValueType type = ValueType::float64;
  std::size_t columns = 1;
  std::vector<std::byte> bytes;

  [[nodiscard]] std::size_t row_bytes() const { return columns * size_of(type); }
  [[nodiscard]] std::size_t rows() const { return row_bytes() > 0 ? bytes.size() / row_bytes() : 0; }
  bool operator==(const StateArray&) const = default;
};

/// Everything that the further steps of an engine depend on, apart from its scene and from some values that were set
/// during the run, which Engine::save() lists. Bodies are in ascending order of id, and contacts in ascending order of
/// the ids of their bodies. So the bytes are the same on any backend, with any number of threads and for any neighbour
/// list. An EngineState is plain data: it owns its arrays and belongs to no engine.
struct EngineState {
  std::vector<StateArray> arrays;

  /// The array with this name, or null. The pointer is valid as long as `arrays` is unchanged.
  [[nodiscard]] const StateArray* find(std::string_view name) const {
    for (const StateArray& array : arrays) {
      if (array.name == name) { return &array; }
    }
    return nullptr;
  }
  bool operator==(const EngineState&) const = default;
};

}  // namespace scree
