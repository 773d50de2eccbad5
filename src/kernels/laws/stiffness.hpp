#pragma once

#include "kernels/laws/concept.hpp"

namespace scree::inline SCREE_BACKEND {

/// The tangent stiffness and the dashpots of a contact at the moment, for the critical time step. A law computes them
/// by static ContactStiffness<R> stiffness(const ContactState<R>&, const Params&[, const History&]), which may read
/// only overlaps, radii, effective radius and effective mass.
template <class R>
struct ContactStiffness {
  R normal, shear;                      ///< [N/m]
  R normal_dashpot, shear_dashpot;      ///< [N s/m]
  R rolling, twisting;                  ///< [N m]
  R rolling_dashpot, twisting_dashpot;  ///< [N m s]
  R overlap = R(0);                     ///< [-] overlap over the smaller radius; laws do not set it
};

template <class Law, class R>
concept StatesStiffness = requires(const ContactState<R>& c, const typename Law::Params& p) {
  { Law::stiffness(c, p) } -> std::same_as<ContactStiffness<R>>;
}
|| requires(const ContactState<R>& c, const typename Law::Params& p, const HistoryOf<Law>& h) {
  { Law::stiffness(c, p, h) } -> std::same_as<ContactStiffness<R>>;
};

template <class Law, class R>
requires StatesStiffness<Law, R> SCREE_INLINE ContactStiffness<R> law_stiffness(
    const ContactState<R>& state, const typename Law::Params& params, [[maybe_unused]] const HistoryOf<Law>& history) {
  if constexpr (requires { Law::stiffness(state, params, history); }) {
    return Law::stiffness(state, params, history);
  } else {
    return Law::stiffness(state, params);
  }
}

}  // namespace scree::inline SCREE_BACKEND
