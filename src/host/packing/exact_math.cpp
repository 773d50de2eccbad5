#include "host/packing/exact_math.hpp"

#include <cmath>

#include "scree/errors.hpp"

namespace scree::packing {
namespace {

constexpr double ln2_high = 0x1.62e42fefa3800p-1;  // ends in zero bits, so products with small integers are exact
constexpr double ln2_low = 0x1.ef35793c76730p-45;

}  // namespace

double exact_log(double x) {
  SCREE_EXPECT(x > 0 && std::isnormal(x), "needs a positive, normal number");
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);  // frexp and ldexp only touch the exponent: exact
  if (mantissa < 0.70710678118654752) {
    mantissa *= 2;
    --exponent;
  }
  // ln m = 2 artanh z, z = (m - 1)/(m + 1), |z| < 0.172: the first term left out is below 1e-18.
  const double z = (mantissa - 1) / (mantissa + 1), z2 = z * z;
  double series = 0;
  for (int k = 23; k >= 3; k -= 2) series = (series + 1.0 / k) * z2;
  const double e = exponent;
  return e * ln2_high + (e * ln2_low + (2 * z + 2 * z * series));
}

double exact_exp(double x) {
  SCREE_EXPECT(x >= -700 && x <= 700, "needs a number between -700 and 700");
  const double n = std::floor(x * 1.4426950408889634 + 0.5);
  const double r = (x - n * ln2_high) - n * ln2_low;  // |r| <= ln 2 / 2
  double series = 1;
  for (int k = 18; k >= 1; --k) series = 1 + series * r / k;
  return std::ldexp(series, static_cast<int>(n));
}

double exact_cbrt(double x) {
  SCREE_EXPECT(x > 0 && std::isnormal(x), "needs a positive, normal number");
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  while (exponent % 3 != 0) {
    mantissa *= 2;
    --exponent;
  }
  double root = 0.6 + 0.4 * mantissa / 1.8;  // mantissa in [0.5, 4): Newton converges from anywhere near
  for (int k = 0; k < 8; ++k) root -= (root * root * root - mantissa) / (3 * root * root);
  return std::ldexp(root, exponent / 3);
}

SineCosine exact_sine_cosine(double angle) {
  const double square = angle * angle;
  double s = 1, c = 1;
  for (int n = 14; n >= 1; --n) {
    s = 1 - s * square / (2 * n * (2 * n + 1));
    c = 1 - c * square / (2 * n * (2 * n - 1));
  }
  return {angle * s, c};
}

double exact_atan2(double y, double x) {
  constexpr double eighth_turn = 0.78539816339744831, tangent = 0.41421356237309505,
                   sixteenth_turn = 0.39269908169872415;
  const double ax = std::fabs(x), ay = std::fabs(y);
  SCREE_EXPECT(ax > 0 || ay > 0, "needs a direction");
  // Reduce the tangent to [0, 1], then to |t| <= 0.4143 about an eighth of a turn, then to |t| <= 0.21 about a
  // sixteenth.
  double t = ax >= ay ? ay / ax : ax / ay, base = 0;
  if (t > tangent) {
    t = (t - 1) / (t + 1);
    base = eighth_turn;
  }
  if (std::fabs(t) > tangent / 2) {
    const double shift = t > 0 ? tangent : -tangent;
    t = (t - shift) / (1 + t * shift);
    base += shift > 0 ? sixteenth_turn : -sixteenth_turn;
  }
  const double t2 = t * t;
  double series = 0;
  for (int k = 27; k >= 3; k -= 2) series = (1.0 / k - series) * t2;
  double angle = base + (t - t * series);
  if (ay > ax) angle = 2 * eighth_turn - angle;
  if (x < 0) angle = 4 * eighth_turn - angle;
  return y < 0 ? -angle : angle;
}

}  // namespace scree::packing
