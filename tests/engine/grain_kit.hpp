#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "../physics/clump_shapes.hpp"
#include "engine_kit.hpp"

/// Level-set grains for tests, made here from formulas: nothing of the host is needed.
namespace scree::inline SCREE_BACKEND {

using physics::operator+;
using physics::operator-;
using physics::operator*;

using DistanceOf = std::function<double(const Real3&)>;

inline double length_of(const Real3& a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

inline DistanceOf ball(double radius) {
  return [radius](const Real3& x) { return length_of(x) - radius; };
}

/// A box with rounded edges; `half` are the half edges without the rounding.
inline DistanceOf rounded_box(const Real3& half, double rounding) {
  return [half, rounding](const Real3& x) {
    Real3 outside{};
    double inside = -1e300;
    for (std::size_t k = 0; k < 3; ++k) {
      const double q = std::abs(x[k]) - half[k];
      outside[k] = std::max(q, 0.0);
      inside = std::max(inside, q);
    }
    return length_of(outside) + std::min(inside, 0.0) - rounding;
  };
}

/// Fills the grid of a shape within `reach` of the origin, without the bias of trilinear interpolation.
inline void fill_grid(GrainShape& shape, const DistanceOf& distance, double reach, double spacing) {
  const auto half = static_cast<std::uint32_t>(std::ceil(reach / spacing)) + 3;
  shape.spacing = spacing;
  shape.size = {2 * half + 1, 2 * half + 1, 2 * half + 1};
  const double edge = -double(half) * spacing;
  shape.origin = {edge, edge, edge};
  shape.phi.clear();
  for (std::uint32_t k = 0; k < shape.size[2]; ++k) {
    for (std::uint32_t j = 0; j < shape.size[1]; ++j) {
      for (std::uint32_t i = 0; i < shape.size[0]; ++i) {
        const auto at = [&](double a, double b, double c) {
          return distance({shape.origin[0] + (i + a) * spacing, shape.origin[1] + (j + b) * spacing,
                           shape.origin[2] + (k + c) * spacing});
        };
        const double here = at(0, 0, 0);
        const double around = at(1, 0, 0) + at(-1, 0, 0) + at(0, 1, 0) + at(0, -1, 0) + at(0, 0, 1) + at(0, 0, -1);
        shape.phi.push_back(static_cast<float>(here - (around - 6 * here) / 12));
      }
    }
  }
}

/// A grain that every ray from its centre leaves once, with its axes as principal ones. The nodes lie on directions of
/// a spiral of equal solid angles.
inline GrainShape grain_of(const DistanceOf& distance, double reach, double spacing, std::size_t nodes) {
  GrainShape shape;
  shape.name = "grain";
  fill_grid(shape, distance, reach, spacing);
  const double golden = 3.14159265358979323846 * (3 - std::sqrt(5.0)),
               angle = 4 * 3.14159265358979323846 / double(nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    const double z = 1 - (2 * double(n) + 1) / double(nodes), ring = std::sqrt(1 - z * z);
    const Real3 ray{ring * std::cos(golden * double(n)), ring * std::sin(golden * double(n)), z};
    const auto along = [&](double r) { return Real3{r * ray[0], r * ray[1], r * ray[2]}; };
    double low = 0, high = 1.01 * reach;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (distance(along(middle)) < 0 ? low : high) = middle;
    }
    const Real3 x = along(low);
    const double h = 1e-6 * reach;
    Real3 normal{};
    for (std::size_t k = 0; k < 3; ++k) {
      Real3 a = x, b = x;
      a[k] -= h, b[k] += h;
      normal[k] = (distance(b) - distance(a)) / (2 * h);
    }
    const double tilt = (normal[0] * ray[0] + normal[1] * ray[1] + normal[2] * ray[2]) / length_of(normal);
    shape.node.push_back(x);
    shape.node_area.push_back(angle * low * low / tilt);
    shape.volume += angle * low * low * low / 3;
    const double fifth = angle * low * low * low * low * low / 5;
    for (std::size_t k = 0; k < 3; ++k) { shape.inertia[k] += fifth * (1 - ray[k] * ray[k]); }
    shape.bounding_radius = std::max(shape.bounding_radius, low);
  }
  shape.equivalent_radius = std::cbrt(3 * shape.volume / angle / double(nodes));
  return shape;
}

/// Adds a shape; returns its number among the shapes of clumps. All particles of the first material are grains then.
inline std::uint32_t add_grain_shape(Scene& scene, const GrainShape& grain) {
  scene.grain_materials.assign(scene.materials.size(), false);
  scene.grain_materials[0] = true;
  ClumpShape shape;
  shape.name = grain.name;
  shape.position = {{0, 0, 0}};
  shape.radius = {1.01 * grain.bounding_radius};
  shape.volume = grain.volume;
  shape.inertia = grain.inertia;
  shape.bounding_radius = shape.radius[0];
  shape.grain = static_cast<std::uint32_t>(scene.grain_shapes.size());
  scene.grain_shapes.push_back(grain);
  scene.clump_shapes.push_back(shape);
  return static_cast<std::uint32_t>(scene.clump_shapes.size() - 1);
}

/// A box with points of the grid moved up and down: its field is steeper than a distance.
inline GrainShape rough_box() {
  GrainShape grain =
      grain_of(rounded_box({0.7 * bead, 0.5 * bead, 0.4 * bead}, 0.2 * bead), 1.2 * bead, 0.12 * bead, 500);
  Random random(7);
  for (float& phi : grain.phi) { phi += static_cast<float>(random(-0.15, 0.15) * grain.spacing); }
  return grain;
}

/// How a body of a pile starts. `place` counts along x, y and z.
struct PileBody {
  std::array<int, 3> place;
  std::array<double, 4> orientation;
  Real3 velocity, spin;
};
/// Calls add(body) for the bodies of a pile of 2 x 2 x `layers`, layer by layer.
template <class Add>
void each_in_pile(int layers, const Add& add) {
  Random random(5);
  for (int k = 0; k < layers; ++k) {
    for (int j = 0; j < 2; ++j) {
      for (int i = 0; i < 2; ++i) {
        const Real3 axis = random.direction(), v = random.point({-0.2, -0.2, -0.8}, {0.2, 0.2, -0.3}),
                    spin = random.point({-60, -60, -60}, {60, 60, 60});
        const double angle = random(0, 3);
        add(PileBody{{i, j, k}, physics::turn(axis, angle), v, spin});
      }
    }
  }
}

/// Grains and spheres in a turning drum with a moving floor of facets, a paddle and a plane.
inline Scene grain_drum(Precision precision, bool two_pass) {
  Scene scene = glass_scene(precision);
  scene.materials.push_back(scene.materials[0]);
  scene.pairs = std::vector<MaterialPair>(4, scene.pairs[0]);
  scene.verlet_distance = 0.4 * bead;
  scene.gravity = {0, 0, -50};
  add_grain_shape(scene, rough_box());
  add_grain_shape(scene, grain_of(ball(bead), bead, 0.15 * bead, 400));
  scene.grain_materials = {true, false};
  scene.grain_contacts.two_pass = two_pass;
  add_cylinder(scene, {0, 0, -20 * bead}, {0, 0, 200 * bead}, 3.5 * bead).motion = {{Rotation{{0, 0, 1}, {}, 20.0}}};
  add_mesh(scene, sheet({-4 * bead, -4 * bead, 0}, {8 * bead, 0, 0}, {0, 8 * bead, 0}, 5)).motion = {
      {Translation{{0.05, 0, 0.1}}, 1e-3, 3e-3}};
  add_mesh(scene, sheet({0, 0, 0.3 * bead}, {3 * bead, 0, 0}, {0, 0, 4 * bead}, 2)).motion = {
      {Rotation{{0, 0, 1}, {}, 40.0}}};
  add_plane(scene, {0, 0, 9 * bead}, {0, 0, -1});
  for (SceneBoundary& boundary : scene.boundaries) { boundary.material = 1; }
  each_in_pile(3, [&](const PileBody& body) {
    const auto [i, j, k] = body.place;
    const Real3 x{(2 * i - 1) * bead, (2 * j - 1) * 1.4 * bead, (1.3 + 2.1 * k) * bead};
    if ((i + j + k) % 3 == 2) {
      physics::add_sphere(scene, x, 0.8 * bead, body.velocity, body.spin, 1);
    } else {
      physics::add_clump(scene, static_cast<std::uint32_t>((i + j + k) % 2), x, body.velocity, body.spin,
                         body.orientation, 0.8);
    }
  });
  return scene;
}

/// The whole scene turned about the origin.
inline Scene turned_scene(Scene scene, const std::array<double, 4>& q) {
  const auto times = [](const std::array<double, 4>& a, const std::array<double, 4>& b) {
    return std::array<double, 4>{
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
  };
  for (Clump& c : scene.particles.clumps) {
    c.position = physics::turned_by(q, c.position);
    c.velocity = physics::turned_by(q, c.velocity);
    c.angular_velocity = physics::turned_by(q, c.angular_velocity);
    c.orientation = times(q, c.orientation);
  }
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    scene.particles.position[i] = physics::turned_by(q, scene.particles.position[i]);
    scene.particles.velocity[i] = physics::turned_by(q, scene.particles.velocity[i]);
  }
  return scene;
}

/// Momentum [kg m/s] and angular momentum about the origin [kg m2/s] of all clumps.
struct Motion3 {
  Real3 momentum{}, angular{};
};
inline Motion3 motion_of(Engine& engine) {
  Motion3 sum;
  using physics::cross;
  using physics::operator+;
  using physics::operator*;
  for (const SnapshotClump& c : engine.snapshot().clumps) {
    // Velocities belong to the middle of the step: what the contact forces change is the same at both ends of it.
    const Real3 p = c.mass * c.velocity;
    std::array<double, 4> back = c.orientation;
    for (std::size_t k = 1; k < 4; ++k) { back[k] = -back[k]; }
    Real3 own = physics::turned_by(back, c.angular_velocity);
    for (std::size_t k = 0; k < 3; ++k) { own[k] *= c.inertia[k]; }
    sum.momentum = sum.momentum + p;
    sum.angular = sum.angular + cross(c.position, p) + physics::turned_by(c.orientation, own);
  }
  return sum;
}

}  // namespace scree::inline SCREE_BACKEND
