#include "host/measure/mean_rate.hpp"

namespace scree {

void MeanRate::add(double time, double amount) {
  const Sample sample{time, amount};
  if (!kept_.empty() && time < (last_ ? *last_ : kept_.back()).time) { *this = MeanRate(); }
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

std::optional<MeanRate::Result> MeanRate::result() const {
  std::vector<Sample> samples = kept_;
  if (last_) { samples.push_back(*last_); }
  std::size_t first = 0, last = 0;  // the first and the last sample before which something flowed
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
                samples.back().amount - samples.front().amount};
}

}  // namespace scree
