#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/output/output_files.hpp"
#include "host/output/output_schedule.hpp"
#include "host/output/table_file.hpp"
#include "scree/contact_readouts.hpp"
#include "scree/engine.hpp"
#include "scree/outputs.hpp"
#include "scree/scene.hpp"

namespace scree {

/// collisions.csv: for each window of time, pair of materials or boundary, and range of losses a line with the number
/// of collisions that have ended.
class CollisionWriter final : public OutputFiles {
 public:
  /// Changes nothing yet. With `resumed_at` it goes on behind the rows of earlier steps. `scene` must outlive it.
  /// Throws OutputError when the columns of the file are others.
  CollisionWriter(const std::filesystem::path& folder, const CollisionOutput& output, const Scene& scene,
                  std::optional<std::uint64_t> resumed_at = {});

  /// Creates the file with its header, or cuts off the rows from the resumed step on. Throws OutputError.
  void open() override { table_.open(); }
  [[nodiscard]] std::vector<std::string> notes() const override { return table_.kept().notes; }
  [[nodiscard]] RunTarget next(const Engine& engine) const override { return schedule_.next(engine); }
  /// Appends the rows of a window that ends now, or, if `final_one`, of the part of it that has passed. Throws
  /// OutputError; the next call then appends the rows.
  void write(Engine& engine, bool final_one);
  void sync() override { table_.sync(); }
  void close() override { table_.close(); }

 private:
  [[nodiscard]] std::string row_of(const CollisionBin& bin) const;

  const Scene& scene_;
  TableFile table_;
  OutputSchedule schedule_;
  std::optional<std::uint64_t> last_step_;  ///< of the last rows
};

}  // namespace scree
