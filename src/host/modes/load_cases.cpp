#include "host/modes/load_cases.hpp"

#include <cmath>

#include "host/geometry/real3.hpp"
#include "host/grains/make_grain.hpp"
#include "host/grains/trilinear.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::modes {
namespace {

using Index = Eigen::Index;

double level_depth(double largest, double level, double levels) {
  const double part = level / levels;
  return largest * part * std::sqrt(part);
}

/// The last point at which a ray from the centre of mass leaves the grain.
Real3 last_crossing(const GrainShape& shape, const Real3& direction) {
  const grains::Grid grid = grains::grid_of(shape);
  const auto is_inside = [&](double at) {
    const auto phi = grains::trilinear<float>(grid, shape.phi, geometry::scaled(direction, at));
    return phi && phi->value < 0;
  };
  double inside = shape.bounding_radius;
  const double step = 0.25 * shape.spacing;
  while (inside > 0 && !is_inside(inside)) inside -= step;
  if (!(inside > 0)) {
    throw CaseError(shape.name, "the line of --point along " + number_text(direction[0]) + " " +
                                    number_text(direction[1]) + " " + number_text(direction[2]) +
                                    " from its centre of mass does not pass through it");
  }
  double outside = inside + step;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (inside + outside);
    (is_inside(middle) ? inside : outside) = middle;
  }
  return geometry::scaled(direction, inside);
}

}  // namespace

LoadCase press_with_planes(const ElasticBody& body, const GrainShape& shape, const std::string& axes,
                           std::size_t levels, double largest, const Progress& progress) {
  std::vector<std::size_t> pressed;
  for (const char axis : axes) pressed.push_back(static_cast<std::size_t>(axis - 'x'));
  LoadCase load;
  load.name = std::to_string(2 * axes.size()) + " planes along " + axes;
  progress(load.name);
  load.planes = std::make_unique<PressedGrain>(body, shape, pressed, largest, progress);
  const auto n = static_cast<Index>(levels);
  load.displacement.resize(body.unknowns(), n);
  load.depth.resize(n);
  load.force.resize(n);
  load.energy.resize(n);
  for (Index k = 0; k < n; ++k) {
    load.depth[k] = level_depth(largest, static_cast<double>(k + 1), static_cast<double>(n));
    const PressedGrain::State state = load.planes->press(load.depth[k]);
    load.displacement.col(k) = state.displacement;
    load.force[k] = state.force;
    load.energy[k] = state.energy;
  }
  return load;
}

LoadCase press_at_points(const ElasticBody& body, const GrainShape& shape, const Real3& direction, double largest) {
  const Real3 along = geometry::unit(direction);
  if (!(geometry::length(along) > 0)) throw CaseError("--point", "must be a direction, not 0 0 0");
  Vector inward = Vector::Zero(body.unknowns());
  for (const double sign : {-1.0, 1.0}) {
    const Real3 place = last_crossing(shape, geometry::scaled(along, sign));
    const auto at = shape_functions(body.cells(), in_spacings(shape, place));
    if (!at) throw CaseError(shape.name, "a point of --point lies in no cell of the grid");
    for (std::size_t c = 0; c < 8; ++c) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        inward[3 * at->point[c] + static_cast<Index>(axis)] -= sign * along[axis] * at->weight[c];
      }
    }
  }
  LoadCase load;
  load.name = "two points along " + number_text(direction[0]) + " " + number_text(direction[1]) + " " +
              number_text(direction[2]);
  const Matrix response = body.solve(inward);
  const double compliance = 0.5 * inward.dot(response.col(0));  // mean inward displacement of the points
  load.displacement = response * (largest / compliance);
  load.depth = Vector::Constant(1, largest);
  load.force = Vector::Constant(1, 2 * largest / compliance);
  load.energy = 0.5 * load.force.cwiseProduct(load.depth);
  return load;
}

double depth_between(const LoadCase& load, std::size_t k) {
  const auto n = static_cast<double>(load.depth.size());
  return level_depth(load.depth[load.depth.size() - 1], static_cast<double>(k) + 1.5, n);
}

}  // namespace scree::modes
