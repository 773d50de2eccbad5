#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "host/measure/measured_state.hpp"
#include "host/measure/probes.hpp"
#include "host/output/series_columns.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The column for a condition of a stage: a column of series.csv except its probes, or one of a probe in the condition.
/// Its value depends on the present state alone.
class MeasuredColumn {
 public:
  /// `scene` must outlive it; files of probes have whole paths. Throws CaseError with the path in the condition.
  MeasuredColumn(const MeasureCondition& condition, const Scene& scene);

  [[nodiscard]] MeasureNeeds needs() const;
  /// nan where there is nothing to measure. `state` has what the column needs.
  [[nodiscard]] double value(Engine& engine, const MeasuredState& state);
  /// Name and unit of a value, for the log.
  [[nodiscard]] std::string text(double value) const;

 private:
  void choose_of_probe(const MeasureCondition& condition);
  void choose_of_series(const std::string& name);

  const Scene& scene_;
  std::unique_ptr<Probes> probes_;  ///< with one probe; null: a column of the series
  std::size_t place_ = 0;           ///< of the column among those of the probe
  SeriesColumn of_series_;
  std::string name_, unit_;
};

/// The measures that the end of a stage waits for: of `until`, and of each condition of `all_of`.
class StageMeasures {
 public:
  StageMeasures() = default;
  /// `scene` must outlive it. Throws CaseError, with the path in the stage, for a measure that is not possible.
  StageMeasures(const SceneStage& stage, const Scene& scene);

  /// The measure of `until`, and that of condition `k` of `all_of`; null: there is none.
  [[nodiscard]] MeasuredColumn* of_end() const { return columns_.empty() ? nullptr : columns_.front().get(); }
  [[nodiscard]] MeasuredColumn* of_condition(std::size_t k) const {
    return columns_.empty() ? nullptr : columns_.at(k + 1).get();
  }
  /// What all measures of the stage need.
  [[nodiscard]] MeasureNeeds needs() const;

 private:
  std::vector<std::unique_ptr<MeasuredColumn>> columns_;  ///< empty: the stage waits for no measure
};

/// Throws CaseError if a measure for which a stage of the scene waits is not possible.
void check_stage_measures(const Scene& scene);

}  // namespace scree
