#pragma once

/// Mathematical functions that use only + - * / and square roots, so that sizes and fills have the same bits on every
/// machine. Results of the C library differ in the last bit between its versions.
namespace scree::packing {

/// Natural logarithm of a positive, normal number; relative error below 1e-15.
[[nodiscard]] double exact_log(double x);

/// Exponential for |x| <= 700; relative error below 1e-15.
[[nodiscard]] double exact_exp(double x);

/// Cube root of a positive, normal number; relative error below 1e-15.
[[nodiscard]] double exact_cbrt(double x);

struct SineCosine {
  double sine, cosine;
};
/// Sine and cosine of an angle [rad] in [0, pi/2]; the error is below 1e-15.
[[nodiscard]] SineCosine exact_sine_cosine(double angle);

/// Angle of the point (x, y) in (-pi, pi], both finite and not both 0; error below 1e-15.
[[nodiscard]] double exact_atan2(double y, double x);

}  // namespace scree::packing
