#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scree/values.hpp"

namespace scree::geometry {

/// The type of the numbers of a VTK array.
struct VtkType {
  std::size_t bytes = 0;
  enum class Kind { real, whole, natural } kind = Kind::real;  ///< floating, signed or unsigned
};
/// The number with these bytes in big-endian order.
[[nodiscard]] double vtk_number(std::string_view bytes, VtkType type);

/// Cells as lists of points, as a VTK file stores them.
struct VtkCells {
  bool has_offsets = false;  ///< if false, `corners` has the number of corners in front of the corners of each cell
  std::vector<double> offsets, corners;

  /// The corners of the cell with the number `cell`. Without offsets the cell begins at `begin`. Sets `begin` to the
  /// end of the cell. Throws CaseError (path: empty) if corners are missing or are not indices.
  [[nodiscard]] std::vector<std::uint64_t> take(std::size_t cell, std::size_t& begin) const;
};

/// Reads a legacy VTK file (.vtk, versions 1 to 5.1). The head of each section is a line of text. Its numbers follow on
/// the next line, as text or as big-endian bytes. All methods throw CaseError with the path `name`.
class LegacyVtk {
 public:
  LegacyVtk(const std::string& content, const std::string& name) : rest_(content), name_(name) {}
  LegacyVtk(const LegacyVtk&) = delete;
  LegacyVtk& operator=(const LegacyVtk&) = delete;

 protected:
  ~LegacyVtk() = default;
  [[noreturn]] void fail(const std::string& message) const;

  /// Reads the head of the file and checks the name of its data set; `dataset` is in lower case.
  void read_head(const std::string& dataset);
  /// Reads the next word; empty at the end of the file.
  std::string_view word();
  /// Reads the rest of the line.
  std::string_view line();
  /// Reads a number of values.
  std::size_t count();
  /// Reads the type of numbers.
  VtkType type();
  /// Reads the numbers of a section; the head of the section has been read.
  std::vector<double> numbers(std::size_t rows, std::size_t columns, VtkType type);
  /// Reads the section POINTS.
  std::vector<Real3> points();
  /// Reads a section of cells, such as CELLS.
  VtkCells cells(const std::string& section);
  /// Reads a section of data, or the head of the data of points or cells.
  void take_data(const std::string& section);

  /// Receives each named vector field at the points.
  virtual void keep(const std::string& /*label*/, std::vector<Real3> /*vectors*/) {}
  [[nodiscard]] bool has_offsets() const { return has_offsets_; }

 private:
  enum class Owner { grid, points, cells };
  void take_field();
  void take_scalars(const std::string& label);
  void add(const std::string& label, std::size_t rows, std::size_t columns, VtkType type);

  std::string_view rest_;
  const std::string& name_;
  bool is_binary_ = false, has_offsets_ = false;
  Owner owner_ = Owner::grid;
  std::size_t rows_ = 0;
};

}  // namespace scree::geometry
