#pragma once

#include <cstdint>

/// Logarithm, exponential and cube root from + - * / and square roots alone, so that sizes and fills have the same
/// bits on every machine (those of the C library differ in the last bit from one version to the next).
namespace scree::packing {

/// Natural logarithm of a positive, normal number; relative error below 1e-15.
[[nodiscard]] double exact_log(double x);

/// Exponential for |x| <= 700; relative error below 1e-15.
[[nodiscard]] double exact_exp(double x);

/// Cube root of a positive, normal number; relative error below 1e-15.
[[nodiscard]] double exact_cbrt(double x);

}  // namespace scree::packing
