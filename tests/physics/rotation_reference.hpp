#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

/// Reference solutions of free and driven rotation. They use plain arrays and rotation matrices, and share no code with
/// the integrators.
namespace scree::physics::rotation {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;  ///< rows
using Quad = std::array<double, 4>;    ///< w, x, y, z

inline Vector times(const Matrix& m, const Vector& v) {
  Vector r{};
  for (std::size_t i = 0; i < 3; ++i) { r[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2]; }
  return r;
}
inline Matrix transposed(const Matrix& m) {
  Matrix t{};
  for (std::size_t i = 0; i < 9; ++i) { t[i / 3][i % 3] = m[i % 3][i / 3]; }
  return t;
}
inline Matrix product(const Matrix& a, const Matrix& b) {
  Matrix r{};
  for (std::size_t i = 0; i < 9; ++i) {
    for (std::size_t k = 0; k < 3; ++k) { r[i / 3][i % 3] += a[i / 3][k] * b[k][i % 3]; }
  }
  return r;
}
inline Matrix turn_about(std::size_t axis, double angle) {
  Matrix m{};
  const std::size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
  m[axis][axis] = 1;
  m[i][i] = m[j][j] = std::cos(angle);
  m[j][i] = std::sin(angle);
  m[i][j] = -m[j][i];
  return m;
}
inline Matrix matrix_of(const Quad& q) {
  const auto [w, x, y, z] = q;
  return {Vector{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
          Vector{2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
          Vector{2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
}
/// Largest difference of the entries of two matrices.
inline double difference(const Matrix& a, const Matrix& b) {
  double largest = 0;
  for (std::size_t i = 0; i < 9; ++i) { largest = std::max(largest, std::abs(a[i / 3][i % 3] - b[i / 3][i % 3])); }
  return largest;
}
inline double difference(const Vector& a, const Vector& b) {
  return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])});
}
inline double length(const Vector& a) { return std::hypot(a[0], a[1], a[2]); }

/// Jacobi's sn, cn, dn of parameter m in (0, 1): arithmetic-geometric means and Landen's way back.
inline Vector jacobi(double u, double m) {
  std::array<double, 16> a{}, c{};
  a[0] = 1;
  c[0] = std::sqrt(m);
  double b = std::sqrt(1 - m);
  std::size_t n = 0;
  for (; n < 15 && std::abs(c[n]) > 1e-17; ++n) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = std::sqrt(a[n] * b);
  }
  double phi = std::ldexp(a[n] * u, static_cast<int>(n));
  for (; n > 0; --n) { phi = (phi + std::asin(std::clamp(c[n] / a[n] * std::sin(phi), -1.0, 1.0))) / 2; }
  const double sn = std::sin(phi);
  return {sn, std::cos(phi), std::sqrt(1 - m * sn * sn)};
}
inline double complete_integral(double m) {
  double a = 1, b = std::sqrt(1 - m);
  for (int k = 0; k < 10; ++k) {  // each iteration squares the error
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return std::numbers::pi / (a + b);
}

/// Free rotation of a body with I1 < I2 < I3 by Jacobi's functions, from spin w0 in the body and orientation 1.
class FreeTop {
 public:
  FreeTop(const Vector& inertia, const Vector& w0) : inertia_(inertia), axes_around_first_(false) {
    Vector w = w0;
    const auto twice_energy = [&] {
      return inertia_[0] * w[0] * w[0] + inertia_[1] * w[1] * w[1] + inertia_[2] * w[2] * w[2];
    };
    const auto squared = [&] {
      return std::pow(inertia_[0] * w[0], 2) + std::pow(inertia_[1] * w[1], 2) + std::pow(inertia_[2] * w[2], 2);
    };
    if (squared() < twice_energy() * inertia_[1]) {  // it rotates about the first axis: exchange first and third
      axes_around_first_ = true;
      std::swap(inertia_[0], inertia_[2]);
      w = exchanged(w);
    }
    const auto [i1, i2, i3] = inertia_;
    const double e2 = twice_energy(), l2 = squared();
    momentum_ = std::sqrt(l2);
    amplitude_ = {std::sqrt((e2 * i3 - l2) / (i1 * (i3 - i1))), std::sqrt((e2 * i3 - l2) / (i2 * (i3 - i2))),
                  std::sqrt((l2 - e2 * i1) / (i3 * (i3 - i1)))};
    rate_ = std::sqrt((i3 - i2) * (l2 - e2 * i1) / (i1 * i2 * i3));
    if ((i3 - i2) / i1 < 0) { direction_ = -1; }  // moments in descending order
    if (w[2] < 0) {
      amplitude_[1] = -amplitude_[1];
      amplitude_[2] = -amplitude_[2];
    }
    amplitude_[1] *= direction_;
    m_ = (i2 - i1) * (e2 * i3 - l2) / ((i3 - i2) * (l2 - e2 * i1));
    phase_ = std::ellint_1(std::sqrt(m_), std::atan2(w[1] / amplitude_[1], w[0] / amplitude_[0]));
    to_world_ = transposed(about_momentum(0, 0));
  }

  /// [rad/s] spin in body axes.
  [[nodiscard]] Vector spin(double t) const { return out(inner_spin(t)); }
  [[nodiscard]] double period() const { return 4 * complete_integral(m_) / rate_; }
  [[nodiscard]] double parameter() const { return m_; }
  [[nodiscard]] double rate() const { return rate_; }

  /// Body -> world: Euler angles about the angular momentum; the precession is integrated by Gauss' rule with five
  /// points.
  [[nodiscard]] Matrix orientation(double t) const {
    constexpr std::array<double, 5> x = {0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640,
                                         -0.9061798459386640};
    constexpr std::array<double, 5> weight = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665,
                                              0.2369268850561891, 0.2369268850561891};
    const int panels = 1 + static_cast<int>(std::abs(t) * 20);
    double precession = 0;
    for (int p = 0; p < panels; ++p) {
      for (std::size_t k = 0; k < 5; ++k) {
        const Vector w = inner_spin(t * (p + 0.5 + 0.5 * x[k]) / panels);
        const double l1 = inertia_[0] * w[0], l2 = inertia_[1] * w[1];
        precession += weight[k] / 2 * momentum_ * (w[0] * l1 + w[1] * l2) / (l1 * l1 + l2 * l2) * t / panels;
      }
    }
    const Matrix inner = product(to_world_, about_momentum(precession, t));
    if (!axes_around_first_) { return inner; }
    // both frames have the exchanged axes
    const Matrix exchange = {Vector{0, 0, -1}, Vector{0, -1, 0}, Vector{-1, 0, 0}};
    return product(exchange, product(inner, exchange));
  }

 private:
  /// (-w3, -w2, -w1): a proper rotation that is its own inverse.
  static Vector exchanged(const Vector& w) { return {-w[2], -w[1], -w[0]}; }
  [[nodiscard]] Vector out(const Vector& w) const { return axes_around_first_ ? exchanged(w) : w; }
  [[nodiscard]] Vector inner_spin(double t) const {
    const auto [sn, cn, dn] = jacobi(rate_ * t + phase_, m_);
    return {amplitude_[0] * cn, amplitude_[1] * sn, amplitude_[2] * dn};
  }
  /// Body -> frame whose third axis is the angular momentum.
  [[nodiscard]] Matrix about_momentum(double precession, double t) const {
    const Vector w = inner_spin(t);
    const double l1 = inertia_[0] * w[0], l2 = inertia_[1] * w[1], l3 = inertia_[2] * w[2];
    return product(turn_about(2, precession),
                   product(turn_about(0, std::atan2(std::hypot(l1, l2), l3)), turn_about(2, std::atan2(l1, l2))));
  }

  Vector inertia_;
  bool axes_around_first_;
  double momentum_ = 0, rate_ = 0, m_ = 0, phase_ = 0, direction_ = 1;
  Vector amplitude_{};
  Matrix to_world_{};
};

/// A body with the prescribed orientation q(t) = turn(z, a(t)) turn(x, b(t)), a = 0.7 t + 0.5 sin t, b = 0.4 t + 0.6
/// cos t
/// - 0.6, and the torque that this needs by Euler's equations.
struct LedTop {
  Vector inertia;

  [[nodiscard]] Matrix orientation(double t) const {
    return product(turn_about(2, 0.7 * t + 0.5 * std::sin(t)), turn_about(0, beta(t)));
  }
  [[nodiscard]] Vector spin(double t) const {
    return {beta_rate(t), alpha_rate(t) * std::sin(beta(t)), alpha_rate(t) * std::cos(beta(t))};
  }
  /// In world axes.
  [[nodiscard]] Vector torque(double t) const {
    const auto [w1, w2, w3] = spin(t);
    const double alpha2 = -0.5 * std::sin(t), beta2 = -0.6 * std::cos(t);
    const double sine = std::sin(beta(t)), cosine = std::cos(beta(t)), both = alpha_rate(t) * beta_rate(t);
    const Vector body = {inertia[0] * beta2 - (inertia[1] - inertia[2]) * w2 * w3,
                         inertia[1] * (alpha2 * sine + both * cosine) - (inertia[2] - inertia[0]) * w3 * w1,
                         inertia[2] * (alpha2 * cosine - both * sine) - (inertia[0] - inertia[1]) * w1 * w2};
    return times(orientation(t), body);
  }

 private:
  static double beta(double t) { return 0.4 * t + 0.6 * std::cos(t) - 0.6; }
  static double beta_rate(double t) { return 0.4 - 0.6 * std::sin(t); }
  static double alpha_rate(double t) { return 0.7 + 0.5 * std::cos(t); }
};

/// Constant torque in world axes. The angular momentum is exactly L0 + T t, so only the matrix is integrated, dR/dt = R
/// [w], by the classical fourth-order rule with very small steps.
struct DrivenTop {
  Vector inertia, w0, torque;

  struct Place {
    Matrix orientation;
    Vector spin;
  };
  /// The solution at the given ascending times; `step` [s] is shortened so that each time is met.
  [[nodiscard]] std::vector<Place> at(const std::vector<double>& times, double step) const {
    std::vector<Place> places;
    Matrix r = turn_about(0, 0);
    double t = 0;
    for (const double end : times) {
      const int count = std::max(1, static_cast<int>(std::ceil((end - t) / step)));
      const double h = (end - t) / count, start = t;
      for (int k = 0; k < count; ++k) {
        t = start + h * k;
        const Matrix k1 = rate(r, t), k2 = rate(plus(r, k1, h / 2), t + h / 2),
                     k3 = rate(plus(r, k2, h / 2), t + h / 2);
        const Matrix k4 = rate(plus(r, k3, h), t + h);
        r = plus(plus(plus(plus(r, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6);
      }
      t = end;
      places.push_back({r, spin(r, t)});
    }
    return places;
  }
  [[nodiscard]] Vector spin(const Matrix& r, double t) const {
    Vector l{};
    for (std::size_t i = 0; i < 3; ++i) { l[i] = inertia[i] * w0[i] + torque[i] * t; }
    l = times(transposed(r), l);
    return {l[0] / inertia[0], l[1] / inertia[1], l[2] / inertia[2]};
  }

 private:
  [[nodiscard]] Matrix rate(const Matrix& r, double t) const {
    const auto [x, y, z] = spin(r, t);
    return product(r, {Vector{0, -z, y}, Vector{z, 0, -x}, Vector{-y, x, 0}});
  }
  static Matrix plus(const Matrix& a, const Matrix& b, double s) {
    Matrix r = a;
    for (std::size_t i = 0; i < 9; ++i) { r[i / 3][i % 3] += s * b[i / 3][i % 3]; }
    return r;
  }
};

}  // namespace scree::physics::rotation
