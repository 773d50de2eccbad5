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

/// Integrals over a solid of density 1. Coordinates are relative to an origin near the solid, because moments about a
/// distant origin would lose digits when they are moved to the centre of mass.
struct Moments {
  double volume = 0;               ///< [m3]
  Real3 first{};                   ///< [m4] of x, y, z
  std::array<double, 6> second{};  ///< [m5] of xx, yy, zz, yz, zx, xy
  Real3 origin{};                  ///< [m] in the frame of the solid

  /// Adds `factor` times `other`, which must have the same origin.
  void add(const Moments& other, double factor);
};

/// The moments about an origin that lies at `by` [m] from the present one.
[[nodiscard]] Moments moved(const Moments& moments, const Real3& by);

/// An origin [m] for the moments of a solid in this box: the origin of its frame, moved so that its distance from the
/// box along each axis is at most four times the length of the box. The relative error of moments of inertia from the
/// move to the centre of mass is then about 1e-13 at most.
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

/// Integrals over the union of spheres [m], where shared volume counts once. Spheres without overlaps have a closed
/// form. Otherwise horizontal slices are integrated exactly, and Gauss' rule integrates between the heights at which
/// the shape of the slice changes; the error is the difference of two rules. With a resolution, or with more than
/// `most_exact_spheres` spheres and more than `most_exact_overlaps` overlapping pairs, the cells of a grid are counted;
/// the error is twice the largest difference from three coarser grids. `spheres` must not be empty. The bits are the
/// same everywhere. Throws CaseError (path: "resolution" or "spheres") if the error of a grid is above
/// `worst_grid_error`.
[[nodiscard]] UnionMoments union_moments(const std::vector<ClumpSphere>& spheres, const MassChoice& choice = {});
inline constexpr std::size_t most_exact_spheres = 200, most_exact_overlaps = 10'000;
inline constexpr std::size_t default_resolution = 128;
inline constexpr double worst_grid_error = 0.1;  ///< relative
inline constexpr double poor_grid_error = 0.02;  ///< relative; larger errors are reported to the user

/// Whether any two spheres overlap by more than 1e-12 of the smaller radius.
[[nodiscard]] bool any_overlap(const std::vector<ClumpSphere>& spheres);

/// A clump of density 1 in its principal axes.
struct ClumpBody {
  std::vector<ClumpSphere> members;  ///< [m] about the centre of mass, in principal axes
  double volume = 0;                 ///< [m3] mass over density
  Real3 inertia{};                   ///< [m5] principal moments of inertia over density, I1 <= I2 <= I3
  Real3 center{};                    ///< [m] centre of mass in the frame of the template
  std::array<Real3, 3> axes{};       ///< principal axes in the frame of the template, right-handed
  double bounding_radius = 0;        ///< [m] of the smallest ball about the centre of mass that holds all members
  double equivalent_radius = 0;      ///< [m] radius of the sphere with the same volume
  MassMethod method = MassMethod::closed_form;
  double error = 0;  ///< as in UnionMoments
};

/// Mass properties of a clump. The largest component of each of the first two axes is positive. Moments that are equal
/// within 1e-10 become exactly equal, and axes of the template that are principal axes are kept. Errors are those of
/// union_moments().
[[nodiscard]] ClumpBody make_clump(const std::vector<ClumpSphere>& spheres, const MassChoice& choice = {});

/// The clump with all lengths multiplied by `factor`.
[[nodiscard]] ClumpBody scaled(const ClumpBody& clump, double factor);

/// The principal frame of a solid.
struct PrincipalFrame {
  Real3 center{};               ///< [m] centre of mass in the frame of the solid
  Real3 inertia{};              ///< [m5] principal moments about the centre of mass, ascending
  std::array<Real3, 3> axes{};  ///< principal axes in the frame of the solid, right-handed
};
/// Computes the principal frame. The volume of `moments` must be above 0.
[[nodiscard]] PrincipalFrame principal_frame(const Moments& moments);

/// A warning about a large relative `error` of mass and inertia; empty up to `poor_grid_error`.
[[nodiscard]] std::string doubt_about_mass(double error);

/// The method and its error as text, such as "from exact slices, relative error about 3e-13".
[[nodiscard]] std::string describe_method(MassMethod method, double error);

}  // namespace scree::clumps
