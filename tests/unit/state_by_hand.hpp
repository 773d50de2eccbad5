#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "host/measure/field_means.hpp"
#include "host/measure/field_sums.hpp"
#include "scree/errors.hpp"

namespace scree::test {

/// A state put together by hand.
struct ByHand {
  Scene scene{};
  Snapshot now{};
  std::vector<TouchingContact> contacts{};
  std::vector<double> mass{};
  std::vector<std::array<std::uint32_t, 2>> ends{};

  void add(const Real3& position, const Real3& velocity, double m, double radius = 0.5) {
    now.id.push_back(static_cast<std::uint32_t>(now.id.size()));
    now.position.push_back(position);
    now.velocity.push_back(velocity);
    now.radius.push_back(radius);
    now.material.push_back(0);
    mass.push_back(m);
  }
  [[nodiscard]] ProbeView view() const { return {scene, now, now.position, contacts, mass, {}, ends, {}, {}}; }
};

/// The sum of a quantity over all cells.
inline double total(const FieldSums& sums, std::size_t quantity) {
  double sum = 0;
  for (std::size_t c = 0; c < sums.cells(); ++c) { sum += sums.of(quantity, c); }
  return sum;
}

inline const FieldTable::Field& named(const std::vector<FieldTable::Field>& fields, const std::string& name) {
  for (const auto& field : fields) {
    if (field.name == name) { return field; }
  }
  throw ContractError("no field " + name);
}

}  // namespace scree::test
