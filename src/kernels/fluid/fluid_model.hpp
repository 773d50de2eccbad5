#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/fluid/solid_table.hpp"
#include "kernels/math/logarithm.hpp"
#include "kernels/math/vec3.hpp"
#include "scree/fluid.hpp"

/// What a fluid does to a sphere. docs/theory.md has the equations.
namespace scree::inline SCREE_BACKEND {

/// Velocities on a regular grid; see FlowGrid. Empty: the flow is the same everywhere.
struct FlowField {
  Span<Vec3d> velocity{};  ///< [m/s] [all points] x runs fastest, then y
  std::uint32_t points[3] = {};
  Vec3d first{}, spacing{};  ///< [m]

  /// [m/s] Trilinear between the points; outside the value at the nearest place of the grid.
  SCREE_HD Vec3d at(const Vec3d& place) const {
    const Vec3d way = place - first;
    const Side x = side(way.x, spacing.x, points[0]), y = side(way.y, spacing.y, points[1]),
               z = side(way.z, spacing.z, points[2]);
    const std::size_t row = points[0], layer = row * points[1];
    const auto along_x = [&](std::size_t j, std::size_t k) {
      const std::size_t line = j * row + k * layer;
      return between(velocity[line + x.low], velocity[line + x.high], x.part);
    };
    const auto along_y = [&](std::size_t k) { return between(along_x(y.low, k), along_x(y.high, k), y.part); };
    return between(along_y(z.low), along_y(z.high), z.part);
  }

 private:
  /// The two points of an axis between which a place lies, and its part [-] of the way between them.
  struct Side {
    std::size_t low, high;
    double part;
  };
  static SCREE_HD Side side(double way, double spacing, std::uint32_t points) {
    if (points == 1) { return {0, 0, 0}; }
    const double last = double(points - 1), steps = way / spacing;
    const double inside = steps > 0 ? (steps < last ? steps : last) : 0;  // 0 also if the place is no number
    const std::size_t low = inside < last ? static_cast<std::size_t>(inside) : points - 2;
    return {low, low + 1, inside - double(low)};
  }
  static SCREE_INLINE Vec3d between(const Vec3d& a, const Vec3d& b, double part) { return a + part * (b - a); }
};

/// Re^0.687 with the same bits everywhere, and a number below rounding beside 1 where Re is next to 0.
struct ReynoldsPower {
  SCREE_HD double operator()(double reynolds) const {
    constexpr double least = 1e-300;  // the logarithm takes normal numbers
    return math::quick_exponential(0.687 * math::logarithm(reynolds > least ? reynolds : least));
  }
};

/// The fluid, as kernels see it.
struct FluidModel {
  double density = 0;      ///< [kg/m3]
  double viscosity = 0;    ///< [Pa s]
  double grain_scale = 1;  ///< [-] size of a particle over that of the grains that feel the drag
  DragLaw drag = DragLaw::stokes;
  Hindrance hindrance = Hindrance::none;
  std::uint32_t is_bounded = 0;  ///< 1: the fluid is below a surface
  Vec3d point{}, normal{};       ///< [m], [-] of the surface; the normal has length 1
  FlowField field{};

  /// [-] The part of the volume of a sphere that is in the fluid.
  SCREE_HD double submerged(const Vec3d& place, double radius) const {
    if (is_bounded == 0) { return 1; }
    const double depth = radius - dot(place - point, normal);  // of the lowest point
    if (!(depth > 0)) { return 0; }
    if (depth >= 2 * radius) { return 1; }
    return depth * depth * (3 * radius - depth) / (4 * radius * radius * radius);
  }

  /// [-] Drag over that of Stokes on a single grain, at the Reynolds number of the velocity relative to the fluid
  /// between the grains.
  SCREE_HD double excess(double reynolds, double porosity) const {
    return hindrance == Hindrance::none ? excess_alone(reynolds) : excess_among_others(reynolds, porosity);
  }
  SCREE_HD double excess_alone(double reynolds) const { return drag_over_stokes(drag, reynolds, ReynoldsPower{}); }
  SCREE_HD double excess_among_others(double reynolds, double porosity) const {
    const double through = porosity * reynolds;  // of the flow through all of the area
    return excess_alone(through) * di_felice(through, porosity);
  }

  /// [-] porosity^-chi. Di Felice, R. (1994), Int. J. Multiphase Flow 20, 153-159.
  static SCREE_HD double di_felice(double reynolds, double porosity) {
    constexpr double least = 1e-12;  // chi is 3.7 to rounding below it
    const double gap = 1.5 - 0.43429448190325182765 * math::logarithm(reynolds > least ? reynolds : least);
    const double chi = 3.7 - 0.65 * math::quick_exponential(-0.5 * gap * gap);
    return math::quick_exponential(-chi * math::logarithm(porosity));
  }
};

/// A sphere in the fluid, or what is taken for one.
struct ImmersedSphere {
  Vec3d place, velocity;  ///< [m], [m/s]
  double density;         ///< [kg/m3]
  double radius;          ///< [m] of the sphere of the same volume
  double turning;         ///< [1/m2] rate of the drag on the spin, times the density over the viscosity
  Vec3d gravity;          ///< [m/s2]
};

/// What the fluid does to a sphere that moves with the velocity v: the acceleration pull - rate v.
struct FluidAction {
  Vec3d pull;                 ///< [m/s2] on a sphere at rest
  double rate, angular_rate;  ///< [1/s] of the drag on the velocity and on the spin
};

/// The fluid where a sphere is.
struct FluidAround {
  Vec3d velocity;   ///< [m/s]
  double part;      ///< [-] of the volume of the sphere that is in the fluid
  double reynolds;  ///< [-] of a grain
  double porosity;  ///< [-]
};
/// `flow` [m/s] is that of a fluid that flows the same everywhere; `solids` is a SolidTable or a SolidReader of it.
template <class Solids>
SCREE_HD FluidAround around(const ImmersedSphere& sphere, const FluidModel& model, const Vec3d& flow, Solids& solids) {
  const Vec3d velocity = model.field.velocity.size > 0 ? model.field.at(sphere.place) : flow;
  const double speed = norm(velocity - sphere.velocity), radius = sphere.radius / model.grain_scale;
  return {velocity, model.submerged(sphere.place, sphere.radius), 2 * model.density * speed * radius / model.viscosity,
          solids.any() ? solids.porosity(sphere.place) : 1};
}

/// `excess` is that of the model at the Reynolds number. A parcel moves as its grains do: its drag per mass is theirs.
/// All rates are proportional to 1 / radius^2.
SCREE_HD inline FluidAction action_on(const ImmersedSphere& sphere, const FluidModel& model, const FluidAround& fluid,
                                      double excess) {
  const double factor = fluid.part * model.grain_scale * model.grain_scale * model.viscosity / sphere.density;
  const double rate = 4.5 * factor * excess / (sphere.radius * sphere.radius);
  return {rate * fluid.velocity - (fluid.part * model.density / sphere.density) * sphere.gravity, rate,
          factor * sphere.turning};
}

}  // namespace scree::inline SCREE_BACKEND
