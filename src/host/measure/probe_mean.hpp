#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scree/engine_state.hpp"

namespace scree {

/// Means of the values of a probe over the samples since the last row. A window is over when its row is written; it is
/// cleared by the next sample, so that a run which is resumed at that step writes the same row.
class ProbeMean {
 public:
  /// `sample_every` [s] is the simulated time between two samples, `columns` the number of values.
  ProbeMean(double sample_every, std::size_t columns) : every_(sample_every), sum_(columns), known_(columns) {}

  [[nodiscard]] bool has_sample_of(std::uint64_t step) const { return step_ == step; }
  /// Values that are not finite are left out of their mean: NaN is a value that is not known, and a sum that is not
  /// finite could not be restored.
  void add(std::uint64_t step, const std::vector<double>& values);
  /// Whether the window has no sample.
  [[nodiscard]] bool empty() const { return over_ || samples_ == 0; }
  /// [n_columns] Of the window; NaN where no sample knew the value.
  [[nodiscard]] std::vector<double> mean() const;
  void end_window() { over_ = true; }

  /// For checkpoints; names begin with `prefix`.
  void save(const std::string& prefix, std::vector<StateArray>& arrays) const;
  /// False: nothing was saved, or of samples at another interval; it begins anew. Throws StateError.
  bool restore(const std::string& prefix, const std::vector<StateArray>& arrays);

 private:
  double every_;
  std::vector<double> sum_;
  std::vector<std::uint64_t> known_;  ///< number of samples that knew the value
  std::uint64_t samples_ = 0;
  std::optional<std::uint64_t> step_;  ///< of the last sample
  bool over_ = false;
};

}  // namespace scree
