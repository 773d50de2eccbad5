#include "host/grains/triangle_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <tuple>

#include "host/geometry/real3.hpp"
#include "host/packing/exact_math.hpp"
#include "scree/errors.hpp"

namespace scree::grains {
namespace {

using geometry::along, geometry::cross, geometry::dot, geometry::length, geometry::subtract;

constexpr std::uint32_t in_leaf = 4;  ///< largest number of triangles in a leaf
constexpr double far_enough = 2.3;    ///< [radii of the ball] distance from which triangles count as one dipole
constexpr std::size_t deepest = 64;   ///< size of the stack; 2^32 triangles have 32 levels

double squared_distance_of_box(const Real3& p, const Real3& low, const Real3& high) {
  double sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double out = std::max({low[axis] - p[axis], p[axis] - high[axis], 0.0});
    sum += out * out;
  }
  return sum;
}

}  // namespace

Real3 nearest_of_triangle(const Real3& p, const Real3& a, const Real3& b, const Real3& c) {
  const Real3 ab = subtract(b, a), ac = subtract(c, a), ap = subtract(p, a);
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return a;
  const Real3 bp = subtract(p, b);
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return b;
  const double of_c = d1 * d4 - d3 * d2;
  if (of_c <= 0 && d1 >= 0 && d3 <= 0) return along(a, d1 / (d1 - d3), ab);
  const Real3 cp = subtract(p, c);
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return c;
  const double of_b = d5 * d2 - d1 * d6;
  if (of_b <= 0 && d2 >= 0 && d6 <= 0) return along(a, d2 / (d2 - d6), ac);
  const double of_a = d3 * d6 - d5 * d4;
  if (of_a <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    return along(b, (d4 - d3) / ((d4 - d3) + (d5 - d6)), subtract(c, b));
  }
  const double all = of_a + of_b + of_c;
  return along(along(a, of_b / all, ab), of_c / all, ac);
}

TriangleTree::TriangleTree(const TriangleMesh& mesh) : mesh_(mesh), order_(mesh.triangles.size()) {
  SCREE_EXPECT(!mesh.triangles.empty(), "needs a triangle");
  std::iota(order_.begin(), order_.end(), 0U);
  std::vector<Real3> middle;
  middle.reserve(order_.size());
  for (const auto& [a, b, c] : mesh.triangles) {
    middle.push_back(geometry::add(geometry::add(mesh.vertices[a], mesh.vertices[b]), mesh.vertices[c]));
  }
  nodes_.reserve(order_.size());
  build(0, static_cast<std::uint32_t>(order_.size()), middle);
}

std::uint32_t TriangleTree::build(std::uint32_t begin, std::uint32_t end, const std::vector<Real3>& middle) {
  const auto at = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  describe(nodes_[at], begin, end);
  if (end - begin <= in_leaf) {
    nodes_[at].first = begin;
    nodes_[at].count = end - begin;
    return at;
  }
  const Real3 extent = subtract(nodes_[at].high, nodes_[at].low);
  const auto axis = static_cast<std::size_t>(std::max_element(extent.begin(), extent.end()) - extent.begin());
  const std::uint32_t half = begin + (end - begin) / 2;
  std::nth_element(
      order_.begin() + begin, order_.begin() + half, order_.begin() + end,
      [&](std::uint32_t a, std::uint32_t b) { return std::tie(middle[a][axis], a) < std::tie(middle[b][axis], b); });
  // The two halves are the same on every machine, but nth_element does not specify the order in each half.
  std::sort(order_.begin() + begin, order_.begin() + half);
  std::sort(order_.begin() + half, order_.begin() + end);
  build(begin, half, middle);
  const std::uint32_t second = build(half, end, middle);
  nodes_[at].first = second;
  return at;
}

void TriangleTree::describe(Node& node, std::uint32_t begin, std::uint32_t end) const {
  constexpr double inf = std::numeric_limits<double>::infinity();
  node.low = {inf, inf, inf};
  node.high = {-inf, -inf, -inf};
  double area = 0;
  Real3 sum{};
  for (std::uint32_t n = begin; n < end; ++n) {
    const auto& t = mesh_.triangles[order_[n]];
    const Real3 &a = mesh_.vertices[t[0]], &b = mesh_.vertices[t[1]], &c = mesh_.vertices[t[2]];
    for (const Real3* v : {&a, &b, &c}) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        node.low[axis] = std::min(node.low[axis], (*v)[axis]);
        node.high[axis] = std::max(node.high[axis], (*v)[axis]);
      }
    }
    const Real3 normal = geometry::scaled(cross(subtract(b, a), subtract(c, a)), 0.5);
    const double part = length(normal);
    node.dipole = geometry::add(node.dipole, normal);
    sum = along(sum, part / 3, geometry::add(geometry::add(a, b), c));
    area += part;
  }
  node.center = area > 0 ? geometry::scaled(sum, 1 / area) : node.low;
  double squared = 0;
  for (std::uint32_t n = begin; n < end; ++n) {
    for (const auto v : mesh_.triangles[order_[n]]) {
      squared = std::max(squared, geometry::squared_length(subtract(mesh_.vertices[v], node.center)));
    }
  }
  node.radius = std::sqrt(squared);
}

TriangleTree::Nearest TriangleTree::nearest(const Real3& point) const {
  Nearest best{std::numeric_limits<double>::infinity(), {}};
  std::array<std::pair<std::uint32_t, double>, deepest> stack;
  std::size_t waiting = 0;
  stack[waiting++] = {0, 0.0};
  while (waiting > 0) {
    const auto [at, bound] = stack[--waiting];
    if (!(bound < best.squared)) continue;
    const Node& node = nodes_[at];
    for (std::uint32_t n = node.first; n < node.first + node.count; ++n) {
      const auto& t = mesh_.triangles[order_[n]];
      const Real3 place = nearest_of_triangle(point, mesh_.vertices[t[0]], mesh_.vertices[t[1]], mesh_.vertices[t[2]]);
      const double squared = geometry::squared_length(subtract(point, place));
      if (squared < best.squared) best = {squared, place};
    }
    if (node.count > 0) continue;
    std::pair<std::uint32_t, double> near = {at + 1, 0}, far = {node.first, 0};
    for (auto* child : {&near, &far}) {
      child->second = squared_distance_of_box(point, nodes_[child->first].low, nodes_[child->first].high);
    }
    if (far.second < near.second) std::swap(near, far);
    if (far.second < best.squared) stack[waiting++] = far;
    if (near.second < best.squared) stack[waiting++] = near;
  }
  return best;
}

/// The solid angle of a triangle seen from a point (Van Oosterom and Strackee 1983).
double TriangleTree::solid_angle(std::uint32_t triangle, const Real3& point) const {
  const auto& t = mesh_.triangles[triangle];
  const Real3 a = subtract(mesh_.vertices[t[0]], point), b = subtract(mesh_.vertices[t[1]], point),
              c = subtract(mesh_.vertices[t[2]], point);
  const double la = length(a), lb = length(b), lc = length(c);
  const double above = dot(a, cross(b, c));
  const double below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
  if (above == 0 && below == 0) return 0;  // the point is a corner
  return 2 * packing::exact_atan2(above, below);
}

double TriangleTree::winding(const Real3& point) const {
  double sum = 0;
  std::array<std::uint32_t, deepest> stack{};
  std::size_t waiting = 1;
  while (waiting > 0) {
    const std::uint32_t at = stack[--waiting];
    const Node& node = nodes_[at];
    const Real3 way = subtract(node.center, point);
    const double squared = geometry::squared_length(way), reach = far_enough * node.radius;
    if (squared > reach * reach) {
      sum += dot(node.dipole, way) / (squared * std::sqrt(squared));
    } else if (node.count > 0) {
      for (std::uint32_t n = node.first; n < node.first + node.count; ++n) sum += solid_angle(order_[n], point);
    } else {
      stack[waiting++] = node.first;
      stack[waiting++] = at + 1;
    }
  }
  return sum / (4 * std::numbers::pi);
}

}  // namespace scree::grains
