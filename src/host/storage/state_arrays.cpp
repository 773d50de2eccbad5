#include "host/storage/state_arrays.hpp"

#include <algorithm>

namespace scree {

StateArray converted(StateArray array, ValueType type) {
  if (array.type == type) return array;
  const auto change = [&]<class From, class To>(From, To) {
    std::vector<std::byte> bytes(array.bytes.size() / sizeof(From) * sizeof(To));
    for (std::size_t k = 0; k < array.bytes.size() / sizeof(From); ++k) {
      From value{};
      std::memcpy(&value, array.bytes.data() + k * sizeof(From), sizeof(From));
      const To same = static_cast<To>(value);
      std::memcpy(bytes.data() + k * sizeof(To), &same, sizeof(To));
    }
    array.bytes = std::move(bytes);
    array.type = type;
  };
  if (array.type == ValueType::float32 && type == ValueType::float64) {
    change(float{}, double{});
  } else if (array.type == ValueType::float64 && type == ValueType::float32) {
    change(double{}, float{});
  } else {
    throw StateError("the array " + array.name + " is not of the expected type");
  }
  return array;
}

const StateArray& array_of(const EngineState& state, const std::string& name) {
  const StateArray* array = state.find(name);
  if (array == nullptr) throw StateError("the array " + name + " is missing");
  return *array;
}

StateArray& mutable_array(EngineState& state, const std::string& name) {
  for (StateArray& array : state.arrays) {
    if (array.name == name) return array;
  }
  throw StateError("the array " + name + " is missing");
}

void copy_row(const StateArray& from, std::size_t from_row, StateArray& to, std::size_t to_row) {
  const std::size_t bytes = std::min(from.row_bytes(), to.row_bytes());
  if (bytes == 0) return;
  if (from_row >= from.rows() || to_row >= to.rows())
    throw StateError("the array " + from.name + " has fewer rows than the arrays that belong to it");
  std::memcpy(to.bytes.data() + to_row * to.row_bytes(), from.bytes.data() + from_row * from.row_bytes(), bytes);
}

void write_ids(StateArray& array, const std::vector<std::uint32_t>& ids) {
  const std::size_t bytes = ids.size() * sizeof(std::uint32_t);
  SCREE_EXPECT(array.type == ValueType::uint32 && array.bytes.size() == bytes, "ids have 32 bits");
  if (!ids.empty()) std::memcpy(array.bytes.data(), ids.data(), bytes);
}

}  // namespace scree
