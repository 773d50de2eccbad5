#include "host/packing/sphere_grid.hpp"

#include <algorithm>

#include "scree/errors.hpp"

namespace scree::packing {

SphereGrid::SphereGrid(const geometry::Bounds& bounds, double largest_radius, std::size_t expected)
    : bounds_(bounds), expected_(expected) {
  SCREE_EXPECT(largest_radius > 0, "needs a positive radius");
  constexpr std::size_t most_levels = 12;  // a factor of 4096 in radius; smaller spheres share the last level
  levels_.resize(most_levels);
  for (auto& level : levels_) {
    level.largest = largest_radius;
    largest_radius /= 2;
  }
  spheres_.reserve(expected);
}

SphereGrid::SphereGrid(const geometry::CellFrame& cell, double largest_radius, std::size_t expected)
    : SphereGrid(cell.bounds(), largest_radius, expected) {
  cell_ = cell;
}

void SphereGrid::open(Level& level) const {
  const auto most_cells = 4.0 * static_cast<double>(expected_) + 1e4;
  double edge = 2 * level.largest;
  const auto count = [&](std::size_t k) { return std::floor((bounds_.upper[k] - bounds_.lower[k]) / edge) + 1; };
  while (count(0) * count(1) * count(2) > most_cells) edge *= 1.25;
  for (std::size_t k = 0; k < 3; ++k) {
    level.cells[k] = static_cast<std::size_t>(count(k));
    level.inverse_edge[k] = 1 / edge;
  }
  level.first.assign(level.cells[0] * level.cells[1] * level.cells[2], none);
}

std::uint32_t& SphereGrid::first_in_cell(Level& level, const Real3& centre) const {
  std::array<std::size_t, 3> at{};
  for (std::size_t k = 0; k < 3; ++k) at[k] = cell(level, k, centre[k]);
  return level.first[(at[2] * level.cells[1] + at[1]) * level.cells[0] + at[0]];
}

void SphereGrid::insert(const Real3& given, double radius) {
  const Real3 centre = cell_ ? cell_->folded(given) : given;
  std::uint32_t index = 0;
  while (index + 1 < levels_.size() && radius <= levels_[index + 1].largest) ++index;
  Level& level = levels_[index];
  if (level.first.empty()) open(level);
  level.largest = std::max(level.largest, radius);
  auto& first = first_in_cell(level, centre);
  spheres_.push_back({centre, radius, first, index});
  first = static_cast<std::uint32_t>(spheres_.size() - 1);
}

void SphereGrid::move(std::uint32_t number, const Real3& given) {
  const Real3 centre = cell_ ? cell_->folded(given) : given;
  Sphere& sphere = spheres_[number];
  Level& level = levels_[sphere.level];
  auto& from = first_in_cell(level, sphere.centre);
  auto& to = first_in_cell(level, centre);
  sphere.centre = centre;
  if (&from == &to) return;
  auto* link = &from;
  while (*link != number) link = &spheres_[*link].next;
  *link = sphere.next;
  sphere.next = to;
  to = number;
}

bool SphereGrid::is_free(const Real3& centre, double radius, std::uint32_t except) const {
  const auto apart = [&](std::uint32_t number, const Real3& other, double other_radius) {
    const double touch = radius + other_radius;
    const double x = centre[0] - other[0], y = centre[1] - other[1], z = centre[2] - other[2];
    return x * x + y * y + z * z >= touch * touch || number == except;
  };
  return visit_near(centre, radius, apart);
}

}  // namespace scree::packing
