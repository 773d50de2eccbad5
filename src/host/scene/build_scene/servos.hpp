#pragma once

#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Prepares the walls that hold a stress or a force, in a scene that has its boundaries: where they press, and their
/// areas. Each gets a drive, whose values set_servo_drives() fills in. Adds what is wrong to `problems`.
void make_servos(const Case& input, Scene& scene, std::vector<InputProblem>& problems);

/// Adds a problem for each motion that would move a wall with a servo along the direction in which its stress moves it.
/// The wall may slide and turn across that direction. `path` is that of the list in the case.
void check_motions(const std::vector<Motion>& motions, const SceneServo& servo, const std::string& path,
                   std::vector<InputProblem>& problems);

/// Chooses speed, damping and mass of these walls, in a scene that has its particles, stages and time step. With a wall
/// of area A under the largest stress P that the run asks of it, the largest stress P' that it asks of any wall, and
/// particles of mean diameter d and density rho:
/// - Speed: towards the particles the wall is not faster than v = I L / (2 d) sqrt(P' / rho), which compresses the
///   length L across at the inertial number I of the servo. L is the distance of the opposite wall, or the root of A
///   where there is none. Of a cylinder L is the diameter, and all of this is meant of its radius.
/// - Damping: c = P A / (20 v), so that the wall moves at v until 5 % of the stress are missing.
/// - Mass: c^2 / (4 K), critical damping for the stiffness K of one contact per d^2 of the wall under P. Particles in
///   series are softer than K, so that the wall does not swing, and meets them with v c / 2, 2.5 % of P A, at most.
/// The damping is larger where the time step needs it: a swing lasts 30 steps at least.
void set_servo_drives(const Case& input, Scene& scene, std::vector<InputProblem>& problems);

/// Adds a warning for each mesh whose servo points away from all particles: it would move off without end. Also for
/// each cylinder with a servo that has no particle inside.
void warn_of_turned_servos(const Scene& scene, std::vector<std::string>& warnings);

}  // namespace scree
