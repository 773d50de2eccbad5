#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/measure/field_means.hpp"
#include "host/measure/selection.hpp"
#include "host/output/file_series.hpp"
#include "host/output/output_schedule.hpp"
#include "scree/engine.hpp"
#include "scree/engine_state.hpp"
#include "scree/outputs.hpp"
#include "scree/scene.hpp"
#include "scree/stages.hpp"

namespace scree {

/// Means over one grid: fields/NAME/step_000001000.vtkhdf, listed in fields/NAME.vtkhdf.series. A window is over when
/// its file is due; it is cleared by the next sample, so that a run which is resumed at that step writes the same file.
class FieldWriter {
 public:
  /// Changes nothing yet. `stem` is the name of the files; the scene must outlive the writer. With `resumed_time` [s]
  /// it goes on behind the files of earlier moments. Throws CaseError for names that the scene does not have.
  FieldWriter(const std::filesystem::path& folder, std::string name, std::string stem, const FieldOutput& output,
              const Scene& scene, std::optional<double> resumed_time = {});

  /// Makes the folder, and removes files of the resumed moment and later ones. Throws OutputError.
  void open();
  /// Sentences about files that could not be continued as they were.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  /// Whether the present step needs a sample: a sample or a file is due, or the run ends here (`final_one`) and the
  /// window has no sample. In the last case the sample is only for the file at the end and belongs to no window, so
  /// that a run which is continued later has the same means.
  [[nodiscard]] bool wants_sample(const Engine& engine, bool final_one) const;
  [[nodiscard]] bool needs_groups() const { return sees_.needs_groups(); }
  /// Adds the present state; after wants_sample(). `view` shows all particles.
  void sample(const Engine& engine, ProbeView& view);
  /// Whether a file must be written now. If the run ends here (`final_one`), a part of a window is written, too.
  [[nodiscard]] bool due(const Engine& engine, bool final_one) const;
  [[nodiscard]] RunTarget next(const Engine& engine) const;
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Changes the interval by the change of a stage that began at this step and time [s]. The window that ends with the
  /// stage is written if the interval changes, and dropped if nothing more is written.
  void change_schedule(const StagedInterval& change, std::uint64_t step, double time);

  /// The means of the window, at most once per step. Touches no file.
  [[nodiscard]] std::optional<FieldTable> collect(const Engine& engine);
  /// Writes a file behind those written so far. Any thread may call this after open(), one at a time. It can be
  /// repeated after a failure. Throws OutputError.
  void write(const FieldTable& table);
  /// Collects and writes at once.
  void write(const Engine& engine);

  /// Saves the window for a checkpoint of this step. A window that ended at an earlier step is left out.
  void save(std::uint64_t step, std::vector<StateArray>& arrays) const;
  /// Restores the window, before open(). If it belongs to another interval, grid or choice of particles, a new one
  /// begins, with a note. Throws StateError.
  void restore(const std::vector<StateArray>& arrays);

  /// See OutputFiles::folders().
  [[nodiscard]] std::vector<std::filesystem::path> folders() const { return series_.folders(); }
  [[nodiscard]] std::uint64_t files() const { return series_.files(); }
  /// [bytes] of the newest file; 0 before the first one. For any thread.
  [[nodiscard]] std::uint64_t frame_bytes() const { return frame_bytes_; }

 private:
  [[nodiscard]] bool in_window(const Engine& engine) const;

  std::string name_, about_;  ///< about_: the keys of the case that decide what is summed
  bool samples_follow_;       ///< the case has no sample_every: one sample per file
  const Scene& scene_;
  OutputSchedule schedule_, samples_due_;
  Selection sees_;
  FieldSums sums_;
  std::uint64_t samples_ = 0;
  std::array<double, 2> sampled_{};           ///< [s] times of the first and of the last sample
  std::optional<std::uint64_t> sample_step_;  ///< of the last sample
  bool over_ = false;                         ///< the window is over
  bool only_of_end_ = false;                  ///< the sample is only for the file of the end
  FileSeries series_;
  std::vector<std::string> notes_;
  bool open_ = false;
  std::optional<std::uint64_t> last_step_;
  std::atomic<std::uint64_t> frame_bytes_ = 0;
};

}  // namespace scree
