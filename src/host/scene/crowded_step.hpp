#pragma once

#include <array>
#include <vector>

#include "host/clumps/clump_surface.hpp"
#include "host/scene/contact_springs.hpp"
#include "scree/scene.hpp"

/// The critical step of a particle that has many contacts in all directions. "auto" stays below it.
namespace scree {

using Matrix6 = std::array<std::array<double, 6>, 6>;  ///< symmetric; the lower triangle counts

/// The springs and dashpots of all contacts of one body: rows 0 to 2 are its translation, 3 to 5 its rotation, in its
/// principal axes.
struct BodySprings {
  Matrix6 stiffness{}, dashpot{};

  /// Adds a contact with this normal at `arm` [m] from the centre of mass. A weight of 2 means that the other body
  /// moves, too.
  void add(double weight, const ContactSprings& springs, const Real3& normal, const Real3& arm);
  /// The smaller one of `least` [s] and the largest stable step of a body of this mass [kg] and these moments of
  /// inertia [kg m2].
  [[nodiscard]] double lowered(double least, double mass, const Real3& inertia) const;
};

/// Largest overlap over the radius [-] of two like spheres of bodies of `mass` [kg] that meet head-on at a relative
/// speed [m/s] under Hertz's force: u^(5/2) = 15 m* v^2 / (16 E* sqrt(R*)), m* = m/2, R* = r/2. The same bits on every
/// machine.
[[nodiscard]] double impact_overlap(double mass, double radius, double effective_young, double speed);

/// Contacts of a member sphere with a crowd around it: the weight of one contact for this body (2 with another body, 1
/// with a boundary), times the number of such contacts.
struct CrowdContact {
  ContactSprings springs;
  double weight = 0;
};

/// Critical step [s] of a sphere with contacts in all directions: (2/w)(sqrt(1 + z^2) - z) of translation and of
/// rotation.
[[nodiscard]] double crowded_sphere_step(double mass, double radius, const std::vector<CrowdContact>& contacts);

/// Critical step [s] of a clump of a shape in its principal axes, `size` times as large, whose contacts are spread
/// evenly over its surface, of which `points` are the points: `of_member[k]` are those that it would have if all of its
/// surface were that of member k. The mean of all contacts is a matrix of six rows, whose largest eigenvalue decides.
[[nodiscard]] double crowded_clump_step(const ClumpShape& shape, const std::vector<clumps::SurfacePoint>& points,
                                        double size, double density,
                                        const std::vector<std::vector<CrowdContact>>& of_member);

}  // namespace scree
