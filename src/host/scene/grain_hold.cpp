#include "host/scene/grain_hold.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include "host/geometry/infinite.hpp"
#include "host/geometry/real3.hpp"
#include "host/scene/crowded_step.hpp"

namespace scree {
namespace {

using namespace geometry;
using Cell = std::array<long, 3>;

Cell cell_of(const Real3& normal, double width) {
  return {std::lround(normal[0] / width), std::lround(normal[1] / width), std::lround(normal[2] / width)};
}

/// Normals of the surface, one for each range of directions: the normal with the largest area. If a flat face lies in
/// the range, this is the normal of the face.
std::vector<Real3> directions_of(const GrainShape& shape) {
  constexpr double coarse = 0.2, fine = 1e-3;
  struct Candidate {
    double area = 0;
    Real3 normal{};
  };
  std::map<Cell, std::map<Cell, Candidate>> ranges;
  for (std::size_t k = 0; k < shape.node.size(); ++k) {
    const Real3& normal = shape.node_normal[k];
    Candidate& candidate = ranges[cell_of(normal, coarse)][cell_of(normal, fine)];
    candidate.area += shape.node_area[k], candidate.normal = normal;
  }
  std::vector<Real3> directions;
  for (const auto& [cell, candidates] : ranges) {
    const auto largest = std::max_element(candidates.begin(), candidates.end(),
                                          [](const auto& a, const auto& b) { return a.second.area < b.second.area; });
    directions.push_back(largest->second.normal);
  }
  return directions;
}

/// The springs of the nodes of a grain that lies on a plane. The stiffness of a spring is the weight of its node.
struct LyingGrain {
  double weights = 0;  ///< sum of the weights
  BodySprings normal;  ///< springs along the normal
  BodySprings turn;    ///< the part of the springs across the normal that acts against rotation

  void add(double weight, const Real3& n, const Real3& arm) {
    weights += weight;
    const Real3 lever = cross(arm, n);
    const std::array<double, 6> moved{n[0], n[1], n[2], lever[0], lever[1], lever[2]};
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j <= i; ++j) normal.stiffness[i][j] += weight * moved[i] * moved[j];
    }
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        turn.stiffness[3 + i][3 + j] +=
            weight * ((i == j ? squared_length(arm) : 0.0) - arm[i] * arm[j] - lever[i] * lever[j]);
      }
    }
  }
};

/// [-] The effective mass of a grain at springs with these sums, over the mass of the grain. The sums count as divided
/// by `weights`.
double part_of_mass(const BodySprings& springs, const GrainShape& shape, double weights) {
  const double step = springs.lowered(infinite, shape.volume, shape.inertia);  // 2 over the frequency
  return std::isfinite(step) ? step * step / (4 * shape.volume) * weights : infinite;
}

}  // namespace

BodyHold hold_of_grain(const GrainShape& shape, bool by_area) {
  constexpr double overlap = 0.05;
  const double radius = shape.equivalent_radius, per_area = 1 / (std::numbers::pi * radius * radius);
  BodyHold hold{.turn = infinite};
  for (const Real3& n : directions_of(shape)) {
    double farthest = -infinite;
    for (const Real3& node : shape.node) farthest = std::max(farthest, dot(node, n));
    LyingGrain lying;
    for (std::size_t k = 0; k < shape.node.size(); ++k) {
      if (dot(shape.node[k], n) <= farthest - overlap * radius) continue;
      lying.add(by_area ? per_area * shape.node_area[k] : 1, n, shape.node[k]);
    }
    const double fewer = std::min(lying.weights, 1.0);  // at least one contact
    hold.area = std::max(hold.area, lying.weights);
    hold.normal = std::min(hold.normal, part_of_mass(lying.normal, shape, fewer));
    hold.turn = std::min(hold.turn, part_of_mass(lying.turn, shape, fewer));
  }
  hold.shear = 1 / hold.area;
  if (!std::isfinite(hold.turn)) hold.turn = BodyHold{}.turn;
  return hold;
}

double depth_of(const GrainShape& shape) {
  return shape.phi.empty() ? 0 : -static_cast<double>(*std::min_element(shape.phi.begin(), shape.phi.end()));
}

}  // namespace scree
