#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Dumps that LAMMPS and LIGGGHTS write as text, in the styles `atom` and `custom`. A dump is a row of snapshots. Each
/// has the items TIMESTEP, NUMBER OF ATOMS, BOX BOUNDS and ATOMS; the lines of the atoms stand at its end.
namespace scree::packing {

/// A snapshot. The texts point into that of the dump.
struct DumpSnapshot {
  std::string step;                       ///< number of the step, as it is written
  std::vector<std::string_view> columns;  ///< names of the values of an atom
  std::string_view atoms;                 ///< one line for each atom
  std::size_t line = 0;                   ///< number of the line of the names, from 1
  std::size_t n_snapshots = 0;            ///< in the dump
};

/// Whether a text is a dump.
[[nodiscard]] bool is_dump(std::string_view content);

/// The last snapshot of a dump. Throws CaseError (path: `name`) if it has no atoms or fewer than it says.
[[nodiscard]] DumpSnapshot last_snapshot(std::string_view content, const std::string& name);

}  // namespace scree::packing
