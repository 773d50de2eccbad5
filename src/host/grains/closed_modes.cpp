#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/clumps/orientation.hpp"
#include "host/geometry/real3.hpp"
#include "host/grains/modes.hpp"
#include "host/packing/exact_math.hpp"
#include "scree/errors.hpp"

namespace scree::grains {
namespace {

/// The displacement at a point; both are in the frame of the source.
using Formula = std::function<Real3(const Real3&)>;

Formula strain(std::size_t i, std::size_t j) {
  return [i, j](const Real3& x) {
    Real3 u{};
    u[i] += x[j];
    if (i != j) u[j] += x[i];
    return u;
  };
}

/// Sine and cosine of an angle [rad] from -pi to pi, with the same bits everywhere.
packing::SineCosine sine_cosine(double angle) {
  const double size = std::min(std::fabs(angle), std::numbers::pi);
  const bool obtuse = size > 0.5 * std::numbers::pi;
  const auto acute = packing::exact_sine_cosine(obtuse ? std::numbers::pi - size : size);
  return {angle < 0 ? -acute.sine : acute.sine, obtuse ? -acute.cosine : acute.cosine};
}

/// Bending of a beam with this length [m] whose cross-sections stay plane. The deflection is w = cos(pi x / L), and the
/// cross-sections rotate with the slope of w.
Formula bending(std::size_t along, std::size_t towards, double length) {
  const double rate = std::numbers::pi / length;
  return [=](const Real3& x) {
    const auto wave = sine_cosine(rate * x[along]);
    Real3 u{};
    u[towards] = wave.cosine;
    u[along] = x[towards] * rate * wave.sine;
    return u;
  };
}

Formula stretching(std::size_t along, double length) {
  const double rate = std::numbers::pi / length;
  return [=](const Real3& x) {
    Real3 u{};
    u[along] = sine_cosine(rate * x[along]).sine;
    return u;
  };
}

/// Extent [m] of the nodes along an axis of the source.
double extent(const GrainShape& shape, std::size_t axis) {
  double low = 0, high = 0;
  for (const Real3& node : shape.node) {
    const double x = clumps::turned(shape.to_source, node)[axis];
    low = std::min(low, x);
    high = std::max(high, x);
  }
  return high - low;
}

QuaternionWxyz reversed(const QuaternionWxyz& q) { return {q[0], -q[1], -q[2], -q[3]}; }

/// The axis of the body frame that is parallel to this axis of the source. Throws CaseError (path: forms) if none is.
std::size_t body_axis(const GrainShape& shape, std::size_t axis) {
  Real3 direction{};
  direction[axis] = 1;
  const Real3 own = clumps::turned(reversed(shape.to_source), direction);
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::fabs(own[k]) > 1 - 1e-6) return k;
  }
  throw CaseError("forms", "of slender bodies need a source whose axes x, y and z are its principal axes");
}

struct Entry {
  Formula formula;
  std::size_t along = 3;  ///< axis of the source along which a slender body is strained; 3: none
};

std::vector<Entry> entries_of(const GrainShape& shape, ClosedMode form) {
  const auto bend = [&](std::size_t along, std::size_t towards) {
    return std::vector{Entry{bending(along, towards, extent(shape, along)), along}};
  };
  const auto stretch = [&](std::size_t along) {
    return std::vector{Entry{stretching(along, extent(shape, along)), along}};
  };
  switch (form) {
    case ClosedMode::homogeneous:
      return {{strain(0, 0)}, {strain(1, 1)}, {strain(2, 2)}, {strain(0, 1)}, {strain(1, 2)}, {strain(2, 0)}};
    case ClosedMode::strain_xx: return {{strain(0, 0)}};
    case ClosedMode::strain_yy: return {{strain(1, 1)}};
    case ClosedMode::strain_zz: return {{strain(2, 2)}};
    case ClosedMode::strain_xy: return {{strain(0, 1)}};
    case ClosedMode::strain_yz: return {{strain(1, 2)}};
    case ClosedMode::strain_zx: return {{strain(2, 0)}};
    case ClosedMode::bending_xy: return bend(0, 1);
    case ClosedMode::bending_xz: return bend(0, 2);
    case ClosedMode::bending_yx: return bend(1, 0);
    case ClosedMode::bending_yz: return bend(1, 2);
    case ClosedMode::bending_zx: return bend(2, 0);
    case ClosedMode::bending_zy: return bend(2, 1);
    case ClosedMode::stretching_x: return stretch(0);
    case ClosedMode::stretching_y: return stretch(1);
    case ClosedMode::stretching_z: return stretch(2);
  }
  return {};
}

}  // namespace

std::vector<ModeFormula> closed_modes(const GrainShape& shape, const std::vector<ClosedMode>& forms, bool beam_theory) {
  std::vector<ModeFormula> modes;
  for (const ClosedMode form : forms) {
    for (const Entry& entry : entries_of(shape, form)) {
      const auto in_body = [formula = entry.formula, to = shape.to_source, back = reversed(shape.to_source)](
                               const Real3& x) { return clumps::turned(back, formula(clumps::turned(to, x))); };
      double most = 0;
      for (const Real3& node : shape.node) most = std::max(most, geometry::length(in_body(node)));
      modes.push_back({[in_body, scale = 1 / most](const Real3& x) { return geometry::scaled(in_body(x), scale); }, 3});
      if (entry.along < 3 && beam_theory) modes.back().along = body_axis(shape, entry.along);
    }
  }
  return modes;
}

}  // namespace scree::grains
