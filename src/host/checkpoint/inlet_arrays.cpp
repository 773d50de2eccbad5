#include "host/checkpoint/inlet_arrays.hpp"

#include <array>
#include <cstdint>

#include "host/storage/state_columns.hpp"

namespace scree {
namespace {

// One row per inlet: index in Case::particles, number of particles so far, and whether a warning was given; their mass.
constexpr const char* numbers_name = "inlets/entry_made_warned";
constexpr const char* mass_name = "inlets/mass";
// One row per part of a mixture: row of its inlet, mass of the part.
constexpr const char* part_inlet_name = "inlets/part_inlet";
constexpr const char* part_mass_name = "inlets/part_mass";

using Numbers = std::array<std::uint64_t, 3>;

}  // namespace

void append_inlets(EngineState& state, const std::vector<InletState>& inlets) {
  if (inlets.empty()) return;
  std::vector<Numbers> numbers;
  std::vector<double> mass, part_mass;
  std::vector<std::uint64_t> part_inlet;
  for (const InletState& inlet : inlets) {
    part_inlet.resize(part_inlet.size() + inlet.part_mass.size(), numbers.size());
    part_mass.insert(part_mass.end(), inlet.part_mass.begin(), inlet.part_mass.end());
    numbers.push_back({inlet.entry, inlet.made, inlet.warned ? 1U : 0U});
    mass.push_back(inlet.mass);
  }
  state.arrays.push_back(array_of(numbers_name, "1", ValueType::uint64, 3, numbers));
  state.arrays.push_back(array_of(mass_name, "kg", ValueType::float64, 1, mass));
  if (part_mass.empty()) return;
  state.arrays.push_back(array_of(part_inlet_name, "1", ValueType::uint64, 1, part_inlet));
  state.arrays.push_back(array_of(part_mass_name, "kg", ValueType::float64, 1, part_mass));
}

std::vector<InletState> take_inlets(EngineState& state) {
  const StateArray* const numbers_array = state.find(numbers_name);
  const StateArray* const mass_array = state.find(mass_name);
  if (numbers_array == nullptr && mass_array == nullptr) return {};
  if (numbers_array == nullptr || mass_array == nullptr) {
    throw StateError("the state of the inlets is not complete");
  }
  const auto numbers = rows_of<Numbers>(*numbers_array, ValueType::uint64);
  const auto mass = rows_of<double>(*mass_array, ValueType::float64);
  if (numbers.size() != mass.size()) { throw StateError("the arrays of the inlets differ in length"); }
  std::vector<InletState> inlets;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    inlets.push_back({numbers[i][0], numbers[i][1], mass[i], numbers[i][2] != 0, {}});
  }
  const StateArray* const part_inlet = state.find(part_inlet_name);
  const StateArray* const part_mass = state.find(part_mass_name);
  if ((part_inlet == nullptr) != (part_mass == nullptr)) throw StateError("the state of the inlets is not complete");
  if (part_inlet != nullptr) {
    const auto owner = rows_of<std::uint64_t>(*part_inlet, ValueType::uint64);
    const auto parts = rows_of<double>(*part_mass, ValueType::float64);
    if (owner.size() != parts.size()) { throw StateError("the arrays of the parts of inlets differ in length"); }
    for (std::size_t k = 0; k < owner.size(); ++k) {
      if (owner[k] >= inlets.size()) { throw StateError("a part belongs to an inlet that does not exist"); }
      inlets[owner[k]].part_mass.push_back(parts[k]);
    }
  }
  std::erase_if(state.arrays, [](const StateArray& array) {
    return array.name == numbers_name || array.name == mass_name || array.name == part_inlet_name ||
           array.name == part_mass_name;
  });
  return inlets;
}

std::vector<StateArray> take_group(EngineState& state, const std::string& group) {
  const auto of_group = [&](const StateArray& array) { return array.name.starts_with(group); };
  std::vector<StateArray> taken;
  for (const StateArray& array : state.arrays) {
    if (of_group(array)) taken.push_back(array);
  }
  std::erase_if(state.arrays, of_group);
  return taken;
}

}  // namespace scree
