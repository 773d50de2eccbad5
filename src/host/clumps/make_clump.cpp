#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/clumps/clump.hpp"
#include "host/geometry/real3.hpp"
#include "host/geometry/symmetric_matrix.hpp"
#include "host/packing/exact_math.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::clumps {
namespace {

constexpr double equal_within = 1e-10;  ///< moments with a smaller relative difference become equal

/// The axis or its opposite, such that the largest component (the first of nearly equal ones) is positive.
Real3 with_sign(const Real3& axis) {
  std::size_t largest = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    if (std::fabs(axis[k]) > std::fabs(axis[largest]) + 1e-9) largest = k;
  }
  return axis[largest] < 0 ? geometry::scaled(axis, -1) : axis;
}

}  // namespace

PrincipalFrame principal_frame(const Moments& moments) {
  SCREE_EXPECT(moments.volume > 0, "needs a volume");
  PrincipalFrame frame;
  const Real3 to_center = geometry::scaled(moments.first, 1 / moments.volume);
  frame.center = geometry::add(moments.origin, to_center);
  const auto s = moved(moments, to_center).second;
  Matrix3 tensor = {Real3{s[1] + s[2], -s[5], -s[4]}, Real3{-s[5], s[2] + s[0], -s[3]},
                    Real3{-s[4], -s[3], s[0] + s[1]}};
  const Matrix3 axes = geometry::diagonalise(tensor);
  std::array<std::size_t, 3> order = {0, 1, 2};
  const double near = equal_within * std::max({tensor[0][0], tensor[1][1], tensor[2][2]});
  for (const std::size_t k : {0U, 1U, 0U}) {  // moments that are nearly equal keep their order
    if (tensor[order[k]][order[k]] > tensor[order[k + 1]][order[k + 1]] + near) std::swap(order[k], order[k + 1]);
  }
  for (std::size_t k = 0; k < 3; ++k) frame.inertia[k] = tensor[order[k]][order[k]];
  if (std::fabs(frame.inertia[2] - frame.inertia[0]) <= near) {
    frame.inertia.fill((frame.inertia[0] + frame.inertia[1] + frame.inertia[2]) / 3);
  } else {
    for (std::size_t k = 0; k < 2; ++k) {
      if (std::fabs(frame.inertia[k + 1] - frame.inertia[k]) > near) continue;
      frame.inertia[k] = frame.inertia[k + 1] = (frame.inertia[k] + frame.inertia[k + 1]) / 2;
    }
  }
  frame.axes[0] = with_sign(geometry::unit(axes[order[0]]));
  frame.axes[1] = with_sign(geometry::unit(axes[order[1]]));
  frame.axes[2] = geometry::cross(frame.axes[0], frame.axes[1]);
  return frame;
}

ClumpBody make_clump(const std::vector<ClumpSphere>& spheres, const MassChoice& choice) {
  const UnionMoments all = union_moments(spheres, choice);
  PrincipalFrame frame = principal_frame(all.moments);
  // Centres are measured from the origin of the moments, which keeps more digits than the frame of the template.
  const Real3& origin = all.moments.origin;
  Real3 to_center = geometry::scaled(all.moments.first, 1 / all.moments.volume);
  if (spheres.size() == 1) to_center = geometry::subtract(spheres[0].center, origin);
  if (spheres.size() == 1) frame = {spheres[0].center, frame.inertia, {Real3{1, 0, 0}, Real3{0, 1, 0}, Real3{0, 0, 1}}};
  ClumpBody body;
  body.volume = all.moments.volume;
  body.inertia = frame.inertia;
  body.center = frame.center;
  body.axes = frame.axes;
  body.method = all.method;
  body.error = all.error;
  body.equivalent_radius = packing::exact_cbrt(0.75 * body.volume / std::numbers::pi);
  for (const auto& sphere : spheres) {
    const Real3 from = geometry::subtract(geometry::subtract(sphere.center, origin), to_center);
    const Real3 place = {geometry::dot(frame.axes[0], from), geometry::dot(frame.axes[1], from),
                         geometry::dot(frame.axes[2], from)};
    body.members.push_back({place, sphere.radius});
    body.bounding_radius = std::max(body.bounding_radius, geometry::length(place) + sphere.radius);
  }
  return body;
}

ClumpBody scaled(const ClumpBody& clump, double factor) {
  const double squared = factor * factor, cubed = squared * factor;
  ClumpBody body = clump;
  for (auto& member : body.members) member = {geometry::scaled(member.center, factor), member.radius * factor};
  body.volume *= cubed;
  body.inertia = geometry::scaled(body.inertia, cubed * squared);
  body.center = geometry::scaled(body.center, factor);
  body.bounding_radius *= factor;
  body.equivalent_radius *= factor;
  return body;
}

std::string doubt_about_mass(double error) {
  if (error <= poor_grid_error) return {};
  return "mass and inertia have a relative error of about " + short_number_text(100 * error, 2) +
         " %, because they come from a coarse grid";
}

std::string describe_method(MassMethod method, double error) {
  switch (method) {
    case MassMethod::closed_form: return "in closed form: no members overlap";
    case MassMethod::slices: return "from exact slices, relative error about " + short_number_text(error, 2);
    case MassMethod::grid: return "counted on a grid, relative error about " + short_number_text(error, 2);
  }
  return {};
}

}  // namespace scree::clumps
