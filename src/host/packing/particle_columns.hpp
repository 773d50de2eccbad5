#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::packing {

/// Where a particle file comes from. This decides how its columns are called.
enum class ParticleSource : std::uint8_t {
  table,  ///< written for scree
  frame,  ///< a table of a frame, as Frame.to_dataframe() of the Python package makes it
  dump,   ///< a dump of LAMMPS or LIGGGHTS
};

/// The columns of a particle file: what each cell of a line holds.
class ParticleColumns {
 public:
  // The first columns of a vector or a quaternion, and single columns. Numbers come before names.
  static constexpr std::size_t radius = 3, velocity = 4, angular_velocity = 7, orientation = 10, diameter = 14,
                               temperature = 15, film = 16, material = 17, group = 18;
  static constexpr std::size_t n_numbers = 17, n_columns = 19;
  static constexpr std::size_t none = n_columns;  ///< of a cell that is passed over

  /// Reads the cells of the header line of a table. Throws CaseError (path: `file`) if a name is unknown or occurs
  /// twice, or if a column is missing.
  ParticleColumns(const std::vector<std::string_view>& header, std::size_t line, const std::string& file);
  /// Reads the names of the columns of a dump in the same way, but passes over all unknown ones.
  static ParticleColumns of_dump(const std::vector<std::string_view>& names, std::size_t line, const std::string& file);

  /// [n_cells] column of each cell of a line
  [[nodiscard]] const std::vector<std::size_t>& of_cells() const { return of_cells_; }
  [[nodiscard]] bool has(std::size_t column) const { return !headings_[column].empty(); }
  /// The name that a column has in this file, or would have.
  [[nodiscard]] const std::string& name(std::size_t column) const;
  /// In a table of a frame, materials and groups have numbers, and films are volumes.
  [[nodiscard]] ParticleSource source() const { return source_; }
  /// The cell with the number of the clump of a particle, in a table of a frame.
  [[nodiscard]] std::optional<std::size_t> clump_cell() const { return clump_cell_; }
  /// The names of the columns that say nothing about the start of a particle.
  [[nodiscard]] const std::vector<std::string>& passed_over() const { return passed_over_; }

 private:
  explicit ParticleColumns(ParticleSource source) : source_(source) {}
  /// Adds a cell of the header, which names a column.
  void add(std::size_t column, std::string_view cell, const std::string& where, const std::string& file);
  /// Adds a cell of the header, whose values are not needed.
  void pass_over(std::string_view cell);
  void expect_no_gap(const std::string& where, const std::string& file) const;

  std::vector<std::size_t> of_cells_;
  std::array<std::string, n_columns> headings_;  ///< empty: the file does not have this column
  ParticleSource source_ = ParticleSource::table;
  std::optional<std::size_t> clump_cell_;
  std::vector<std::string> passed_over_;
};

}  // namespace scree::packing
