#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/output/broken_kinds.hpp"
#include "host/output/output_files.hpp"
#include "host/output/output_schedule.hpp"
#include "host/output/table_file.hpp"
#include "scree/engine.hpp"
#include "scree/engine_state.hpp"
#include "scree/outputs.hpp"
#include "scree/scene.hpp"

namespace scree {

/// broken_bonds.csv: one line for each bond that was whole at one look and is broken at the next, in the order of steps
/// and ids. A line has the place, forces and moments of the bond at the look at which it was whole, and the cause of
/// the break. Looks are the first step and the steps of the schedule.
class BrokenBondWriter final : public OutputFiles {
 public:
  /// Changes nothing yet. With the engine of a resumed run it goes on behind the rows of earlier steps, and of the
  /// present one if a look was due there. Throws OutputError when the columns of the file are others.
  BrokenBondWriter(const std::filesystem::path& folder, const BrokenBondOutput& output, const Scene& scene,
                   const Engine* resumed = nullptr);

  /// Creates the file with its header, or cuts off the rows of steps after the resumed one. Throws OutputError.
  void open() override { table_.open(); }
  [[nodiscard]] std::vector<std::string> notes() const override { return table_.kept().notes; }
  /// The next look.
  [[nodiscard]] RunTarget next(const Engine& engine) const override;
  /// Makes a look if one is due, or if `final_one`, and appends the bonds that broke since the last look that was due.
  /// Throws OutputError; the next call then appends their rows.
  void look(Engine& engine, bool final_one);
  void sync() override { table_.sync(); }
  void close() override { table_.close(); }

  /// The rows so far.
  [[nodiscard]] const BrokenKinds& kinds() const { return kinds_; }

  /// The whole bonds and the kinds at the last look that was due, for a checkpoint; names begin with "broken_bonds/".
  [[nodiscard]] std::vector<StateArray> save() const;
  /// Without arrays, bonds that break before the next look are missed. Throws StateError.
  void restore(const std::vector<StateArray>& arrays);

 private:
  /// A whole bond at the last look.
  struct Bond {
    std::uint32_t first, second;  ///< ids
    Real3 point, normal;          ///< [m], [-] from the first to the second
    double pressure, shear;       ///< [N] normal force, positive where it pushes; magnitude of the shear force
    double bending, twisting;     ///< [N m] magnitudes of the moments
    double strength;              ///< [-] over the strengths of the case
    [[nodiscard]] std::uint64_t key() const { return std::uint64_t{first} << 32U | second; }
  };
  [[nodiscard]] bool due(const Engine& engine) const { return engine.step() == 1 || schedule_.due(engine); }
  [[nodiscard]] static std::vector<Bond> bonds_of(Engine& engine);
  /// Counts their kinds, too.
  [[nodiscard]] std::string rows_of_broken(const std::vector<Bond>& now, Engine& engine, BrokenKinds& kinds) const;
  /// The moments of a bond and the cause of its break, as text of the last columns. Counts the cause. `bodies` contains
  /// both bodies.
  [[nodiscard]] std::string kind_of(const Bond& bond, const Snapshot& bodies, BrokenKinds& kinds) const;

  const Scene& scene_;
  TableFile table_;
  OutputSchedule schedule_;
  std::vector<Bond> whole_;                 ///< at the last look that was due, in ascending order of ids
  BrokenKinds kinds_of_due_;                ///< up to that look
  BrokenKinds kinds_;                       ///< up to the last look
  std::optional<std::uint64_t> last_step_;  ///< of the last look
};

}  // namespace scree
