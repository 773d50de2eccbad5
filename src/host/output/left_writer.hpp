#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/output/insertions.hpp"
#include "host/output/output_files.hpp"
#include "host/output/table_file.hpp"
#include "scree/engine.hpp"
#include "scree/engine_state.hpp"
#include "scree/scene.hpp"

namespace scree {

/// left.csv: one line for each particle that an outlet or a region has removed, in the order of steps and ids.
class LeftWriter final : public OutputFiles {
 public:
  /// Changes nothing yet. With `resumed_at` it goes on behind the rows of that step. `scene` and `insertions`
  /// must outlive it. Throws OutputError when the columns of the file are others.
  LeftWriter(const std::filesystem::path& folder, const Scene& scene, Insertions& insertions,
             std::optional<std::uint64_t> resumed_at = {});

  /// Creates the file with its header, or cuts off the rows of steps after the resumed one. Throws OutputError.
  void open() override { table_.open(); }
  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }
  /// Appends the particles that were removed since the last call. Throws OutputError; the next call then appends their
  /// rows.
  void write(Engine& engine);
  void sync() override { table_.sync(); }
  void close() override { table_.close(); }

  /// Checks a resumed file, before open() and after `insertions` was restored. `removed` is the number of particles
  /// removed so far: the file should have a row for each.
  void restore(std::uint64_t removed);

 private:
  [[nodiscard]] std::string row_of(const RemovedParticle& particle) const;

  const Scene& scene_;
  Insertions& insertions_;
  TableFile table_;
  std::vector<std::string> notes_;
};

}  // namespace scree
