#pragma once

#include <string>
#include <vector>

#include "kernels/archive/state_io.hpp"
#include "kernels/history/stack_store.hpp"
#include "kernels/laws/jaeger_record.hpp"
#include "kernels/state/contact_rows.hpp"

/// Checks that the load histories in a state are possible. A checksum protects against damage, but not against made-up
/// states: no value that is read may lead to an access outside of an array, to an endless loop, or to nan.
namespace scree::inline SCREE_BACKEND {

/// Checks the record of a contact of the law jaeger and the segments below it, bottom to top.
template <class R>
bool is_load_history(const JaegerRecord<R>& record, const std::vector<JaegerSegment<R>>& deep) {
  constexpr double rounding = 1e-5;  // relative error of values that are stored as floats
  const auto is_slope = [](const Vec2<R>& s) {
    return double(s.x) * double(s.x) + double(s.y) * double(s.y) <= 1 + 1e-3;
  };
  double below = 0;
  for (const JaegerSegment<R>& segment : deep) {
    if (!(segment.end() > 0) || segment.end() < below * (1 - rounding) || !is_slope(segment.kept_slope)) {
      return false;
    }
    below = segment.end();
  }
  const JaegerTop<R> top = record.top();
  const double end1 = math::abs(top.end1), end2 = math::abs(top.end2);
  const bool ordered =
      record.count() < 2 ? deep.empty() && end2 == 0 : end2 >= below * (1 - rounding) && end1 >= end2 * (1 - rounding);
  const bool whole = math::abs(top.end1 - double(record.end1)) <= rounding * end1;  // end1 leaves out little
  return ordered && whole && math::abs(math::abs(top.end3) - below) <= rounding * below && is_slope(top.slope1) &&
         is_slope(top.slope2);
}

/// Checks the load histories of all contacts. `has_stack(k)` tells whether the law of contact k has one. Throws
/// StateError.
template <class R, class HasStack>
void expect_load_histories(const StackStore<R>& store, const ContactRows<R>& rows, const RowShape& shape,
                           const char* group, HasStack&& has_stack) {
  if (!store.any()) { return; }
  const auto stacks = rows.stack.to_vector();
  const auto extra = rows.extra.to_vector();
  const typename StackStore<R>::Reader reader(store);
  for (std::size_t k = 0; k < stacks.size(); ++k) {
    bool holds = stacks[k].count == 0;
    if (has_stack(k)) {
      JaegerRecord<R> record{};
      record.each([&](int component, R& value) { value = extra[k * shape.width + std::size_t(component)]; });
      holds = is_load_history(record, reader.segments(stacks[k]));
    }
    expect_state(holds, std::string(group) + ": contact " + std::to_string(k) + " has a load history that cannot be");
  }
}

}  // namespace scree::inline SCREE_BACKEND
