#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/measure/probes.hpp"
#include "host/measure/steady_rate.hpp"
#include "host/output/output_files.hpp"
#include "host/output/output_schedule.hpp"
#include "host/output/series_columns.hpp"
#include "host/output/table_file.hpp"
#include "scree/case.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"
#include "scree/simulation.hpp"

namespace scree {

/// First line of series.csv: names with units, quoted where a comma or a quote stands in one.
[[nodiscard]] std::string series_header(const Scene& scene, const std::vector<std::string>& probe_columns = {},
                                        bool has_kinds = false);

/// series.csv: one line per scheduled step, in full precision, on the disk as soon as it is written.
class SeriesWriter final : public OutputFiles {
 public:
  /// Changes nothing yet. With `resumed_at` it goes on behind the rows of the steps before that one.
  /// `scene` must outlive the writer; meshes of probes lie in `case_folder`. Throws OutputError when the columns of the
  /// file are others. `has_kinds`: as for series_columns().
  SeriesWriter(const std::filesystem::path& folder, const SeriesOutput& output, const Scene& scene,
               const std::filesystem::path& case_folder = {}, std::optional<std::uint64_t> resumed_at = {},
               bool has_kinds = false);

  /// Creates the file with its header, or removes the rows of the resumed step and later ones. Throws OutputError.
  void open() override { table_.open(); }
  [[nodiscard]] std::vector<std::string> notes() const override { return table_.kept().notes; }
  /// Appends the present state, at most once per step; `stage` is the number of the stage of the run. Throws
  /// OutputError, and the next call then appends this row; KernelFault when a particle is not finite.
  void write(Engine& engine, std::size_t stage = 0, const std::vector<InletReport>& inlets = {},
             const BreakageReport& breakage = {}, const BrokenKinds& broken = {});
  /// Takes the samples of this moment for means over the next row, if no row is due. Throws KernelFault as above.
  void sample(Engine& engine);
  /// When the next row or sample is due.
  [[nodiscard]] RunTarget next(const Engine& engine) const override;
  void sync() override { table_.sync(); }
  void close() override { table_.close(); }

  /// Mean flows through the planes of probes, from the rows that were written.
  [[nodiscard]] std::vector<FlowReport> flows() const;
  /// The state that probes and the next row need of the rows so far.
  [[nodiscard]] std::vector<StateArray> probe_states() const;
  void restore_probes(const std::vector<StateArray>& arrays);

  [[nodiscard]] const OutputSchedule& schedule() const { return schedule_; }
  /// Changes the interval, as a stage does that began at this step and time [s].
  void change_schedule(const StagedInterval& change, std::uint64_t step, double time);

 private:
  [[nodiscard]] MeasuredState measured(Engine& engine, MeasureNeeds needs) const;

  const Scene& scene_;
  OutputSchedule schedule_;
  Probes probes_;
  struct ProbeFlow {
    std::string name;
    std::size_t column;  ///< of its mass among the values of all probes
    SteadyRate mass;
  };
  std::vector<ProbeFlow> flows_;
  struct ProbeSamples {
    std::size_t probe;
    OutputSchedule schedule;
  };
  std::vector<ProbeSamples> samples_;
  std::vector<SeriesColumn> columns_;  ///< but for those of probes
  RowsBefore rows_;
  TableFile table_;
  std::optional<std::uint64_t> last_step_;
};

}  // namespace scree
