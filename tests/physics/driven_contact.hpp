#pragma once

#include "kernels/laws/concept.hpp"

namespace scree::physics {

/// Drives one contact of one law along a path, without an engine. The normal is z. A step takes one second, so that
/// displacements are velocities.
template <class Law, class R = double>
class DrivenContact {
 public:
  DrivenContact(const typename Law::Params& params, R effective_radius, R effective_mass = R(1)) : params_(params) {
    state_.n = {R(0), R(0), R(1)};
    state_.effective_radius = effective_radius;
    state_.radius1 = state_.radius2 = R(2) * effective_radius;
    state_.effective_mass = effective_mass;
    state_.time_step = R(1);
  }

  /// Moves the contact to an overlap, with a tangential displacement of body 2.
  LawResponse<R> move_to(R overlap, R x = R(0), R y = R(0)) {
    state_.overlap_before = state_.overlap;
    state_.overlap = overlap;
    state_.retreat = state_.overlap_before - overlap;
    state_.normal_velocity = state_.overlap_before - overlap;
    state_.slip = {x, y, R(0)};
    const LawResponse<R> response = evaluate_law<Law>(state_, params_, history_);
    state_.shear = response.shear;
    return response;
  }

  /// Rotates the contact about its normal, with the history that the engine would rotate.
  void turn(R cosine, R sine) {
    const Vec3<R> f = state_.shear;
    state_.shear = {cosine * f.x - sine * f.y, sine * f.x + cosine * f.y, f.z};
  }

  HistoryOf<Law>& history() { return history_; }

 private:
  typename Law::Params params_;
  ContactState<R> state_{};
  HistoryOf<Law> history_{};
};

}  // namespace scree::physics
