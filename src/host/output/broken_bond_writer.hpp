#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/checkpoint/continued_output.hpp"
#include "host/output/line_file.hpp"
#include "host/run/output_schedule.hpp"
#include "scree/engine.hpp"
#include "scree/engine_state.hpp"
#include "scree/outputs.hpp"
#include "scree/scene.hpp"

namespace scree {

/// broken_bonds.csv: one line for each bond that was whole at one look and is broken at the next, in the order of steps
/// and ids, with its place and forces at the look at which it was whole. Looks are the first step and those of the
/// schedule.
class BrokenBondWriter {
 public:
  /// Changes nothing yet. With `resumed_at` it goes on behind the rows of that step. Throws OutputError when the
  /// columns of the file are others.
  BrokenBondWriter(const std::filesystem::path& folder, const BrokenBondOutput& output, const Scene& scene,
                   std::optional<std::uint64_t> resumed_at = {});

  /// Creates the file with its header, or cuts off the rows of steps after the resumed one. Throws OutputError.
  void open();
  /// What could not be continued as it was.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  /// The next look.
  [[nodiscard]] RunTarget next(const Engine& engine) const;
  /// Looks if a look is due, or if `final_one`, and appends the bonds that broke since the last one. Throws
  /// OutputError; the next call then appends their rows.
  void look(Engine& engine, bool final_one);
  /// What was written is on the disk. Throws OutputError.
  void sync() {
    if (file_) { file_->sync(); }
  }
  /// Syncs and closes the file. Throws OutputError.
  void close() {
    if (file_) { file_->close(); }
  }

  /// The whole bonds of the last look, for a checkpoint; names begin with "broken_bonds/".
  [[nodiscard]] std::vector<StateArray> save() const;
  /// Without arrays the bonds that break before the next look are not known. Throws StateError.
  void restore(const std::vector<StateArray>& arrays);

 private:
  /// A whole bond at the last look.
  struct Bond {
    std::uint32_t first, second;  ///< ids
    Real3 point, normal;          ///< [m], [-] from the first to the second
    double pressure, shear;       ///< [N] normal force, positive where it pushes; magnitude of the shear force
    [[nodiscard]] std::uint64_t key() const { return std::uint64_t{first} << 32U | second; }
  };
  [[nodiscard]] static std::vector<Bond> bonds_of(Engine& engine);
  [[nodiscard]] std::string rows_of_broken(const std::vector<Bond>& now, Engine& engine) const;

  std::filesystem::path path_;
  OutputSchedule schedule_;
  KeptRows kept_;  ///< of a resumed run
  std::vector<std::string> notes_;
  std::optional<LineFile> file_;            ///< once it is open
  std::vector<Bond> whole_;                 ///< at the last look, in ascending order of ids
  std::optional<std::uint64_t> last_step_;  ///< of the last look
  std::string waiting_;                     ///< rows that are not in the file yet
};

}  // namespace scree
