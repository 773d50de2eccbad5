#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "kernels/integrators/fincham.hpp"
#include "kernels/integrators/omelyan.hpp"
#include "kernels/integrators/spiral.hpp"
#include "rotation_reference.hpp"

/// Drives the integrators of rotation without an engine.
namespace scree::physics::rotation {

template <class R>
Vec3<R> to_vec3(const Vector& v) {
  return {static_cast<R>(v[0]), static_cast<R>(v[1]), static_cast<R>(v[2])};
}
template <class R>
Vector to_vector(const Vec3<R>& v) {
  return {double(v.x), double(v.y), double(v.z)};
}
inline Matrix to_matrix(const Quaterniond& q) { return matrix_of({q.w, q.x, q.y, q.z}); }

/// A body aligned with the world axes, with a spin that belongs to a whole step.
template <class R = double>
Rotor<R> start_of(const Vector& inertia, const Vector& w0) {
  return {{1, 0, 0, 0}, to_vec3<R>(w0), times_each(to_vec3<R>(inertia), to_vec3<R>(w0))};
}

struct Setting {
  Vector inertia, w0;
  std::function<Vector(double)> torque;  ///< [N m] in world axes; none: free
  bool half_start = true;  ///< the first kick lasts for half a step; otherwise the spin belongs to half a step before
};

/// Integrates a body over the given times (ascending, from 0), one step from each to the next.
template <class Integrator>
Rotor<double> follow(const Setting& setting, const std::vector<double>& times) {
  Rotor<double> rotor = start_of(setting.inertia, setting.w0);
  const Vec3<double> inertia = to_vec3<double>(setting.inertia);
  double before = setting.half_start ? 0 : times[1] - times[0];
  for (std::size_t n = 0; n + 1 < times.size(); ++n) {
    const double move = times[n + 1] - times[n];
    const Vector torque = setting.torque ? setting.torque(times[n]) : Vector{};
    Integrator::step(rotor, inertia, to_vec3<double>(torque), {0.5 * (before + move), move});
    before = move;
  }
  return rotor;
}

inline std::vector<double> even_times(double end, int count) {
  std::vector<double> times;
  for (int n = 0; n <= count; ++n) { times.push_back(end * n / count); }
  return times;
}
/// Times of steps that become longer and shorter by half.
inline std::vector<double> uneven_times(double end, int count) {
  std::vector<double> times = even_times(end, count);
  for (double& t : times) { t += 0.08 * end * std::sin(2 * std::numbers::pi * t / end); }
  return times;
}

struct Errors {
  double orientation, spin;
};

/// Slopes of the errors over 400 to 3200 steps in 10 s, by least squares of the logarithms. `exact(t, s)` gives the
/// reference: the matrix at the time t, and the spin in body axes at the time s.
template <class Integrator>
struct Orders {
  Errors slope{}, at_the_finest{};

  template <class Exact>
  Orders(const Setting& setting, const Exact& exact, std::vector<double> (*grid)(double, int) = even_times) {
    double sx = 0, sxx = 0, sq = 0, sqx = 0, sw = 0, swx = 0;
    for (int k = 0; k < 4; ++k) {
      const auto times = grid(10, 400 << k);
      const auto rotor = follow<Integrator>(setting, times);
      const double middle = (times[times.size() - 2] + times.back()) / 2;
      const auto [orientation, spin] = exact(times.back(), middle);
      at_the_finest = {difference(to_matrix(rotor.orientation), orientation),
                       difference(to_vector(body_spin(rotor)), spin)};
      const double x = k, q = std::log2(at_the_finest.orientation), w = std::log2(at_the_finest.spin);
      sx += x, sxx += x * x, sq += q, sqx += q * x, sw += w, swx += w * x;
    }
    const double below = 4 * sxx - sx * sx;
    slope = {-(4 * sqx - sx * sq) / below, -(4 * swx - sx * sw) / below};
  }
};

}  // namespace scree::physics::rotation
