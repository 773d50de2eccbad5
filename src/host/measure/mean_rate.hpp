#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace scree {

/// Mean rate of an amount that grows (or shrinks) for a part of the time, such as the mass that has left through an
/// outlet, from samples over time. It keeps at most 512 of them: when there are more, every second one goes, and from
/// then on only every second new one is kept. What it keeps depends on the samples alone.
class MeanRate {
 public:
  struct Result {
    double rate = 0;             ///< per second
    double from = 0, until = 0;  ///< [s] the time over which the mean was taken
    double amount = 0;           ///< change from the first sample to the last one
  };

  /// `time` [s] ascends from sample to sample. An earlier one begins anew: a run was put back.
  void add(double time, double amount);
  /// The mean between the first and the last sample at which the amount has changed. The interval in which the flow
  /// begins is left out, and so is the last one with a flow: in both it may have flowed for a part of the time. Without
  /// an interval between these, both count. None if the amount has not changed.
  [[nodiscard]] std::optional<Result> result() const;

 private:
  struct Sample {
    double time, amount;
  };
  static constexpr std::size_t most = 512;  // even

  std::vector<Sample> kept_;
  std::optional<Sample> last_;  ///< the newest sample, which is not among those that are kept
  std::uint64_t stride_ = 1, seen_ = 0;
};

}  // namespace scree
