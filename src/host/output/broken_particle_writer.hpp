#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/breakage/broken_particle.hpp"
#include "host/output/output_files.hpp"
#include "host/output/table_file.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// broken_particles.csv: one line for each sphere that breaks, in the order of steps and ids.
class BrokenParticleWriter final : public OutputFiles {
 public:
  /// Changes nothing yet. With `resumed_at` it goes on behind the rows of that step, which were written before its
  /// checkpoint. `scene` must outlive it. Throws OutputError when the columns of the file are others.
  BrokenParticleWriter(const std::filesystem::path& folder, const Scene& scene,
                       std::optional<std::uint64_t> resumed_at = {});

  /// Creates the file with its header, or cuts off the rows of steps after the resumed one. Throws OutputError.
  void open() override { table_.open(); }
  [[nodiscard]] std::vector<std::string> notes() const override { return table_.kept().notes; }
  /// Appends the spheres that have just broken. Throws OutputError; the next call then appends their rows.
  void write(const std::vector<BrokenParticle>& broken, const Engine& engine);
  void sync() override { table_.sync(); }
  void close() override { table_.close(); }

 private:
  const Scene& scene_;
  TableFile table_;
};

}  // namespace scree
