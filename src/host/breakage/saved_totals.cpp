#include "host/breakage/saved_totals.hpp"

#include <cmath>
#include <cstdint>

#include "host/storage/state_columns.hpp"
#include "scree/errors.hpp"

namespace scree::breakage {
namespace {

constexpr const char* numbers_name = "stages/broken_particles";
constexpr const char* fines_name = "stages/fines";

}  // namespace

void save_totals(const BreakageReport& totals, std::vector<StateArray>& arrays) {
  arrays.push_back(
      array_of(numbers_name, "1", ValueType::uint64, 1, std::vector<std::uint64_t>{totals.broken, totals.fragments}));
  arrays.push_back(array_of(fines_name, "kg", ValueType::float64, 1, std::vector<double>{totals.fines}));
}

BreakageReport saved_totals(const std::vector<StateArray>& arrays) {
  if (find_array(arrays, numbers_name) == nullptr) { return {}; }
  const auto numbers = rows_called<std::uint64_t>(arrays, numbers_name, ValueType::uint64);
  const auto fines = rows_called<double>(arrays, fines_name, ValueType::float64);
  constexpr std::uint64_t most = std::uint64_t{1} << 32U;
  if (numbers.size() != 2 || fines.size() != 1) {
    throw StateError("the arrays stages/broken_particles and stages/fines must have 2 rows and 1 row, got " +
                     std::to_string(numbers.size()) + " and " + std::to_string(fines.size()));
  }
  expect_rows(numbers_name, numbers, "at most 2^32", [](std::uint64_t n) { return n <= most; });
  if (numbers[0] > numbers[1]) {
    throw StateError("the array stages/broken_particles: row 0, the spheres that broke, must be at most row 1, their " +
                     std::to_string(numbers[1]) + " fragments, got " + std::to_string(numbers[0]));
  }
  expect_rows(fines_name, fines, "finite and >= 0", [](double mass) { return std::isfinite(mass) && mass >= 0; });
  return {numbers[0], numbers[1], fines[0]};
}

}  // namespace scree::breakage
