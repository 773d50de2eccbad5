#pragma once

#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Prepares the walls that hold a stress or a force, in a scene that has its boundaries: where they press, and their
/// areas. Each gets a drive, whose values set_servo_drives() fills in. Adds what is wrong to `problems`.
void make_servos(const Case& input, Scene& scene, std::vector<InputProblem>& problems);

/// Chooses mass and damping of these walls, in a scene that has its particles, stages and time step. With a wall of
/// area A under the largest stress P that the run asks of it, and particles of mean diameter d and density rho:
/// - Damping: c = P A / v, so that a wall which meets nothing moves at v = I L / (2 d) sqrt(P / rho), which compresses
///   the length L across at the inertial number I of the servo. L is the distance of the opposite wall, or the root of
///   A where there is none.
/// - Mass: c^2 / (4 K), critical damping for the stiffness K of one contact per d^2 of the wall under P, or more where
///   the time step needs it: the wall swings in no less than 30 steps. Particles in series are softer than K, so that
///   the wall does not overshoot.
void set_servo_drives(const Case& input, Scene& scene, std::vector<InputProblem>& problems);

}  // namespace scree
