#pragma once

#include "kernels/history/deep_stack.hpp"
#include "kernels/state/step_moment.hpp"

/// On a GPU: contacts that need more than the record of their law are evaluated by a launch of their own.
namespace scree::inline SCREE_BACKEND {

/// Evaluates the deferred contacts; one thread for each place in their list, used or not.
template <class Contacts>
struct DeferredContacts {
  Contacts contacts;

  SCREE_INLINE DeferredContacts at(const StepMoment<typename Contacts::Scalar>& moment) const {
    return {contacts.at(moment)};
  }
  SCREE_HD void operator()(std::size_t i) const {
    if (i < contacts.of.pool.counters->waiting) { contacts.evaluate_whole(contacts.of.pool.waiting[i]); }
  }
};

/// Empties the list of deferred contacts; one thread.
struct NoneDeferred {
  PoolCounters* counters;
  SCREE_HD void operator()(std::size_t) const { counters->waiting = 0; }
};

}  // namespace scree::inline SCREE_BACKEND
