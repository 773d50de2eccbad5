#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/archive/numbers.hpp"
#include "kernels/math/exact_sum.hpp"
#include "kernels/math/mat3.hpp"
#include "kernels/math/quaternion.hpp"
#include "kernels/state/boundaries.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/pairs.hpp"
#include "kernels/state/step_times.hpp"
#include "kernels/step/boundaries/facet_sums.hpp"
#include "kernels/step/ledger/collisions.hpp"
#include "kernels/step/motion/gather.hpp"
#include "kernels/step/motion/motion.hpp"
#include "scree/cell.hpp"
#include "scree/engine.hpp"
#include "scree/engine_state.hpp"
#include "scree/errors.hpp"

/// Converts a run into named arrays and back. The writer and the reader are called with the same lists, so that
/// everything that is written is read again.
namespace scree::inline SCREE_BACKEND {

template <class R>
struct NumbersOf<Vec3<R>> : std::type_identity<R> {};
template <class R>
struct NumbersOf<PairForce<R>> : std::type_identity<R> {};
template <class R>
struct NumbersOf<Wrench<R>> : std::type_identity<R> {};
template <class R>
struct NumbersOf<Quaternion<R>> : std::type_identity<R> {};
template <class R>
struct NumbersOf<Mat3<R>> : std::type_identity<R> {};
template <>
struct NumbersOf<VelocityRest<float>> : std::type_identity<float> {};
template <>
struct NumbersOf<AxisMotion> : std::type_identity<double> {};
template <>
struct NumbersOf<RadialMotion> : std::type_identity<double> {};
template <>
struct NumbersOf<BodyRotation> : std::type_identity<double> {};
template <>
struct NumbersOf<ClockState> : std::type_identity<double> {};
template <>
struct NumbersOf<ContactWatch> : std::type_identity<double> {};
template <>
struct NumbersOf<EnergyLedger> : std::type_identity<double> {};
template <>
struct NumbersOf<Image> : std::type_identity<std::uint32_t> {};  // bits of signed integers
template <>
struct NumbersOf<CellMeasureOfForces> : std::type_identity<std::uint64_t> {};  // bits of integers and doubles
template <>
struct NumbersOf<ExactSum> : std::type_identity<std::uint64_t> {};
template <>
struct NumbersOf<CollisionSums> : std::type_identity<std::uint64_t> {};
template <>
struct NumbersOf<FacetSums> : std::type_identity<std::uint64_t> {};

template <class T>
constexpr ValueType value_type() {
  using Number = typename NumbersOf<T>::type;
  if constexpr (std::is_same_v<Number, float>) { return ValueType::float32; }
  if constexpr (std::is_same_v<Number, double>) { return ValueType::float64; }
  if constexpr (std::is_same_v<Number, std::uint8_t>) { return ValueType::uint8; }
  if constexpr (std::is_same_v<Number, std::uint32_t>) { return ValueType::uint32; }
  static_assert(std::is_floating_point_v<Number> || (std::is_unsigned_v<Number> && (sizeof(Number) != 2)),
                "give NumbersOf the type");
  return ValueType::uint64;
}

inline void expect_state(bool holds, const std::string& otherwise) {
  if (!holds) { throw StateError(otherwise); }
}
/// The same with a function that makes the message, for checks of many values.
template <std::invocable Message>
void expect_state(bool holds, const Message& message) {
  if (!holds) { throw StateError(message()); }
}

/// A value in an array of a state: "bodies/radius of particle 3".
struct StateEntry {
  const char* array;
  const char* owner;
  std::uint64_t number;

  [[nodiscard]] std::string text() const { return std::string(array) + " of " + owner + " " + std::to_string(number); }
};

inline std::string value_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.15g", value);
  return text;
}
inline std::string value_text(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.7g", double(value));
  return text;
}
inline std::string value_text(std::uint64_t value) { return std::to_string(value); }
inline std::string value_text(std::uint32_t value) { return std::to_string(value); }

/// The message that a value breaks a rule: "bodies/radius of particle 3 must be > 0, got -1".
template <class Value>
std::string broken_rule(const std::string& entry, const std::string& rule, const Value& value) {
  return entry + " must be " + rule + ", got " + value_text(value);
}

/// Throws StateError if an array of reals holds a number that is not finite.
inline void expect_finite_numbers(const StateArray& array) {
  const auto look = [&]<class T>(T) {
    T value{};
    for (std::size_t at = 0; at + sizeof value <= array.bytes.size(); at += sizeof value) {
      std::memcpy(&value, array.bytes.data() + at, sizeof value);
      if (!std::isfinite(value)) { throw StateError("the array " + array.name + " holds a number that is not finite"); }
    }
  };
  if (array.type == ValueType::float32) { look(float{}); }
  if (array.type == ValueType::float64) { look(double{}); }
}

/// Appends arrays to a state.
class StateWriter {
 public:
  explicit StateWriter(EngineState& state) : state_(state) {}

  /// Appends `n` rows of `width` elements. `row(i)` refers to the first element of row i; the others follow in memory.
  template <class Row>
  void rows(const std::string& name, const char* unit, std::size_t n, Row&& row, std::size_t width = 1) {
    using T = std::remove_cvref_t<decltype(row(std::size_t(0)))>;
    constexpr ValueType type = value_type<T>();
    const std::size_t bytes = width * sizeof(T);
    StateArray array{name, unit, type, bytes / size_of(type), std::vector<std::byte>(n * bytes)};
    for (std::size_t i = 0; i < n; ++i) {
      const T& first = row(i);
      std::memcpy(array.bytes.data() + i * bytes, &first, bytes);
    }
    state_.arrays.push_back(std::move(array));
  }

  /// Appends a number.
  template <class T>
  void operator()(const char* name, const char* unit, const T& value) {
    rows(name, unit, 1, [&](std::size_t) -> const T& { return value; });
  }
  /// Appends an array whose length follows from the scene.
  template <class T>
  void operator()(const char* name, const char* unit, const Buffer<T>& buffer) {
    const std::vector<T> values = buffer.to_vector();
    rows(name, unit, values.size(), [&](std::size_t i) -> const T& { return values[i]; });
  }

 private:
  EngineState& state_;
};

/// Takes arrays out of a state. Throws StateError if an array is missing or has another type or size than expected.
class StateReader {
 public:
  explicit StateReader(const EngineState& state) : state_(state), read_(state.arrays.size()) {}

  [[nodiscard]] bool has(const std::string& name) const { return state_.find(name) != nullptr; }
  /// Number of rows of an array, which gives the length for all arrays of its group.
  [[nodiscard]] std::size_t count(const std::string& name) const { return find(name).rows(); }

  template <class Row>
  void rows(const std::string& name, const char*, std::size_t n, Row&& row, std::size_t width = 1) {
    using T = std::remove_cvref_t<decltype(row(std::size_t(0)))>;
    constexpr ValueType type = value_type<T>();
    const std::size_t bytes = width * sizeof(T);
    const StateArray& array = find(name);
    read_[static_cast<std::size_t>(&array - state_.arrays.data())] = true;
    if (array.type != type || array.row_bytes() != bytes || array.bytes.size() != n * bytes) {
      throw StateError("the array " + name + " is not one of " + std::to_string(n) + " rows of " +
                       std::to_string(bytes) + " bytes");
    }
    expect_finite_numbers(array);
    for (std::size_t i = 0; i < n; ++i) { std::memcpy(&row(i), array.bytes.data() + i * bytes, bytes); }
  }

  /// Reads a number.
  template <class T>
  void operator()(const char* name, const char* unit, T& value) {
    rows(name, unit, 1, [&](std::size_t) -> T& { return value; });
  }
  /// Reads an array into a buffer that already has the length.
  template <class T>
  void operator()(const char* name, const char* unit, Buffer<T>& buffer) {
    std::vector<T> values(buffer.size());
    rows(name, unit, values.size(), [&](std::size_t i) -> T& { return values[i]; });
    buffer.assign(values);
  }

  /// Throws StateError if the state holds arrays that were not read.
  void expect_all_read() const {
    for (std::size_t k = 0; k < read_.size(); ++k) {
      if (!read_[k]) { throw StateError("the array " + state_.arrays[k].name + " is not known here"); }
    }
  }

 private:
  [[nodiscard]] const StateArray& find(const std::string& name) const {
    const StateArray* array = state_.find(name);
    if (array == nullptr) { throw StateError("the array " + name + " is missing"); }
    return *array;
  }

  const EngineState& state_;
  std::vector<bool> read_;
};

}  // namespace scree::inline SCREE_BACKEND
