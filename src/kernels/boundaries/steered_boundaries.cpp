#include "kernels/boundaries/boundary_system.hpp"
#include "scree/errors.hpp"

/// Boundaries that a program moves in another way than the scene prescribes.
namespace scree::inline SCREE_BACKEND {

void BoundarySystem::set_motion(std::size_t boundary, const std::vector<Motion>& motions, double since, double now) {
  if (boundary >= paths_.size()) { throw ContractError("there is no such boundary"); }
  if (info_[boundary].moving == 0) {
    throw ContractError("the boundary is at rest for good: give it a motion or a drive in the case");
  }
  if (paths_[boundary].drive().is_body) { throw ContractError("forces alone move a free body"); }
  paths_[boundary].steer(since, motions);
  replan(boundary, now);
}

void BoundarySystem::set_surface_motion(std::size_t boundary, const std::vector<Motion>& motions, double since,
                                        double now) {
  if (boundary >= paths_.size()) { throw ContractError("there is no such boundary"); }
  if (!paths_[boundary].slides()) {
    throw ContractError("the surface of the boundary is at rest for good: give it a surface motion in the case");
  }
  paths_[boundary].steer_surface(since, motions);
  replan(boundary, now);
}

/// Starts a new plan after the motions of a boundary have changed at the present time.
void BoundarySystem::replan(std::size_t boundary, double now) {
  // The next plan continues from the last poses of this one: the present pose, with the velocity after the change.
  const std::size_t n = movers_.size();
  if (planned_.size() < n) { return; }
  for (std::size_t m = 0; m < n; ++m) {
    if (movers_[m].boundary == boundary) { planned_[planned_.size() - n + m] = paths_[boundary].at(now); }
  }
}

void BoundarySystem::set_present(std::size_t boundary, bool present) {
  if (boundary >= paths_.size()) { throw ContractError("there is no such boundary"); }
  info_[boundary].absent = present ? 0 : 1;
  boundaries_.info.set_element(boundary, info_[boundary]);
}

void BoundarySystem::set_drive(std::size_t boundary, const std::optional<Real3>& force, std::optional<double> torque) {
  if (boundary >= paths_.size() || !driven(boundary)) { throw ContractError("the boundary has no drive in the case"); }
  if (paths_[boundary].drive().is_radial) { throw ContractError("a radial force drives the boundary"); }
  if (torque && paths_[boundary].drive().is_body) {
    throw ContractError("the torque on a free body is a vector that stays as it is");
  }
  paths_[boundary].set_drive(force, torque);
  send_drive(boundary);
}

void BoundarySystem::lead_drive(std::size_t boundary, const std::optional<Real3>& velocity) {
  if (boundary >= paths_.size() || !paths_[boundary].drive().translates) {
    throw ContractError("the boundary has no drive that moves it along a direction");
  }
  paths_[boundary].lead_drive(velocity);
  send_drive(boundary);
}

void BoundarySystem::set_radial_drive(std::size_t boundary, double force, std::optional<double> rate) {
  if (boundary >= paths_.size() || !paths_[boundary].drive().is_radial) {
    throw ContractError("the boundary has no servo that changes its radius");
  }
  paths_[boundary].set_radial_drive(force, rate);
  send_drive(boundary);
}

/// Copies a changed drive to the backend.
void BoundarySystem::send_drive(std::size_t boundary) {
  for (std::size_t m = 0; m < movers_.size(); ++m) {
    if (movers_[m].boundary != boundary) { continue; }
    movers_[m].drive = paths_[boundary].drive();
    mover_.set_element(m, movers_[m]);
  }
}

}  // namespace scree::inline SCREE_BACKEND
