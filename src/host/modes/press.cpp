#include "host/modes/press.hpp"

#include <algorithm>

#include "host/geometry/real3.hpp"
#include "host/modes/contact_solver.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::modes {
namespace {

using Index = Eigen::Index;

constexpr double slack = 0.25;     ///< nodes with gaps up to 1 + slack times the largest indentation may touch
constexpr double looseness = 1e3;  ///< compliance of the springs that hold the grain over the compliance of the grain
/// Compliance of a skin at each node over the compliance of the grain there. Without a skin forces would not be unique
/// if more nodes than unknowns touch. It is too small to change a printed digit.
constexpr double full_skin = 1e-6, reduced_skin = 1e-4;

/// How far [m] the surface reaches along an axis. Where the surface is round, this is the top of a paraboloid through
/// the nodes around the outermost node, because the top may lie half-way between nodes. Otherwise it is the outermost
/// node.
double reach_of(const GrainShape& shape, std::size_t axis, double sign) {
  const auto height = [&](const Real3& node) { return sign * node[axis]; };
  const Real3 outermost = *std::max_element(shape.node.begin(), shape.node.end(),
                                            [&](const Real3& a, const Real3& b) { return height(a) < height(b); });
  const double h = shape.spacing;
  std::vector<Real3> near;  // two components across the axis and the height, all from the outermost node [spacings]
  for (const Real3& node : shape.node) {
    const Real3 from = geometry::scaled(geometry::subtract(node, outermost), 1 / h);
    if (geometry::length(from) < 1.7) near.push_back({from[(axis + 1) % 3], from[(axis + 2) % 3], sign * from[axis]});
  }
  if (near.size() < 8) return height(outermost);
  Matrix rows(static_cast<Index>(near.size()), 6);
  Vector heights(rows.rows());
  for (Index k = 0; k < rows.rows(); ++k) {
    const auto& [a, b, c] = near[static_cast<std::size_t>(k)];
    rows.row(k) << 1, a, b, 0.5 * a * a, a * b, 0.5 * b * b;
    heights[k] = c;
  }
  const Vector fit = rows.colPivHouseholderQr().solve(heights);
  Eigen::Matrix2d curvature;
  curvature << fit[3], fit[4], fit[4], fit[5];
  const Eigen::Vector2d slope(fit[1], fit[2]);
  if (!(curvature.trace() < 0 && curvature.determinant() > 1e-6)) return height(outermost);
  const Eigen::Vector2d top = -curvature.inverse() * slope;
  const double rise = fit[0] + 0.5 * slope.dot(top);
  constexpr double farthest = 0.7, highest = 0.15;  // [spacings] beyond these limits the surface is not a paraboloid
  if (!(top.norm() < farthest && rise > 0 && rise < highest)) return height(outermost);
  return height(outermost) + rise * h;
}

}  // namespace

PressedGrain::PressedGrain(const ElasticBody& body, const GrainShape& shape, const std::vector<std::size_t>& axes,
                           double largest, const Progress& progress)
    : body_(body) {
  find_contacts(shape, axes, largest);
  const auto n = static_cast<Index>(contact_.size());
  outward_ = outward();
  gap_.resize(n);
  for (Index k = 0; k < n; ++k) gap_[k] = contact_[static_cast<std::size_t>(k)].gap;
  in_motion_ = outward_.transpose() * body.rigid().leftCols(3);
  elastic_.resize(n, n);
  constexpr Index at_once = 64;
  for (Index first = 0; first < n; first += at_once) {
    const Index count = std::min(at_once, n - first);
    if (first % (4 * at_once) == 0) {
      progress("unit loads at nodes that may touch: " + std::to_string(first) + " of " + std::to_string(n));
    }
    const Matrix answer = body.solve(Matrix(outward_.middleCols(first, count)));
    elastic_.middleCols(first, count) = outward_.transpose() * answer;
  }
  elastic_ = (0.5 * (elastic_ + elastic_.transpose())).eval();
  const double motion = in_motion_.rowwise().squaredNorm().maxCoeff();
  loose_ = looseness * elastic_.diagonal().maxCoeff() / motion;
}

void PressedGrain::find_contacts(const GrainShape& shape, const std::vector<std::size_t>& axes, double largest) {
  for (const std::size_t axis : axes) {
    for (const double sign : {-1.0, 1.0}) {
      const double farthest = reach_of(shape, axis, sign);
      for (const Real3& node : shape.node) {
        const double gap = (farthest - sign * node[axis]) / shape.spacing;
        if (!(gap <= (1 + slack) * largest)) continue;
        const auto at = shape_functions(body_.cells(), in_spacings(shape, node));
        if (at) contact_.push_back({*at, axis, sign, gap});
      }
    }
  }
  if (contact_.empty()) throw CaseError(shape.name, "no node comes to touch the planes");
  if (contact_.size() > most_contacts) {
    throw CaseError(shape.name, count_text(contact_.size()) + " nodes may touch the planes, more than " +
                                    count_text(most_contacts) +
                                    "; give a smaller --largest, or the template fewer nodes");
  }
}

SparseMatrix PressedGrain::outward() const {
  std::vector<Eigen::Triplet<double, std::int32_t>> entries;
  entries.reserve(8 * contact_.size());
  for (std::size_t k = 0; k < contact_.size(); ++k) {
    const auto& [at, axis, sign, gap] = contact_[k];
    for (std::size_t c = 0; c < 8; ++c) {
      entries.emplace_back(3 * at.point[c] + static_cast<std::int32_t>(axis), static_cast<std::int32_t>(k),
                           sign * at.weight[c]);
    }
  }
  SparseMatrix loads(body_.unknowns(), static_cast<Index>(contact_.size()));
  loads.setFromTriplets(entries.begin(), entries.end());
  return loads;
}

PressedGrain::State PressedGrain::press(double depth) const {
  const double skin = full_skin * elastic_.diagonal().maxCoeff();
  const Vector force = solve_contact(elastic_, skin, {in_motion_, loose_}, depth - gap_.array());
  State state;
  state.displacement = body_.solve(-(outward_ * force));
  state.force = force.sum();
  state.energy = 0.5 * force.dot(elastic_ * force);
  state.touching = static_cast<std::size_t>((force.array() > 0).count());
  return state;
}

PressedGrain::Reduced PressedGrain::press_reduced(const Matrix& modes, const Matrix& stiffness, double depth) const {
  // The unknowns are the amplitudes and the shift of the grain. There are more touching nodes than unknowns, so without
  // a skin the forces would not be unique. The energy is convex, and quadratic while the same nodes touch.
  const Index n = modes.cols();
  Matrix at_contact(outward_.cols(), n + 3);
  at_contact << outward_.transpose() * modes, in_motion_;
  Matrix rest = Matrix::Zero(n + 3, n + 3);
  rest.topLeftCorner(n, n) = stiffness;
  rest.bottomRightCorner(3, 3).diagonal().setConstant(1 / loose_);
  const double skin = 1 / (reduced_skin * elastic_.diagonal().maxCoeff());
  const auto overlap_at = [&](const Vector& x) -> Vector {
    return (at_contact * x - gap_).array().cwiseMax(-depth) + depth;
  };
  const auto energy_at = [&](const Vector& x) {
    return 0.5 * x.dot(rest * x) + 0.5 * skin * overlap_at(x).squaredNorm();
  };
  Vector x = Vector::Zero(n + 3);
  double energy = energy_at(x);
  for (int pass = 0; pass < 200; ++pass) {
    const Vector overlap = overlap_at(x);
    const Vector slope = rest * x + skin * at_contact.transpose() * overlap;
    const Vector touches = (overlap.array() > 0).cast<double>();
    const Matrix tangent = rest + skin * at_contact.transpose() * touches.asDiagonal() * at_contact;
    const Vector step = tangent.ldlt().solve(-slope);
    double part = 1, next = energy_at(x + step);
    while (next > energy + 1e-4 * part * slope.dot(step) && part > 1e-6) {
      part /= 2;
      next = energy_at(x + part * step);
    }
    x += part * step;
    if (!(energy - next > 1e-14 * energy)) break;
    energy = next;
  }
  Reduced state;
  state.amplitude = x.head(n);
  state.force = skin * overlap_at(x).sum();
  state.energy = 0.5 * state.amplitude.dot(stiffness * state.amplitude);
  return state;
}

}  // namespace scree::modes
