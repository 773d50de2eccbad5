#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "host/geometry/real3.hpp"
#include "scree/values.hpp"

namespace scree::clumps {

struct ClumpSphere {
  Real3 center{};     ///< [m]
  double radius = 0;  ///< [m]
};

/// Integrals over a solid of density 1. Coordinates are relative to an origin near the solid: moments about a far one
/// would lose their digits when they are moved to the centre of mass.
struct Moments {
  double volume = 0;               ///< [m3]
  Real3 first{};                   ///< [m4] of x, y, z
  std::array<double, 6> second{};  ///< [m5] of xx, yy, zz, yz, zx, xy
  Real3 origin{};                  ///< [m] in the frame of the solid

  /// `other` must have the same origin.
  void add(const Moments& other, double factor);
};

/// Moments about another origin, which lies at `by` from the present one.
[[nodiscard]] Moments moved(const Moments& moments, const Real3& by);

/// An origin for the moments of a solid in this box: that of its frame, or the nearest point to it that is, along each
/// axis, at most four times as far from the box as the box is long. Moments of inertia then lose some 1e-13 at most.
[[nodiscard]] Real3 origin_near(const geometry::Bounds& box);

enum class MassMethod { closed_form, slices, grid };

struct MassChoice {
  unsigned resolution = 0;  ///< cells on the shortest edge of the box; 0: exact slices where they are affordable
};

struct UnionMoments {
  Moments moments;
  MassMethod method = MassMethod::closed_form;
  double error = 0;  ///< estimate of the largest relative error of volume and principal moments; 0: rounding only
};

/// Integrals over the union of spheres; what two share counts once. Spheres that do not overlap have a closed form.
/// Otherwise the areas and moments of horizontal slices are exact, and Gauss' rule runs between the heights at which
/// the shape of the slice changes; the error is the difference of two rules. With a resolution, or if there are more
/// than `most_exact_spheres` and also more than `most_exact_overlaps` pairs that overlap, points of a grid are counted,
/// and the error is twice the largest difference from three coarser grids. At least one sphere. The same bits
/// everywhere. Throws CaseError (paths: "resolution", "spheres") where the error of a grid is above `worst_grid_error`.
[[nodiscard]] UnionMoments union_moments(const std::vector<ClumpSphere>& spheres, const MassChoice& choice = {});
inline constexpr std::size_t most_exact_spheres = 200, most_exact_overlaps = 10'000;
inline constexpr std::size_t default_resolution = 128;
inline constexpr double worst_grid_error = 0.1;  ///< relative
inline constexpr double poor_grid_error = 0.02;  ///< relative; the user should know of more

/// Whether any two spheres share a volume; touching does not count (1e-12 of the smaller radius).
[[nodiscard]] bool any_overlap(const std::vector<ClumpSphere>& spheres);

/// A clump in its principal axes, of density 1.
struct ClumpBody {
  std::vector<ClumpSphere> members;  ///< [m] about the centre of mass, in principal axes
  double volume = 0;                 ///< [m3] times the density: mass
  Real3 inertia{};                   ///< [m5] I1 <= I2 <= I3, times the density: moments of inertia
  Real3 center{};                    ///< [m] centre of mass in the frame of the template
  std::array<Real3, 3> axes{};       ///< principal axes in the frame of the template, right-handed
  double bounding_radius = 0;        ///< [m] of the smallest ball about the centre of mass that holds all members
  double equivalent_radius = 0;      ///< [m] of the sphere of the same volume
  MassMethod method = MassMethod::closed_form;
  double error = 0;  ///< as in UnionMoments
};

/// Mass properties of a clump. Of the axes the first two point to where their largest component is positive; moments
/// that are equal within 1e-10 are made so, and then axes of the template are kept where they are principal.
[[nodiscard]] ClumpBody make_clump(const std::vector<ClumpSphere>& spheres, const MassChoice& choice = {});

/// The same clump `factor` times as large.
[[nodiscard]] ClumpBody scaled(const ClumpBody& clump, double factor);

/// Principal moments (ascending) and axes of the solid, about its centre of mass, which is in the frame of the solid.
struct PrincipalFrame {
  Real3 center{}, inertia{};
  std::array<Real3, 3> axes{};
};
[[nodiscard]] PrincipalFrame principal_frame(const Moments& moments);

/// What the user should know of a poor `error` of mass and inertia; empty for a small one.
[[nodiscard]] std::string doubt_about_mass(double error);

/// "from exact slices, relative error about 3e-13"
[[nodiscard]] std::string describe_method(MassMethod method, double error);

}  // namespace scree::clumps
