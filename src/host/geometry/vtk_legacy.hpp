#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scree/values.hpp"

namespace scree::geometry {

/// Type of the numbers of a VTK file.
struct VtkType {
  std::size_t bytes = 0;
  enum class Kind { real, whole, natural } kind = Kind::real;
};
/// The number whose bytes begin with the highest one.
[[nodiscard]] double vtk_number(std::string_view bytes, VtkType type);

/// Cells by their points, as a VTK file has them.
struct VtkCells {
  bool has_offsets = false;  ///< else each cell stands in `corners` behind the number of its corners
  std::vector<double> offsets, corners;

  /// The corners of a cell that begins at `begin`, which is moved behind it; `cell` is its number. Throws CaseError
  /// (path: empty) if they are not all there or no indices.
  [[nodiscard]] std::vector<std::uint64_t> take(std::size_t cell, std::size_t& begin) const;
};

/// A legacy VTK file (.vtk), as text or binary, of versions 1 to 5.1. The words of a section stand on lines of text;
/// its numbers are text or have the bytes of a big-endian machine, and begin behind the line.
class LegacyVtk {
 public:
  LegacyVtk(const std::string& content, const std::string& name) : rest_(content), name_(name) {}
  LegacyVtk(const LegacyVtk&) = delete;
  LegacyVtk& operator=(const LegacyVtk&) = delete;

 protected:
  ~LegacyVtk() = default;
  [[noreturn]] void fail(const std::string& message) const;

  /// Reads up to the name of the data set, which must be this one (in lower case).
  void read_head(const std::string& dataset);
  /// The next word; empty at the end of the file.
  std::string_view word();
  std::string_view line();
  std::size_t count();
  VtkType type();
  /// The numbers of a section, whose last word has been read.
  std::vector<double> numbers(std::size_t rows, std::size_t columns, VtkType type);
  std::vector<Real3> points();
  /// The two numbers and the body of a section of cells, such as CELLS.
  VtkCells cells(const std::string& section);
  /// A section of data, or one that says who the owner of data is.
  void take_data(const std::string& section);

  /// Vectors at the points that have a name.
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
