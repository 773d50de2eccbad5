#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "kernels/history/jaeger.hpp"
#include "kernels/history/jaeger_traction.hpp"

/// Shared parts of the tests of the Jaeger contact.
namespace scree::inline SCREE_BACKEND {

inline constexpr JaegerOptions all_jaeger_options{.merges = true, .caps = true, .slides_exactly = true};

/// A stack of segments without an upper limit.
template <class R>
struct GrowingJaeger {
  std::vector<JaegerSegment<R>> segments;

  std::uint32_t size() const { return std::uint32_t(segments.size()); }
  JaegerSegment<R> top() const { return segments.back(); }
  JaegerSegment<R> below_top() const { return segments[segments.size() - 2]; }
  double below_end() const { return segments.size() > 1 ? below_top().end() : 0.0; }
  JaegerSegment<R> at(std::uint32_t i) const { return segments[i]; }
  void push(const JaegerSegment<R>& segment) { segments.push_back(segment); }
  void pop() { segments.pop_back(); }
  void replace_top(const JaegerSegment<R>& segment) { segments.back() = segment; }
  void replace(std::uint32_t i, const JaegerSegment<R>& segment) { segments[i] = segment; }
  void erase(std::uint32_t i) { segments.erase(segments.begin() + i); }
  void clear() { segments.clear(); }
};

/// One contact and its history, moved step by step.
template <class R, JaegerOptions options = JaegerOptions{}>
struct JaegerContact {
  JaegerValues<R> of;
  GrowingJaeger<R> stack{};
  Vec2<double> over_mu{0, 0};
  double zeta = 0;
  Vec2<double> force{0, 0};

  JaegerStep<R> to(double new_zeta, const Vec2<double>& movement) {
    zeta = new_zeta > 0 ? new_zeta : 0;
    const JaegerStep<R> step = jaeger_step<R, options>(stack, over_mu, of, new_zeta, convert<R>(movement));
    force = double(of.friction) * over_mu;
    return step;
  }
  /// Moves in n equal steps.
  JaegerStep<R> along(double new_zeta, const Vec2<double>& movement, int n) {
    JaegerStep<R> step{};
    const double start = zeta;
    for (int k = 1; k <= n; ++k) {
      step = to(k < n ? start + (new_zeta - start) * k / n : new_zeta, (1.0 / n) * movement);
    }
    return step;
  }
  double normal() const { return of.normal_force(zeta); }
};

template <class R>
JaegerValues<R> jaeger_values(double hertz, double kappa, double friction) {
  return JaegerValues<R>::of(hertz, kappa, friction);
}

/// [N] The tangential force over mu, computed anew from the stack: sum of slope_i (N_i - N_(i-1)).
template <class R, class Stack>
Vec2<double> jaeger_force(const Stack& stack, const JaegerValues<R>& of) {
  Vec2<double> force{0.0, 0.0};
  double before = 0;
  for (std::uint32_t i = 0; i < stack.size(); ++i) {
    const JaegerSegment<R> segment = stack.at(i);
    const double normal = of.normal_force(segment.end());
    force += jaeger_share(before, normal, segment.slope());
    before = normal;
  }
  return force;
}

/// Random numbers that are the same on every machine.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : generator_(seed) {}
  double operator()(double low, double high) { return low + (high - low) * (double(generator_() >> 11) * 0x1p-53); }
  Vec2<double> within(double radius) {
    for (;;) {
      const Vec2<double> v{(*this)(-radius, radius), (*this)(-radius, radius)};
      if (norm(v) <= radius) { return v; }
    }
  }

 private:
  std::mt19937_64 generator_;
};

struct JaegerMove {
  double zeta;
  Vec2<double> movement;
};

/// A random walk through all branches of the law: half overlaps near 1, displacements near kappa mu times the change of
/// the half overlap, and sometimes long slides, pure compression, small loops and separations.
inline std::vector<JaegerMove> random_walk(int n, std::uint64_t seed, double kappa, double friction,
                                           bool collinear = false, bool separates = true) {
  Chance chance(seed);
  std::vector<JaegerMove> moves;
  double zeta = 0;
  for (int k = 0; k < n; ++k) {
    const double kind = chance(0, 1);
    const double size = std::ldexp(chance(0.5, 1), -int(chance(0, 13)));
    double step = size * chance(-1, 1) + 0.05 * (0.7 - zeta) * size;
    Vec2<double> movement = chance.within(2 * kappa * friction * size);
    if (kind < 0.1) { movement = {0, 0}; }
    if (kind > 0.9) { step = 0; }
    if (kind > 0.98) { movement = {0, 0}; }
    if (kind > 0.8 && kind < 0.85) { movement = chance.within(3 * kappa * friction * zeta); }
    if (collinear) { movement.y = 0; }
    zeta += step;
    if (zeta <= 0) { zeta = separates && chance(0, 1) < 0.3 ? 0 : 0.02 * chance(0.1, 1); }
    moves.push_back({zeta, {nearest_float(movement.x), nearest_float(movement.y)}});
  }
  return moves;
}

/// Many small steps, like those of a contact in a slowly sheared packing. The history starts with a load of `pieces`
/// elastic pieces. A movement around this load follows, which keeps its direction for some tens of steps. A step
/// changes the half overlap by about 4e-4 of its value; most steps slip a little, by `rough` times mu times this
/// change.
inline std::vector<JaegerMove> fine_history(int pieces, int n, std::uint64_t seed, double kappa, double friction,
                                            double rough = 2) {
  Chance chance(seed);
  const auto normal = [&] { return chance(-1, 1) + chance(-1, 1) + chance(-1, 1); };  // variance 1
  std::vector<JaegerMove> moves;
  double zeta = 0.5;
  moves.push_back({zeta, {0, 0}});
  for (int k = 0; k < pieces; ++k) {
    const double step = 0.5 / pieces * chance(0.2, 1.8);
    zeta += step;
    moves.push_back({zeta, kappa * friction * step * (Vec2<double>{0.5, 0.2} + chance.within(0.4))});
  }
  const double size = 4e-4, keeps = 0.97, fresh = std::sqrt(1 - keeps * keeps), centre = zeta;
  double press = 0;
  Vec2<double> move{0, 0};
  for (int k = 0; k < n; ++k) {
    press = keeps * press + fresh * normal();
    move = keeps * move + fresh * Vec2<double>{normal(), normal()};
    zeta += size * (0.7 * press + 0.7 * normal()) + 1e-3 * (centre - zeta);
    zeta = std::max(zeta, 0.05);
    moves.push_back({zeta, kappa * friction * size * rough * (0.7 * move + 0.3 * Vec2<double>{normal(), normal()})});
    moves.back().movement = {nearest_float(moves.back().movement.x), nearest_float(moves.back().movement.y)};
  }
  return moves;
}

}  // namespace scree::inline SCREE_BACKEND
