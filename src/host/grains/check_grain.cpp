#include <algorithm>
#include <cmath>
#include <string>

#include "host/geometry/real3.hpp"
#include "host/grains/make_grain.hpp"
#include "host/storage/checksum.hpp"
#include "host/text/text.hpp"

namespace scree::grains {
namespace {

void add(Checksum& sum, const std::vector<Real3>& values) { sum.add(values); }

template <class Value>
void add_value(Checksum& sum, const Value& value) {
  sum.add(&value, sizeof value);
}

void add(Checksum& sum, const GrainModes& modes) {
  add_value(sum, std::uint64_t{modes.count});
  sum.add(modes.field);
  add(sum, modes.at_node);
  sum.add(modes.mass);
  sum.add(modes.stiffness);
  sum.add(modes.table);
  for (const ModeTerm& term : modes.terms) {
    add_value(sum, term.coefficient);
    sum.add(term.mode);
  }
  add_value(sum, modes.poisson_ratio);
  sum.add(modes.largest);
}

/// A checksum of a word and all numbers of a template. Different words give independent checksums of the same numbers.
std::string sum_of(const GrainShape& shape, const std::string& first) {
  Checksum sum;
  sum.add(first);
  add_value(sum, shape.origin);
  add_value(sum, shape.size);
  add_value(sum, shape.spacing);
  sum.add(shape.phi);
  add(sum, shape.node);
  add(sum, shape.node_normal);
  sum.add(shape.node_area);
  sum.add(shape.triangle);
  for (const double value : {shape.volume, shape.bounding_radius, shape.equivalent_radius}) add_value(sum, value);
  add_value(sum, shape.inertia);
  add_value(sum, shape.center);
  add_value(sum, shape.to_source);
  if (shape.modes.count > 0) add(sum, shape.modes);
  return sum.text();
}

std::optional<std::string> fault_of_sizes(const GrainShape& shape) {
  for (const auto n : shape.size) {
    if (n < 6) return "a grid must have at least 6 points along each axis, but has " + std::to_string(n);
  }
  if (static_cast<double>(shape.size[0]) * shape.size[1] * shape.size[2] > most_points) return "the grid is too large";
  const auto rows = [](const char* what, std::size_t have, std::size_t need) {
    return std::string(what) + " has " + std::to_string(have) + " rows instead of " + std::to_string(need);
  };
  if (shape.phi.size() != shape.points()) return rows("phi", shape.phi.size(), shape.points());
  const std::size_t n = shape.node.size();
  if (n < 4) return "there are fewer than four nodes";
  if (shape.node_normal.size() != n) return rows("node_normal", shape.node_normal.size(), n);
  if (shape.node_area.size() != n) return rows("node_area", shape.node_area.size(), n);
  for (const auto& corners : shape.triangle) {
    if (std::max({corners[0], corners[1], corners[2]}) >= n)
      return "a triangle has a corner that is not the index of a node";
  }
  return std::nullopt;
}

std::optional<std::string> fault_of_values(const GrainShape& shape) {
  constexpr double largest = 1e30;
  const auto is_good = [](double value) { return value > 0 && value <= largest; };
  const auto is_near = [](const Real3& point) {
    return std::all_of(point.begin(), point.end(), [](double x) { return std::fabs(x) <= largest; });
  };
  if (!is_good(shape.spacing) || !is_good(shape.volume) || !is_good(shape.bounding_radius) ||
      !is_good(shape.equivalent_radius) || !std::all_of(shape.inertia.begin(), shape.inertia.end(), is_good)) {
    return "spacing, volume, inertia and radii must be positive and finite";
  }
  if (shape.inertia[0] > shape.inertia[1] || shape.inertia[1] > shape.inertia[2]) {
    return "the moments of inertia must be in ascending order";
  }
  double turn = 0;
  for (const double q : shape.to_source) turn += q * q;
  if (!(std::fabs(turn - 1) < 1e-9) || !is_near(shape.center) || !is_near(shape.origin)) {
    return "origin and centre must be finite, and the orientation of length 1";
  }
  if (!std::all_of(shape.phi.begin(), shape.phi.end(), [](float x) { return std::isfinite(x); })) {
    return "phi must be finite";
  }
  for (std::size_t n = 0; n < shape.node.size(); ++n) {
    const double length = geometry::length(shape.node_normal[n]);
    if (!(geometry::length(shape.node[n]) <= shape.bounding_radius * (1 + 1e-12)) || !(std::fabs(length - 1) < 1e-6) ||
        !(shape.node_area[n] > 0 && shape.node_area[n] <= largest)) {
      return "node " + std::to_string(n) + " must lie within the bounding radius, with a normal of length 1 and a " +
             "positive area";
    }
  }
  return std::nullopt;
}

/// Checks that the outermost two layers of the grid lie outside the surface.
std::optional<std::string> fault_of_margin(const GrainShape& shape) {
  const Grid grid = grid_of(shape);
  bool is_outside = true, any_inside = false;
  for_each_point(grid, 0, [&](std::size_t at, std::size_t i, std::size_t j, std::size_t k) {
    if (!(shape.phi[at] < 0)) return;
    any_inside = true;
    const std::array<std::size_t, 3> place = {i, j, k};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (place[axis] < 2 || place[axis] + 2 >= grid.size[axis]) is_outside = false;
    }
  });
  if (!any_inside) return "no point of the grid lies inside";
  if (!is_outside) return "the surface comes nearer than two layers to a face of the grid";
  return std::nullopt;
}

}  // namespace

std::size_t memory_of(const GrainShape& shape) {
  return shape.phi.size() * sizeof(float) + shape.node.size() * (2 * sizeof(Real3) + sizeof(double)) +
         shape.triangle.size() * sizeof shape.triangle[0] + shape.modes.field.size() * sizeof shape.modes.field[0] +
         shape.modes.at_node.size() * sizeof(Real3);
}

std::string hash_of(const GrainShape& shape) { return sum_of(shape, "scree grain") + sum_of(shape, "a second sum"); }

std::optional<std::string> fault_of(const GrainShape& shape) {
  if (auto fault = fault_of_sizes(shape)) return fault;
  if (auto fault = fault_of_values(shape)) return fault;
  if (auto fault = fault_of_margin(shape)) return fault;
  return fault_of_modes(shape);
}

}  // namespace scree::grains
