#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "host/simulation.hpp"
#include "host/writers/line_file.hpp"
#include "scree/case.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Kinetic energy of translation and rotation [J], summed in ascending order of id.
[[nodiscard]] double kinetic_energy(const Snapshot& particles, const Scene& scene);

/// First line of series.csv: names with units, quoted where a comma or a quote stands in one.
[[nodiscard]] std::string series_header(const Scene& scene);

/// series.csv: one line per scheduled step, in full precision, on the disk as soon as it is written.
class SeriesWriter {
 public:
  /// Creates the file with its header. `scene` must outlive the writer. Throws OutputError.
  SeriesWriter(const std::filesystem::path& folder, const SeriesOutput& output, const Scene& scene);

  /// Appends the present state, at most once per step. Throws OutputError; KernelFault when a particle is not finite.
  void write(Engine& engine);
  /// Syncs the file. Throws OutputError.
  void close() { file_.close(); }

  [[nodiscard]] const OutputSchedule& schedule() const { return schedule_; }

 private:
  const Scene& scene_;
  OutputSchedule schedule_;
  LineFile file_;
  std::optional<std::uint64_t> last_step_;
};

}  // namespace scree
