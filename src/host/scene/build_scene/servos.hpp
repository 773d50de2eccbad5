#pragma once

#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Prepares the walls that hold a stress or a force: sets their directions and areas, and gives each a drive, whose
/// values set_servo_drives() sets later. Needs the boundaries of the scene. Adds problems of the input to `problems`.
void make_servos(const Case& input, Scene& scene, std::vector<InputProblem>& problems);

/// Adds a problem for each motion that would move a wall along the direction of its servo. The wall may slide and turn
/// across that direction. `path` is the path of the list of motions in the case.
void check_motions(const std::vector<Motion>& motions, const SceneServo& servo, const std::string& path,
                   std::vector<InputProblem>& problems);

/// Chooses speed, damping and mass of all walls with a servo. Needs the particles, the stages and the time step of the
/// scene. A is the area of a wall, P the largest stress that it has to hold during the run, P' the largest P of all
/// walls, d the mean diameter of the particles and rho their mean density.
/// - Speed: the wall moves towards the particles at most with v = I L / (2 d) sqrt(P' / rho). This compresses the
/// length
///   L at the inertial number I of the servo. L is the distance of the opposite wall, or sqrt(A) without an opposite
///   wall. For a cylinder L is its diameter, and v is the rate of its radius.
/// - Damping: c = P A / (20 v), so that the wall moves at v until 5 % of the stress is missing.
/// - Mass: c^2 / (4 K), so that the wall is critically damped for the stiffness K of one contact under P per area d^2.
///   Particles in series are softer than K, so the wall does not oscillate. It hits the particles with a force of at
///   most v c / 2, which is 2.5 % of P A.
/// The damping is larger if the time step requires it: an oscillation must last at least 30 steps.
void set_servo_drives(const Case& input, Scene& scene, std::vector<InputProblem>& problems);

/// Adds a warning for each mesh whose servo points away from all particles, since it would move away without end, and
/// for each cylinder with a servo and no particle inside.
void warn_of_turned_servos(const Scene& scene, std::vector<std::string>& warnings);

}  // namespace scree
