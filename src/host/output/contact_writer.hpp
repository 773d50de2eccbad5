#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/output/contact_frame.hpp"
#include "host/output/file_series.hpp"
#include "host/output/output_files.hpp"
#include "host/output/output_schedule.hpp"
#include "scree/engine.hpp"
#include "scree/outputs.hpp"
#include "scree/run_settings.hpp"
#include "scree/scene.hpp"
#include "scree/stages.hpp"

namespace scree {

/// Writes the touching contacts: contacts/step_000001000.vtkhdf, listed in contacts.vtkhdf.series.
class ContactWriter final : public OutputFiles {
 public:
  /// Changes nothing yet. With `resumed_time` [s] it goes on behind the files of earlier moments.
  ContactWriter(std::filesystem::path folder, const ContactOutput& output, const Scene& scene,
                std::optional<double> resumed_time = {});

  /// Makes the folder, and removes files of the resumed moment and later ones. Throws OutputError.
  void open() override;
  [[nodiscard]] std::vector<std::string> notes() const override { return series_.notes(); }
  /// Copies the contacts of the present state, at most once per step. Touches no file. Throws KernelFault when
  /// something is not finite.
  [[nodiscard]] std::optional<ContactTable> collect(Engine& engine);
  /// Writes a file behind those written so far. Any thread may call this after open(), one at a time. It can be
  /// repeated after a failure. Throws OutputError.
  void write(const ContactTable& contacts);
  /// Collects and writes at once.
  void write(Engine& engine);

  [[nodiscard]] const OutputSchedule& schedule() const { return schedule_; }
  [[nodiscard]] RunTarget next(const Engine& engine) const override { return schedule_.next(engine); }
  /// Changes the interval as a stage says that began at this step and time [s].
  void change_schedule(const StagedInterval& change, std::uint64_t step, double time) {
    schedule_.change(change, step, time);
  }
  [[nodiscard]] std::vector<std::filesystem::path> folders() const override { return series_.folders(); }
  [[nodiscard]] std::uint64_t files() const override { return series_.files(); }
  [[nodiscard]] std::uint64_t frame_bytes() const override { return frame_bytes_; }

 private:
  Precision precision_;
  bool of_grains_;
  OutputSchedule schedule_;
  FileSeries series_;
  bool open_ = false;
  std::optional<std::uint64_t> last_step_;
  std::atomic<std::uint64_t> frame_bytes_ = 0;
};

}  // namespace scree
