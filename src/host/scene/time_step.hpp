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

/// Largest stable step of the particles of a scene, from its law, materials and particles.
/// Hertz-Mindlin: the Rayleigh time pi r sqrt(rho/G) / (0.1631 nu + 0.8766) of the worst particle.
/// Cundall-Strack: sqrt(2) sqrt(m/K), or the same of its rotation, of one contact of the worst particle with the
/// stiffest partner there is; springs in series k = 2 E r, K_T from nu k; a wall counts as a sphere of equal size.
/// Level-set grains count as spheres of their volume, of whose mass a contact meets the part that hold_of_grain()
/// gives. `names` are those of the materials.
[[nodiscard]] TimeStepLimit time_step_limit(const Scene& scene, const std::vector<std::string>& names);

/// Critical step of the smallest particles of a material in a crowd, dashpots and rolling resistance included: spheres
/// with eight contacts of linear springs, or 5.5 Hertzian ones (the more adhesion holds them the more, up to ten);
/// clumps with eight of either, and level-set grains with as many as spheres, over each surface of the sphere of the
/// same volume. Hertzian contacts overlap by 5 % of the radius, or as far as an impact of two of these particles at
/// `speed` [m/s] brings them, 20 % at most. Up to three (of clumps, over each such surface) are with the boundary that
/// makes them stiffest. "auto" takes at most 0.9 of it.
[[nodiscard]] TimeStepLimit crowded_step_limit(const Scene& scene, const std::vector<std::string>& names, double speed);

/// The largest stress that a servo of a wall (by a stress, or by a force over the area) or the control of a periodic
/// cell may have to hold.
struct GoalOfStress {
  double pressure = 0;    ///< [Pa] its magnitude; 0: none
  bool of_servo = false;  ///< else of the cell
};
[[nodiscard]] GoalOfStress largest_goal_of_stress(const Scene& scene);

/// Largest stable step [s] of Hertzian contacts in a packing under a pressure [Pa]; infinite without such. A particle
/// has eight contacts with twice the mean force, 4 pi r^2 P / (phi Z) with phi = 0.6 and Z = 6, with their dashpots;
/// adhesion (JKR) makes a contact wider under the same force. This estimate is meant to come near to the critical step
/// in the densest spots of such a packing.
[[nodiscard]] double pressed_step_limit(const Scene& scene, double pressure);

/// The largest stable step [s] of the contacts between spheres and clumps that overlap at the start of a scene, by
/// their springs and dashpots at these overlaps; infinite if nothing touches. Under the law jkr the contact circle is
/// that with adhesion. No contact counts for a body by less than
/// the engine counts for two equal bodies. Contacts with boundaries and level-set grains are left out.
[[nodiscard]] double loaded_step_limit(const Scene& scene);

/// The rule by which the step of a scene follows its contacts. A Hertzian collision at relative speed v is as stiff as
/// its largest overlap makes it, so its limit is proportional to v^(-1/5). The limit of collisions under linear springs
/// does not depend on the speed. `free_limit` [s] is the result of time_step_limit().
[[nodiscard]] AdaptiveStep adaptive_step(const Scene& scene, double safety, double free_limit);

/// The step [s] of a scene whose particles are stable with `rigid_step` if they are rigid: shorter if grains deform,
/// because contacts act on the masses of the modes, too, and because modes vibrate. Its reason is empty if nothing
/// deforms.
[[nodiscard]] TimeStepLimit deforming_step(const Scene& scene, double rigid_step);

/// The largest number of three significant decimal digits that is not above `value`; `value` > 0.
[[nodiscard]] double rounded_down(double value);

/// The number of steps that cover `duration` [s]: the ceiling of duration / time_step, where a quotient within rounding
/// of a whole number counts as that number. Any positive duration lasts for at least one step.
[[nodiscard]] std::uint64_t steps_for(double duration, double time_step);

/// The first step that begins at `time` [s] or later, where a quotient within rounding of a whole number counts as that
/// number. The largest number for a time that no run reaches.
[[nodiscard]] std::uint64_t first_step_at(double time, double time_step);

/// A length [m] in the unit that reads best: "0.2 m", "2.5 mm", "80 um".
[[nodiscard]] std::string length_text(double value);

}  // namespace scree
