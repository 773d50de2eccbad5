#pragma once

#include "kernels/history/deep_stack.hpp"
#include "kernels/state/step_moment.hpp"

/// On a GPU, contacts that need more than the record of their law are evaluated by a separate launch.
namespace scree::inline SCREE_BACKEND {

/// Evaluates the deferred contacts of one interaction. The host does not know their number, so a fixed number of
/// threads shares them. StepEnd empties the list.
template <class Contacts>
struct DeferredContacts {
  static constexpr std::size_t most_threads = 65536;
  Contacts contacts;
  std::size_t threads;

  SCREE_INLINE DeferredContacts at(const StepMoment<typename Contacts::Scalar>& moment) const {
    return {contacts.at(moment), threads};
  }
  SCREE_HD void operator()(std::size_t thread) const {
    const auto& pool = contacts.of.pool;
    const std::uint64_t n = pool.counters->waiting;
    for (std::size_t i = thread; i < n; i += threads) {
      const std::size_t slot = pool.waiting[i];
      if (contacts.is_mine(contacts.of.pairs[slot])) { contacts.evaluate_whole(slot); }
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
