#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/scene.hpp"

namespace scree {

struct TimeStepLimit {
  double value = 0;    ///< [s] infinite when nothing limits the step
  std::string reason;  ///< "Rayleigh time 2.6e-4 s of glass spheres of radius 2.5 mm"
};

/// The largest stable step of single contacts in a scene. `names` are the names of the materials.
/// - Laws with Hertz's force: the least Rayleigh time pi r sqrt(rho/G) / (0.1631 nu + 0.8766) of all particles.
/// - Laws with linear springs, and bonds: the least value of sqrt(2 m/K), in translation or rotation, of one contact of
/// a
///   particle with its stiffest partner. For springs from moduli these are springs in series, k = 2 E r, and in shear
///   nu k; a wall counts as a sphere of equal size.
/// - Level-set grains count as spheres of their volume, with the effective mass that hold_of_grain() gives.
[[nodiscard]] TimeStepLimit time_step_limit(const Scene& scene, const std::vector<std::string>& names);

/// The least critical step of particles in a crowd of neighbours, over the smallest particles of each material, with
/// dashpots and rolling resistance. An automatic step is at most 0.9 times this step.
/// - A sphere has 8 contacts with linear springs, or 5.5 Hertzian contacts; adhesion raises this number up to 10.
/// - Clumps and level-set grains have such numbers of contacts per surface of the sphere of their volume: 8 for clumps,
///   and the same as spheres for grains.
/// - The overlap of Hertzian contacts is 5 % of the radius, or the largest overlap of an impact of two of these
/// particles
///   at `speed` [m/s], but at most 20 %.
/// - Up to 3 of the contacts are with the boundary that makes them stiffest.
[[nodiscard]] TimeStepLimit crowded_step_limit(const Scene& scene, const std::vector<std::string>& names, double speed);

/// The largest stress that a wall with a servo (a force counts over its area) or a periodic cell has to hold.
struct GoalOfStress {
  double pressure = 0;    ///< [Pa] its magnitude; 0 without any goal
  bool of_servo = false;  ///< it is the goal of a servo, else of the cell
};
[[nodiscard]] GoalOfStress largest_goal_of_stress(const Scene& scene);

/// [s] An estimate of the critical step of the most loaded particles in a packing under a pressure P [Pa], with
/// Hertzian contacts; infinite without such contacts. A particle has 8 contacts with twice the mean force 4 pi r^2 P /
/// (phi Z), with phi = 0.6 and Z = 6, and their dashpots. Adhesion (JKR) makes a contact wider under the same force.
[[nodiscard]] double pressed_step_limit(const Scene& scene, double pressure);

/// [s] The largest stable step of the contacts between spheres and clumps at the start of a scene, from their springs
/// and dashpots at the present overlaps; infinite if nothing touches. Under the law `jkr` the contact circle is that
/// with adhesion. Each contact counts as if the other body moved as much, as in the engine for two equal bodies.
/// Contacts with boundaries and level-set grains are left out.
[[nodiscard]] double loaded_step_limit(const Scene& scene);

/// The rule by which the step of a scene follows its contacts. A Hertzian collision is stiffest at its largest overlap,
/// so its limit is proportional to v^(-1/5) for the relative speed v. The limit of collisions under linear springs does
/// not depend on the speed. `free_limit` [s] is the result of time_step_limit().
[[nodiscard]] AdaptiveStep adaptive_step(const Scene& scene, double safety, double free_limit);

/// The stable step of a scene with grains that deform, if `rigid_step` [s] is stable for rigid grains. It is shorter,
/// because contacts act on the masses of the modes, too, and because modes vibrate. If nothing deforms, it is
/// `rigid_step` with an empty reason.
[[nodiscard]] TimeStepLimit deforming_step(const Scene& scene, double rigid_step);

/// The largest number with three significant decimal digits that is not above `value`. Throws ContractError unless
/// `value` is positive and finite.
[[nodiscard]] double rounded_down(double value);

/// The number of steps that cover `duration` [s]: duration / time_step rounded up. A quotient that differs from a whole
/// number only by rounding counts as that number. Any positive duration lasts for at least one step.
[[nodiscard]] std::uint64_t steps_for(double duration, double time_step);

/// The first step that begins at `time` [s] or later, with rounding as in steps_for(). The largest number for a time
/// that no run reaches.
[[nodiscard]] std::uint64_t first_step_at(double time, double time_step);

/// A length [m] in the unit that reads best: "0.2 m", "2.5 mm", "80 um".
[[nodiscard]] std::string length_text(double value);

}  // namespace scree
