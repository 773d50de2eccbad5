#pragma once

#include <array>
#include <vector>

#include "host/clumps/clump_surface.hpp"
#include "host/scene/contact_springs.hpp"
#include "scree/scene.hpp"

/// The critical step of a particle with many contacts in all directions. An automatic time step stays below it.
namespace scree {

using Matrix6 = std::array<std::array<double, 6>, 6>;  ///< symmetric; only the lower triangle is used

/// The summed springs and dashpots of all contacts of one body, in its principal axes. Rows 0 to 2 belong to
/// translation, rows 3 to 5 to rotation.
struct BodySprings {
  Matrix6 stiffness{}, dashpot{};

  /// Adds a contact with this normal at `arm` [m] from the centre of mass. The weight is 1 if the other side does not
  /// move, and 2 if it moves as much as this body.
  void add(double weight, const ContactSprings& springs, const Real3& normal, const Real3& arm);
  /// [s] The smaller of `least` [s] and the largest stable step of a body with this mass [kg] and these moments of
  /// inertia [kg m2].
  [[nodiscard]] double lowered(double least, double mass, const Real3& inertia) const;
};

/// [-] Largest overlap over the radius in a head-on Hertzian impact of two equal spheres on bodies of `mass` [kg], at a
/// relative speed [m/s]: u^(5/2) = 15 m* v^2 / (16 E* sqrt(R*)) with m* = m/2 and R* = r/2. It has the same bits on
/// every machine.
[[nodiscard]] double impact_overlap(double mass, double radius, double effective_young, double speed);

/// Equal contacts of a member sphere with a crowd around it.
struct CrowdContact {
  ContactSprings springs;
  double weight = 0;  ///< number of these contacts, times 2 with other bodies, times 1 with a boundary
};

/// [s] Critical step of a sphere with contacts in all directions: the smaller value of (2/w)(sqrt(1 + z^2) - z) for
/// translation and for rotation, with the frequency w and the damping ratio z.
[[nodiscard]] double crowded_sphere_step(double mass, double radius, const std::vector<CrowdContact>& contacts);

/// [s] Critical step of a clump whose contacts are spread evenly over its surface. The clump is `size` times as large
/// as `shape`, and `points` are points of the surface of the shape. `of_member[k]` has the contacts that the clump
/// would have if its whole surface belonged to member k. The largest eigenvalue of the summed matrix of all contacts
/// decides.
[[nodiscard]] double crowded_clump_step(const ClumpShape& shape, const std::vector<clumps::SurfacePoint>& points,
                                        double size, double density,
                                        const std::vector<std::vector<CrowdContact>>& of_member);

}  // namespace scree
