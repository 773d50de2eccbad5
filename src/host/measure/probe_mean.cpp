#include "host/measure/probe_mean.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/storage/state_columns.hpp"
#include "scree/errors.hpp"

namespace scree {

void ProbeMean::add(std::uint64_t step, const std::vector<double>& values) {
  SCREE_EXPECT(values.size() == sum_.size(), "one value per column");
  if (over_) {
    over_ = false;
    samples_ = 0;
    std::fill(sum_.begin(), sum_.end(), 0.0);
    std::fill(known_.begin(), known_.end(), 0);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) { continue; }
    sum_[i] += values[i];
    known_[i] += 1;
  }
  ++samples_;
  step_ = step;
}

std::vector<double> ProbeMean::mean() const {
  std::vector<double> result(sum_.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < sum_.size(); ++i) {
    if (known_[i] > 0) { result[i] = sum_[i] / static_cast<double>(known_[i]); }
  }
  return result;
}

void ProbeMean::save(const std::string& prefix, std::vector<StateArray>& arrays) const {
  arrays.push_back(array_of(prefix + "mean/sample_every", "s", ValueType::float64, 1, std::vector<double>{every_}));
  arrays.push_back(array_of(prefix + "mean/counts", "1", ValueType::uint64, 1,
                            std::vector<std::uint64_t>{samples_, step_.value_or(0), over_ ? 1U : 0U}));
  arrays.push_back(array_of(prefix + "mean/sum", "1", ValueType::float64, 1, sum_));
  arrays.push_back(array_of(prefix + "mean/known", "1", ValueType::uint64, 1, known_));
}

bool ProbeMean::restore(const std::string& prefix, const std::vector<StateArray>& arrays) {
  const StateArray *every = find_array(arrays, prefix + "mean/sample_every"),
                   *counts = find_array(arrays, prefix + "mean/counts"), *sum = find_array(arrays, prefix + "mean/sum"),
                   *known = find_array(arrays, prefix + "mean/known");
  if (every == nullptr) { return false; }
  if (counts == nullptr || sum == nullptr || known == nullptr) {
    throw StateError("the means of the probe " + prefix + " are not complete");
  }
  const auto interval = rows_of<double>(*every, ValueType::float64);
  const auto numbers = rows_of<std::uint64_t>(*counts, ValueType::uint64);
  auto sums = rows_of<double>(*sum, ValueType::float64);
  auto times = rows_of<std::uint64_t>(*known, ValueType::uint64);
  if (interval.size() != 1 || numbers.size() != 3 || sums.size() != times.size()) {
    throw StateError("the means of the probe " + prefix + " are not complete");
  }
  if (numbers[2] > 1) {
    throw StateError("the array " + prefix + "mean/counts: row 2 must be 0 or 1, got " + std::to_string(numbers[2]));
  }
  expect_rows(prefix + "mean/known", times, "at most the number of samples, " + std::to_string(numbers[0]),
              [&](std::uint64_t n) { return n <= numbers[0]; });
  expect_finite_rows(prefix + "mean/sum", sums);
  if (interval[0] != every_ || sums.size() != sum_.size()) { return false; }
  samples_ = numbers[0];
  if (samples_ > 0) { step_ = numbers[1]; }
  over_ = numbers[2] == 1;
  sum_ = std::move(sums);
  known_ = std::move(times);
  return true;
}

}  // namespace scree
