#include "host/measure/steady_rate.hpp"

#include <algorithm>

namespace scree {

void SteadyRate::add(double time, double amount) {
  const Sample sample{time, amount};
  if (!kept_.empty() && time < (last_ ? *last_ : kept_.back()).time) { *this = SteadyRate(); }
  last_.reset();
  if (seen_++ % stride_ != 0) {
    last_ = sample;
    return;
  }
  kept_.push_back(sample);
  if (kept_.size() < most) { return; }
  for (std::size_t k = 0; k < most / 2; ++k) { kept_[k] = kept_[2 * k]; }
  kept_.resize(most / 2);
  last_ = sample;
  stride_ *= 2;
}

std::optional<SteadyRate::Result> SteadyRate::result() const {
  std::vector<Sample> samples = kept_;
  if (last_) { samples.push_back(*last_); }
  const std::optional<Result> steady = slope(samples);
  return steady ? steady : mean(samples);
}

std::optional<SteadyRate::Result> SteadyRate::slope(const std::vector<Sample>& samples) {
  if (samples.empty()) { return std::nullopt; }
  const double first = samples.front().amount, change = samples.back().amount - first;
  const auto share = [&](const Sample& sample) { return (sample.amount - first) / change; };
  const auto shrinks = [&](const Sample& a, const Sample& b) { return share(b) < share(a); };
  if (change == 0 || std::adjacent_find(samples.begin(), samples.end(), shrinks) != samples.end()) {
    return std::nullopt;
  }
  const auto begin = std::find_if(samples.begin(), samples.end(), [&](auto& s) { return share(s) > first_share; });
  const auto end = std::find_if(begin, samples.end(), [&](auto& s) { return share(s) >= last_share; });
  const auto count = static_cast<double>(end - begin);
  if (count < 3) { return std::nullopt; }
  Sample centre{0, 0};
  for (auto s = begin; s != end; ++s) { centre.time += s->time / count, centre.amount += s->amount / count; }
  double spread = 0, product = 0;
  for (auto s = begin; s != end; ++s) {
    const double time = s->time - centre.time;
    spread += time * time, product += time * (s->amount - centre.amount);
  }
  return Result{product / spread, begin->time, (end - 1)->time, change, true};
}

std::optional<SteadyRate::Result> SteadyRate::mean(const std::vector<Sample>& samples) {
  std::size_t first = 0, last = 0;  // the first and the last sample with a change since the sample before
  for (std::size_t k = 1; k < samples.size(); ++k) {
    if (samples[k].amount == samples[k - 1].amount) { continue; }
    if (first == 0) { first = k; }
    last = k;
  }
  if (first == 0) { return std::nullopt; }
  const bool whole = last < first + 2;  // no interval between the two
  const Sample& begin = samples[whole ? first - 1 : first];
  const Sample& end = samples[whole ? last : last - 1];
  if (!(end.time > begin.time)) { return std::nullopt; }
  return Result{(end.amount - begin.amount) / (end.time - begin.time), begin.time, end.time,
                samples.back().amount - samples.front().amount, false};
}

}  // namespace scree
