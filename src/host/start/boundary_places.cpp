#include "host/start/boundary_places.hpp"

#include <filesystem>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "host/geometry/real3.hpp"
#include "host/geometry/turn.hpp"
#include "host/packing/exact_math.hpp"

namespace scree {
namespace {

using Rows = std::array<Real3, 3>;

Rows rows_of(const Turn& turn) {
  std::vector<Real3> columns{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  geometry::turn(columns, turn);
  Rows rows{};
  for (std::size_t i = 0; i < 3; ++i) rows[i] = {columns[0][i], columns[1][i], columns[2][i]};
  return rows;
}

/// The axis and angle of a rotation matrix. Near half a turn the axis comes from the column of the largest diagonal
/// element.
Turn turn_of(const Rows& r) {
  const Real3 twice{r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]};  // 2 sin(angle) axis
  const double trace = r[0][0] + r[1][1] + r[2][2];
  const double angle = packing::exact_atan2(geometry::length(twice), trace - 1);
  if (trace > 0) { return {angle == 0 ? Real3{0, 0, 1} : twice, angle}; }
  std::size_t k = 0;
  for (std::size_t i = 1; i < 3; ++i) k = r[i][i] > r[k][k] ? i : k;
  // (1 - cos(angle)) times the axis times its component k
  const double cosine = 0.5 * (trace - 1);
  Real3 axis{};
  for (std::size_t i = 0; i < 3; ++i) axis[i] = 0.5 * (r[i][k] + r[k][i]) - (i == k ? cosine : 0);
  return {geometry::dot(axis, twice) < 0 ? geometry::scaled(axis, -1) : axis, angle};
}

Turn after(const std::optional<Turn>& first, const Rows& then) {
  if (!first || first->angle == 0) { return turn_of(then); }
  const Rows before = rows_of(*first);
  Rows product{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) product[i][j] += then[i][k] * before[k][j];
    }
  }
  return turn_of(product);
}

}  // namespace

Real3 BoundaryPlace::of_direction(const Real3& x) const {
  if (!has_turned()) { return x; }
  return {geometry::dot(rotation[0], x), geometry::dot(rotation[1], x), geometry::dot(rotation[2], x)};
}

Real3 BoundaryPlace::of_point(const Real3& x) const { return geometry::add(of_direction(x), offset); }

std::optional<BoundaryShape> moved_shape(BoundaryShape shape, const BoundaryPlace& place) {
  if (place.is_as_given()) { return shape; }
  const auto put = [&](Real3& point) { point = place.of_point(point); };
  const auto move = [&]<class Shape>(Shape& given) {
    if constexpr (std::is_same_v<Shape, PlaneBoundary>) {
      put(given.point);
      given.normal = place.of_direction(given.normal);
    } else if constexpr (std::is_same_v<Shape, MeshBoundary>) {
      put(given.translate);
      if (place.has_turned()) { given.rotate = after(given.rotate, place.rotation); }
    } else if constexpr (std::is_same_v<Shape, SphereBoundary>) {
      put(given.center);
    } else if constexpr (std::is_same_v<Shape, BoxBoundary>) {
      if (place.has_turned()) { return false; }
      put(given.min), put(given.max);
    } else {
      put(given.from), put(given.to);
      if constexpr (std::is_same_v<Shape, CylinderBoundary>) { given.radius += place.growth; }
    }
    return true;
  };
  return std::visit(move, shape) ? std::optional(std::move(shape)) : std::nullopt;
}

std::optional<BoundaryShape> shape_in(const Json& boundary) {
  const std::string type = boundary.value("type", std::string());
  const auto point = [&](const char* key) { return boundary.value(key, Real3{}); };
  const auto number = [&](const char* key) { return boundary.value(key, 0.0); };
  if (type == "plane") { return PlaneBoundary{point("point"), point("normal"), {}}; }
  if (type == "box") { return BoxBoundary{point("min"), point("max")}; }
  if (type == "cylinder") { return CylinderBoundary{point("from"), point("to"), number("radius"), {}}; }
  if (type == "cone") { return ConeBoundary{point("from"), point("to"), number("radius_from"), number("radius_to")}; }
  if (type == "sphere") { return SphereBoundary{point("center"), number("radius")}; }
  if (type != "mesh") { return std::nullopt; }
  MeshBoundary mesh;
  mesh.file = boundary.value("file", std::string());
  mesh.scale = boundary.value("scale", mesh.scale);
  mesh.translate = point("translate");
  if (boundary.contains("rotate") && boundary["rotate"].is_object()) {
    const Json& turn = boundary["rotate"];
    mesh.rotate = Turn{turn.value("axis", Turn{}.axis), turn.value("angle", Turn{}.angle)};
  }
  return mesh;
}

bool is_same_surface(const BoundaryShape& a, const BoundaryShape& b) {
  const auto same = [&]<class Shape>(const Shape& one) {
    const Shape* const other = std::get_if<Shape>(&b);
    if (other == nullptr) { return false; }
    if constexpr (std::is_same_v<Shape, PlaneBoundary>) {
      return one.point == other->point && one.normal == other->normal;
    } else if constexpr (std::is_same_v<Shape, MeshBoundary>) {
      const Turn first = one.rotate.value_or(Turn{}), second = other->rotate.value_or(Turn{});
      return std::filesystem::path(one.file).filename() == std::filesystem::path(other->file).filename() &&
             one.scale == other->scale && one.translate == other->translate && first.angle == second.angle &&
             (first.axis == second.axis || first.angle == 0);
    } else if constexpr (std::is_same_v<Shape, SphereBoundary>) {
      return one.center == other->center && one.radius == other->radius;
    } else if constexpr (std::is_same_v<Shape, BoxBoundary>) {
      return one.min == other->min && one.max == other->max;
    } else if constexpr (std::is_same_v<Shape, CylinderBoundary>) {
      return one.from == other->from && one.to == other->to && one.radius == other->radius;
    } else {
      return one.from == other->from && one.to == other->to && one.radius_from == other->radius_from &&
             one.radius_to == other->radius_to;
    }
  };
  return std::visit(same, a);
}

}  // namespace scree
