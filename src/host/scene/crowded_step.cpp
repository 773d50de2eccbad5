#include "host/scene/crowded_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "host/geometry/infinite.hpp"
#include "host/geometry/real3.hpp"
#include "host/packing/exact_math.hpp"

namespace scree {
namespace {

using Vector6 = std::array<double, 6>;

/// [s] The step dt with dt^2 stiffness + 2 dt dashpot = 4. Stiffness [1/s2] and dashpot [1/s] are divided by the mass.
double stable_step(double stiffness, double dashpot) {
  return 4 / (dashpot + std::sqrt(dashpot * dashpot + 4 * stiffness));
}

/// Whether all eigenvalues of M = dt^2 K + 2 dt C are below 4. They are if all pivots of 4 - M are positive.
bool is_stable(const Matrix6& stiffness, const Matrix6& dashpot, double step) {
  Matrix6 factor{};
  Vector6 pivot{};
  for (std::size_t j = 0; j < 6; ++j) {
    for (std::size_t i = j; i < 6; ++i) {
      double rest = (i == j ? 4.0 : 0.0) - (step * step * stiffness[i][j] + 2 * step * dashpot[i][j]);
      for (std::size_t k = 0; k < j; ++k) rest -= factor[i][k] * factor[j][k] * pivot[k];
      if (i != j) {
        factor[i][j] = rest / pivot[j];
        continue;
      }
      if (!(rest > 0)) return false;
      pivot[j] = rest;
    }
  }
  return true;
}

/// [s] The largest stable step of matrices that are divided by the masses. It is found by bisection: the largest
/// eigenvalue lies between a sixth of the trace and the trace.
double stable_step(const Matrix6& stiffness, const Matrix6& dashpot) {
  double k = 0, c = 0;
  for (std::size_t i = 0; i < 6; ++i) k += stiffness[i][i], c += dashpot[i][i];
  if (!(k > 0) && !(c > 0)) return infinite;
  double low = stable_step(k, c), high = stable_step(k / 6, c / 6);
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = low + 0.5 * (high - low);
    (is_stable(stiffness, dashpot, middle) ? low : high) = middle;
  }
  return low;
}

/// The springs of a contact, or its dashpots.
struct FourSprings {
  double normal, shear, rolling, twisting;
};

/// Adds the matrix of a contact at `arm` [m] from the centre of mass: springs along and across the normal `n`, and
/// springs against rolling and twisting.
void add_contact(Matrix6& sum, double weight, const FourSprings& k, const Real3& n, const Real3& arm) {
  std::array<Real3, 6> moved{};  // displacements of the contact point for unit movements of the body
  for (std::size_t i = 0; i < 3; ++i) {
    Real3 axis{};
    axis[i] = 1;
    moved[i] = axis;
    moved[3 + i] = geometry::cross(axis, arm);
  }
  for (std::size_t i = 0; i < 6; ++i) {
    const double along_i = geometry::dot(moved[i], n);
    for (std::size_t j = 0; j <= i; ++j) {
      double entry =
          k.shear * geometry::dot(moved[i], moved[j]) + (k.normal - k.shear) * along_i * geometry::dot(moved[j], n);
      if (j >= 3) entry += (i == j ? k.rolling : 0.0) + (k.twisting - k.rolling) * n[i - 3] * n[j - 3];
      sum[i][j] += weight * entry;
    }
  }
}

}  // namespace

void BodySprings::add(double weight, const ContactSprings& k, const Real3& normal, const Real3& arm) {
  add_contact(stiffness, weight, {k.normal, k.shear, k.rolling, k.twisting}, normal, arm);
  add_contact(dashpot, weight, {k.normal_dashpot, k.shear_dashpot, k.rolling_dashpot, k.twisting_dashpot}, normal, arm);
}

double BodySprings::lowered(double least, double mass, const Real3& inertia) const {
  const Vector6 masses{mass, mass, mass, inertia[0], inertia[1], inertia[2]};
  Matrix6 k = stiffness, c = dashpot;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double inverse = 1 / std::sqrt(masses[i] * masses[j]);
      k[i][j] *= inverse, c[i][j] *= inverse;
    }
  }
  if (std::isfinite(least) && is_stable(k, c, least)) return least;
  return std::min(least, stable_step(k, c));
}

double impact_overlap(double mass, double radius, double effective_young, double speed) {
  const double power = 15 * (0.5 * mass) * speed * speed / (16 * effective_young * std::sqrt(0.5 * radius));
  if (!std::isnormal(power)) return power > 1 ? infinite : 0;
  return packing::exact_exp(0.4 * packing::exact_log(power)) / radius;
}

double crowded_sphere_step(double mass, double radius, const std::vector<CrowdContact>& contacts) {
  ContactSprings sum;
  double rotation = 0, rotation_dashpot = 0;
  const double square = radius * radius;
  for (const auto& [k, weight] : contacts) {
    const double third = weight / 3 / mass;
    sum.normal += third * (k.normal + 2 * k.shear);
    sum.normal_dashpot += third * (k.normal_dashpot + 2 * k.shear_dashpot);
    rotation += third * (2 * k.shear + (2 * k.rolling + k.twisting) / square) / 0.4;
    rotation_dashpot += third * (2 * k.shear_dashpot + (2 * k.rolling_dashpot + k.twisting_dashpot) / square) / 0.4;
  }
  return std::min(stable_step(sum.normal, sum.normal_dashpot), stable_step(rotation, rotation_dashpot));
}

double crowded_clump_step(const ClumpShape& shape, const std::vector<clumps::SurfacePoint>& points, double size,
                          double density, const std::vector<std::vector<CrowdContact>>& of_member) {
  double area = 0;
  for (const auto& point : points) area += point.area;
  BodySprings springs;
  for (const auto& point : points) {
    const Real3 arm = geometry::scaled(point.position, size);
    for (const auto& [k, weight] : of_member.at(point.member)) {
      springs.add(weight * point.area / area, k, point.normal, arm);
    }
  }
  const double cubed = size * size * size, mass = density * shape.volume * cubed;
  Vector6 root{};
  for (std::size_t i = 0; i < 3; ++i) {
    root[i] = std::sqrt(mass);
    root[3 + i] = std::sqrt(density * shape.inertia[i] * cubed * size * size);
  }
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      springs.stiffness[i][j] /= root[i] * root[j];
      springs.dashpot[i][j] /= root[i] * root[j];
    }
  }
  return stable_step(springs.stiffness, springs.dashpot);
}

}  // namespace scree
