#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/output/file_series.hpp"
#include "host/output/output_files.hpp"
#include "host/output/output_schedule.hpp"
#include "scree/engine.hpp"
#include "scree/outputs.hpp"
#include "scree/scene.hpp"
#include "scree/stages.hpp"

namespace scree {

/// Writes frames:
/// - particles: frames/frame_000000.vtkhdf, listed in frames.vtkhdf.series;
/// - boundaries except planes: boundaries/NAME.vtkhdf once if at rest. A boundary that moves, comes or goes, or whose
/// facets have values, has boundaries/NAME/frame_000000.vtkhdf and a series; the outline of the periodic cell is
/// written in the same way;
/// - surfaces of level-set grains: grains/frame_000000.vtkhdf, listed in grains.vtkhdf.series;
/// - on request their nodes that touch, in the same way under nodes.
class FrameWriter final : public OutputFiles {
 public:
  /// Changes nothing yet. With `resumed_time` [s] it goes on behind the frames of earlier moments.
  /// `scene` must outlive the writer.
  FrameWriter(std::filesystem::path folder, const FrameOutput& output, const Scene& scene,
              std::optional<double> resumed_time = {});

  /// Makes the folders, and removes frames of the resumed moment and later ones. Throws OutputError.
  void open() override;
  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }

  /// The content of a frame, copied from an engine.
  struct Frame {
    Snapshot particles;
    std::optional<CellState> cell;
    std::vector<std::vector<Real3>> vertices;  ///< [n surfaces] [m] of those that move
    std::vector<TouchingNode> nodes;           ///< if they are asked for
    std::vector<FacetLoads> facets;            ///< of the meshes whose facets are asked for
    std::vector<bool> absent;                  ///< [n surfaces]
    std::string stage;                         ///< name of the stage of the run; empty: it has none
  };
  /// Copies the present state, at most once per step. Touches no file. Throws KernelFault when a position is not
  /// finite.
  [[nodiscard]] std::optional<Frame> collect(Engine& engine);
  /// Writes a frame behind those written so far. Any thread may call this after open(), one at a time. It can be
  /// repeated after a failure. Throws OutputError.
  void write(const Frame& frame);
  /// Collects and writes at once.
  void write(Engine& engine);

  [[nodiscard]] const OutputSchedule& schedule() const { return schedule_; }
  [[nodiscard]] RunTarget next(const Engine& engine) const override { return schedule_.next(engine); }
  /// Changes the interval as a stage says that began at this step and time [s].
  void change_schedule(const StagedInterval& change, std::uint64_t step, double time) {
    schedule_.change(change, step, time);
  }
  /// Frames from now on say that they belong to this stage of the run; empty: the run has none.
  void set_stage(const std::string& name) { stage_ = name; }
  [[nodiscard]] std::vector<std::filesystem::path> folders() const override;
  [[nodiscard]] std::uint64_t files() const override;
  [[nodiscard]] std::uint64_t frame_bytes() const override { return frame_bytes_; }

 private:
  struct Surface {
    std::size_t boundary;  ///< index in Scene::boundaries; one beyond them: the periodic cell
    std::string stem;      ///< file name without ending
    bool moves;
    bool changes;       ///< it moves, comes or goes, or its facets have values
    FileSeries series;  ///< of one that changes
  };
  /// All series that a frame adds a file to.
  [[nodiscard]] std::vector<FileSeries*> series();
  void write_grains(const Frame& frame);
  void write_surface(const Frame& frame, std::size_t index);

  std::filesystem::path folder_;
  std::vector<std::string> fields_;
  const Scene& scene_;
  OutputSchedule schedule_;
  std::vector<Surface> surfaces_;
  FileSeries particles_, grains_, nodes_;
  std::size_t next_ = 0;  ///< number of the next frame
  bool open_ = false;
  std::vector<std::string> notes_;
  std::optional<std::uint64_t> last_step_;
  std::string stage_;                   ///< see set_stage()
  std::uint64_t surfaces_at_rest_ = 0;  ///< files of them
  std::atomic<std::uint64_t> frame_bytes_ = 0;
};

/// File names without endings for names chosen by a user. Letters, digits, '-' and '_' are kept; names that differ only
/// in case get a number. A dot becomes '_', because otherwise the files of "gate" could be those of "gate.vtkhdf".
[[nodiscard]] std::vector<std::string> file_stems(const std::vector<std::string>& names);

}  // namespace scree
