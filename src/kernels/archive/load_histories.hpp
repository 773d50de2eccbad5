#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "kernels/archive/state_io.hpp"
#include "kernels/history/stack_store.hpp"
#include "kernels/laws/jaeger_record.hpp"
#include "kernels/state/contact_rows.hpp"

/// Checks that the load histories in a state are possible. A checksum protects against damage, but not against made-up
/// states: no value that is read may lead to an access outside of an array, to an endless loop, or to nan.
namespace scree::inline SCREE_BACKEND {

/// Checks the record of a contact of the law jaeger and the segments below it, bottom to top. Returns the rule that is
/// broken and the value that breaks it; empty: the history is possible.
template <class R>
std::string fault_of_load_history(const JaegerRecord<R>& record, const std::vector<JaegerSegment<R>>& deep) {
  constexpr double rounding = 1e-5;  // relative error of values that are stored as floats
  const auto square = [](const Vec2<R>& s) { return double(s.x) * double(s.x) + double(s.y) * double(s.y); };
  const auto steep = [&](const Vec2<R>& s) { return !(square(s) <= 1 + 1e-3); };
  const auto broken_slope = [&](const Vec2<R>& s) {
    return broken_rule("the length of a slope", "at most 1", std::sqrt(square(s)));
  };
  double below = 0;
  for (const JaegerSegment<R>& segment : deep) {
    if (!(segment.end() > 0) || segment.end() < below * (1 - rounding)) {
      return broken_rule("the end of a segment", "> 0 and at least " + value_text(below) + " m, the end below it",
                         segment.end());
    }
    if (steep(segment.kept_slope)) { return broken_slope(segment.kept_slope); }
    below = segment.end();
  }
  const JaegerTop<R> top = record.top();
  const double end1 = math::abs(top.end1), end2 = math::abs(top.end2), end3 = math::abs(top.end3);
  if (record.count() < 2 && !(deep.empty() && end2 == 0)) {
    return broken_rule("the second end", "0 m without segments below a record of less than two", end2);
  }
  if (record.count() >= 2 && !(end2 >= below * (1 - rounding) && end1 >= end2 * (1 - rounding))) {
    return broken_rule(
        "the second end",
        "from " + value_text(below) + " m, the end below it, to " + value_text(end1) + " m, the first end", end2);
  }
  if (!(math::abs(top.end1 - double(record.end1)) <= rounding * end1)) {  // end1 leaves out little
    return broken_rule("the first end", value_text(top.end1) + " m with its rest", double(record.end1));
  }
  if (!(math::abs(end3 - below) <= rounding * below)) {
    return broken_rule("the third end", value_text(below) + " m, the end of the segment below", end3);
  }
  return steep(top.slope1) ? broken_slope(top.slope1) : steep(top.slope2) ? broken_slope(top.slope2) : std::string();
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
    const auto message = [&](const std::string& fault) {
      return std::string(group) + ": the load history of contact " + std::to_string(k) + " is impossible: " + fault;
    };
    if (!has_stack(k)) {
      expect_state(stacks[k].count == 0, [&] {
        return message(broken_rule("the number of segments", "0 under its law", std::uint64_t(stacks[k].count)));
      });
      continue;
    }
    JaegerRecord<R> record{};
    record.each([&](int component, R& value) { value = extra[k * shape.width + std::size_t(component)]; });
    const std::string fault = fault_of_load_history(record, reader.segments(stacks[k]));
    expect_state(fault.empty(), [&] { return message(fault); });
  }
}

}  // namespace scree::inline SCREE_BACKEND
