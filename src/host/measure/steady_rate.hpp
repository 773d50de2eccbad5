#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace scree {

/// Rate of an amount that grows (or shrinks) for a part of the time, such as the mass that has left through an outlet,
/// from samples over time. It keeps at most 512 of them: when there are more, every second one goes, and from then on
/// only every second new one is kept. What it keeps depends on the samples alone.
class SteadyRate {
 public:
  /// The rate is taken while these shares of the change happened: a flow begins with a rush and ends with the last
  /// grains. `discharge_rate` of the Python package, and so sweeps and reports, take the same.
  static constexpr double first_share = 0.1, last_share = 0.6;

  struct Result {
    double rate = 0;             ///< per second
    double from = 0, until = 0;  ///< [s] the time over which it was taken
    double amount = 0;           ///< change from the first sample to the last one
    bool is_steady = false;      ///< it belongs to the shares above; else it is the mean of the whole flow
  };

  /// `time` [s] ascends from sample to sample. An earlier one begins anew: a run was put back.
  void add(double time, double amount);
  /// The slope of the line by least squares through the samples between the two shares. An amount that does not change
  /// in one direction alone, or has less than three samples there, gets its mean rate: that between the first and the
  /// last sample at which it has changed, without the intervals in which it begins and ends to change, as it may have
  /// done so for a part of the time; both count if there is no interval between them. None if the amount has not
  /// changed.
  [[nodiscard]] std::optional<Result> result() const;

 private:
  struct Sample {
    double time, amount;
  };
  static constexpr std::size_t most = 512;  // even

  static std::optional<Result> slope(const std::vector<Sample>& samples);
  static std::optional<Result> mean(const std::vector<Sample>& samples);

  std::vector<Sample> kept_;
  std::optional<Sample> last_;  ///< the newest sample, which is not among those that are kept
  std::uint64_t stride_ = 1, seen_ = 0;
};

}  // namespace scree
