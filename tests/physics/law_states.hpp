#pragma once

#include "kernels/laws/concept.hpp"

namespace scree::physics {

/// The state of a contact at rest along z, of two spheres, or of a sphere and a wall where the second radius is 0.
inline ContactState<double> contact_at(double overlap, double radius1, double radius2) {
  ContactState<double> c{};
  c.n = {0, 0, 1};
  c.overlap = c.overlap_before = overlap;
  c.radius1 = radius1;
  c.radius2 = radius2 > 0 ? radius2 : radius1;
  c.effective_radius = radius2 > 0 ? radius1 * radius2 / (radius1 + radius2) : radius1;
  c.effective_mass = 1e-5;
  c.time_step = 1;
  return c;
}

/// A path of one law with its energies, without an engine. A step takes one second.
template <class Law>
class LedgerPath {
 public:
  LedgerPath(const typename Law::Params& params, const ContactState<double>& start) : params_(params), state_(start) {
    state_.overlap = -1e-30;
  }

  /// [N] Normal force at the next overlap; its work is added by the mean of this force and the one before.
  double move_to(double overlap) {
    state_.overlap_before = state_.overlap;
    state_.overlap = overlap;
    state_.retreat = state_.overlap_before - overlap;
    const HistoryOf<Law> before = history_;
    const LawResponse<double> response = evaluate_law<Law>(state_, params_, history_);
    const LawEnergies<double> e = law_energies<Law>(state_, params_, response, stored, before, history_);
    work += 0.5 * (force_ + response.normal) * -state_.retreat;
    lost += e.breakage;
    stored = e.stored;
    normal = e.normal;
    force_ = response.normal;
    return force_;
  }
  [[nodiscard]] HistoryOf<Law> history() const { return history_; }

  double work = 0, lost = 0, stored = 0, normal = 0;  ///< [J]

 private:
  typename Law::Params params_;
  ContactState<double> state_;
  HistoryOf<Law> history_{};
  double force_ = 0;
};

}  // namespace scree::physics
