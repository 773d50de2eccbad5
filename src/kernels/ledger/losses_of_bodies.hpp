#pragma once

#include "kernels/ledger/contact_losses.hpp"
#include "kernels/run_state.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
template <class Share>
BodyLosses<R, Share> ContactLosses<R>::of_bodies(RunState<R>& run, Span<BodySpeed<R>> before, const Share& share) {
  Pairs<R>& listed = run.contacts.pairs;
  BoundaryList<R>& near = run.contacts.near;
  return {.bodies = view(run.bodies),
          .before = before,
          .share = share,
          .pairs = listed.bodies.view(),
          .touching = listed.touching.view(),
          .incident_start = listed.incident_start.view(),
          .incident = listed.incident.view(),
          .pair_place = {listed.rows.extra.view(), run.laws.history_size},
          .slot_place = {near.rows.extra.view(), run.laws.history_size},
          .pair_slip = pair_slip_.view(),
          .slot_slip = boundary_slip_.view(),
          .boundaries = run.boundary.view(),
          .row_of_body = near.row_of_body.view(),
          .row_start = near.row_start.view(),
          .slots = near.slot.view()};
}

}  // namespace scree::inline SCREE_BACKEND
