#include "host/packing/dump_file.hpp"

#include <optional>

#include "host/text/csv.hpp"
#include "host/text/text.hpp"
#include "host/text/text_lines.hpp"
#include "scree/errors.hpp"

namespace scree::packing {
namespace {

constexpr std::string_view snapshot_begin = "ITEM: TIMESTEP", count_item = "ITEM: NUMBER OF ATOMS",
                           atoms_item = "ITEM: ATOMS";

/// Takes the first line from a text, without its end.
std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return geometry::trimmed(line);
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) { ++n; }
  return n;
}

}  // namespace

bool is_dump(std::string_view content) { return content.starts_with("ITEM:"); }

DumpSnapshot last_snapshot(std::string_view content, const std::string& name) {
  const auto begin = content.rfind(snapshot_begin);
  if (begin == std::string_view::npos) { throw CaseError(name, "is no dump of LAMMPS: it has no \"ITEM: TIMESTEP\""); }
  DumpSnapshot snapshot;
  snapshot.n_snapshots = count_of(content, snapshot_begin);
  snapshot.line = count_of(content.substr(0, begin), "\n");
  std::string_view rest = content.substr(begin);
  std::optional<double> n_atoms;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    ++snapshot.line;
    if (line.starts_with(atoms_item)) {
      snapshot.columns = csv::cells_of(line.substr(atoms_item.size()), ' ');
      snapshot.atoms = rest;
      break;
    }
    if (line == snapshot_begin || line == count_item) {
      const std::string_view value = take_line(rest);
      ++snapshot.line;
      if (line == count_item) { n_atoms = geometry::parse_number(value); }
      if (line == snapshot_begin) { snapshot.step = value; }
    }
  }
  std::size_t n_lines = 0;
  csv::for_each_line(snapshot.atoms, [&](std::size_t, std::string_view) { ++n_lines; });
  if (!n_atoms || double(n_lines) != *n_atoms) {
    throw CaseError(name, "the snapshot of step " + snapshot.step + " has " + std::to_string(n_lines) +
                              " atoms, but its head says " + (n_atoms ? number_text(*n_atoms) : "nothing of them"));
  }
  return snapshot;
}

}  // namespace scree::packing
