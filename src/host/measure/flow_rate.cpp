#include "host/measure/flow_rate.hpp"

#include <algorithm>
#include <cmath>

#include "host/storage/state_columns.hpp"
#include "scree/errors.hpp"

namespace scree {

std::size_t FlowRate::base(double time) const {
  // Times are sums of steps: two looks may miss the window by rounding.
  const double shortest = window_ * (1 - 1e-9);
  const auto after =
      std::find_if(looks_.begin(), looks_.end(), [&](const FlowLook& look) { return !(time - look.time >= shortest); });
  return after == looks_.begin() ? looks_.size() : static_cast<std::size_t>(after - looks_.begin()) - 1;
}

FlowRate::Rate FlowRate::at(const FlowLook& now) const {
  const std::size_t first = base(now.time);
  if (first == looks_.size()) { return {}; }
  const FlowLook& look = looks_[first];
  const double passed = now.time - look.time;
  return {(now.mass - look.mass) / passed, (now.count - look.count) / passed};
}

void FlowRate::add(const FlowLook& look) {
  if (!looks_.empty() && looks_.back().time == look.time) { looks_.pop_back(); }
  // The look from which this one counts is kept: a resumed run writes the row of its checkpoint once more.
  const std::size_t first = base(look.time);
  if (first < looks_.size()) { looks_.erase(looks_.begin(), looks_.begin() + static_cast<std::ptrdiff_t>(first)); }
  looks_.push_back(look);
}

void FlowRate::save(const std::string& prefix, std::vector<StateArray>& arrays) const {
  arrays.push_back(array_of(prefix + "looks", "s, 1, kg", ValueType::float64, 3, looks_));
}

void FlowRate::restore(const std::string& prefix, const std::vector<StateArray>& arrays) {
  const StateArray* const found = find_array(arrays, prefix + "looks");
  if (found == nullptr) { throw StateError("the state of the probe " + prefix + " is not complete"); }
  looks_ = rows_of<FlowLook>(*found, ValueType::float64);
  std::vector<double> numbers;
  for (const FlowLook& look : looks_) { numbers.insert(numbers.end(), {look.time, look.count, look.mass}); }
  expect_finite_rows(prefix + "looks, number by number", numbers);
  for (std::size_t k = 1; k < looks_.size(); ++k) {
    if (looks_[k - 1].time < looks_[k].time) { continue; }
    throw StateError("the array " + prefix + "looks: the time of row " + std::to_string(k) + " must be above " +
                     number_text(looks_[k - 1].time) + " s, that of the row before, got " +
                     number_text(looks_[k].time) + " s");
  }
}

}  // namespace scree
