#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "scenes.hpp"

namespace scree::physics {

/// Results of a collision, from the first contact to the end of the overlap.
struct Impact {
  double most_overlap = 0;        ///< [m]
  double most_force = 0;          ///< [N]
  double duration = 0;            ///< [s]
  std::vector<Reading> particle;  ///< [n_particles] readings after the collision
};

/// Runs a scene, whose bodies just touch at the start, until their overlap ends. The start at the exact first contact
/// avoids the error of a truncated first step. `overlap` computes the overlap [m] from a snapshot.
template <class Overlap>
Impact collide(const Scene& scene, Overlap&& overlap) {
  constexpr int most_steps = 100000;
  const auto engine = start(scene);
  Impact impact;
  double before = 0;
  for (int step = 1; step <= most_steps; ++step) {
    engine->advance(1);
    const Snapshot s = engine->snapshot({true, false});
    const double now = overlap(s);
    impact.most_overlap = std::max(impact.most_overlap, now);
    impact.most_force = std::max(impact.most_force, norm(s.force[0]));
    if (now <= 0) {
      impact.duration = scene.time_step * (step - 1 + before / (before - now));
      for (std::size_t i = 0; i < s.id.size(); ++i) {
        impact.particle.push_back({s.position[i], s.velocity[i], s.angular_velocity[i], s.force[i]});
      }
      return impact;
    }
    before = now;
  }
  throw std::runtime_error("the impact did not end");
}

/// [m] overlap of the first two spheres.
inline double pair_overlap(const Snapshot& s) {
  return s.radius[0] + s.radius[1] - norm(s.position[1] - s.position[0]);
}

/// [m] overlap of the first sphere with the half space z < 0.
inline double floor_overlap(const Snapshot& s) { return s.radius[0] - s.position[0][2]; }

/// Largest overlap [m] and duration [s] of an undamped Hertz impact (Timoshenko & Goodier 1970, art. 140).
struct HertzImpact {
  double overlap, duration;
};
inline HertzImpact hertz_impact(double effective_young, double effective_radius, double effective_mass, double speed) {
  const double stiffness = 4.0 / 3.0 * effective_young * std::sqrt(effective_radius);
  const double overlap = std::pow(5 * effective_mass * speed * speed / (4 * stiffness), 0.4);
  return {overlap, 2.9432756 * overlap / speed};
}

inline double plane_strain_modulus(const Substance& s) { return s.young / (1 - s.poisson * s.poisson); }

/// A sphere that touches the rigid floor z = 0 and moves down with `normal_speed` [m/s]; the undamped contact time has
/// `steps` steps.
inline Scene floor_impact(const Substance& sphere, double radius, const MaterialPair& contact, double normal_speed,
                          double tangential_speed, double spin_y, int steps) {
  const HertzImpact undamped =
      hertz_impact(plane_strain_modulus(sphere), radius, sphere_mass(radius, sphere.density), normal_speed);
  Scene scene = hertz_scene(sphere, contact, undamped.duration / steps);
  add_sphere(scene, {0, 0, radius}, radius, {tangential_speed, 0, -normal_speed}, {0, spin_y, 0});
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  return scene;
}

}  // namespace scree::physics
