#include "host/measure/field_means.hpp"

#include <algorithm>

#include "host/measure/unknown.hpp"

namespace scree {
namespace {

using probe::unknown;

/// Where the component (i, j) of a symmetric tensor stands among xx, yy, zz, xy, yz, xz.
constexpr std::array<std::size_t, 9> place_of{0, 3, 5, 3, 1, 4, 5, 4, 2};

using MeanField = FieldTable::Field;

/// Makes a field from value(cell, component).
template <class Value>
MeanField make(const char* name, const char* unit, std::size_t columns, std::size_t cells, const Value& value) {
  MeanField field{name, unit, columns, std::vector<double>(cells * columns)};
  for (std::size_t c = 0; c < cells; ++c) {
    for (std::size_t k = 0; k < columns; ++k) { field.values[c * columns + k] = value(c, k); }
  }
  return field;
}

}  // namespace

std::vector<MeanField> field_means(const FieldSums& sums, std::uint64_t samples, bool selects) {
  using Sums = FieldSums;
  const std::size_t n = sums.cells();
  const auto per_volume = [&](std::size_t c) { return 1 / (sums.cell_volume(c) * static_cast<double>(samples)); };
  const auto sum = [&](std::size_t quantity, std::size_t c) { return sums.of(quantity, c); };
  const auto density = [&](std::size_t quantity) {
    return [&, quantity](std::size_t c, std::size_t k) { return per_volume(c) * sum(quantity + k, c); };
  };
  /// The quotient of two sums; unknown where the lower one is 0, since the cell has no particles.
  const auto mean = [&](double above, double below) { return below > 0 ? above / below : unknown; };
  const auto speed = [&](std::size_t c, std::size_t k) { return mean(sum(Sums::momentum + k, c), sum(Sums::mass, c)); };
  /// Sum of m v' v', where v' is the velocity relative to the mean velocity of the cell.
  const auto agitation = [&](std::size_t c, std::size_t i, std::size_t j) {
    if (!(sum(Sums::mass, c) > 0)) { return 0.0; }
    return sum(Sums::flux + place_of[3 * i + j], c) - sum(Sums::momentum + i, c) * speed(c, j);
  };
  std::vector<MeanField> fields;
  fields.push_back(make("solid_fraction", "", 1, n, density(Sums::volume)));
  fields.push_back(make("mass_density", "kg/m3", 1, n, density(Sums::mass)));
  fields.push_back(make("number_density", "1/m3", 1, n, density(Sums::number)));
  fields.push_back(make("velocity", "m/s", 3, n, speed));
  fields.push_back(make("granular_temperature", "m2/s2", 1, n, [&](std::size_t c, std::size_t) {
    const double trace = agitation(c, 0, 0) + agitation(c, 1, 1) + agitation(c, 2, 2);
    return mean(std::max(trace, 0.0) / 3, sum(Sums::mass, c));
  }));
  fields.push_back(make("contact_stress", "Pa", 9, n, density(Sums::moment)));
  fields.push_back(make("kinetic_stress", "Pa", 9, n,
                        [&](std::size_t c, std::size_t k) { return 0 - per_volume(c) * agitation(c, k / 3, k % 3); }));
  fields.push_back(make("boundary_force_density", "N/m3", 3, n, density(Sums::boundary_force)));
  if (selects) { fields.push_back(make("other_force_density", "N/m3", 3, n, density(Sums::other_force))); }
  fields.push_back(make("coordination_number", "", 1, n, [&](std::size_t c, std::size_t) {
    return mean(sum(Sums::contacts, c), sum(Sums::number, c));
  }));
  fields.push_back(make("fabric", "", 9, n, [&](std::size_t c, std::size_t k) {
    return mean(sum(Sums::fabric + place_of[k], c), sum(Sums::contacts, c));
  }));
  fields.push_back(make("velocity_gradient", "1/s", 9, n, [&](std::size_t c, std::size_t k) {
    const double change = sum(Sums::momentum_slope + k, c) - speed(c, k / 3) * sum(Sums::mass_slope + k % 3, c);
    return mean(change, sum(Sums::mass, c));
  }));
  fields.push_back(make("residence_time", "s", 1, n,
                        [&](std::size_t c, std::size_t) { return mean(sum(Sums::age, c), sum(Sums::mass, c)); }));
  return fields;
}

}  // namespace scree
