#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "host/storage/hdf5_lock.hpp"
#include "scree/engine_state.hpp"

namespace scree {

/// Reads an HDF5 file. All methods throw StateError with the name of the file if the library fails, and if the file has
/// something that scree does not write: links to other places or files, other types, filters or layouts, or more
/// numbers than the file can hold. The library crashes on some damaged files (version 1.10.8 does so in the tables of
/// groups, which have no checksum). So a child process reads the file first, and its crash also becomes a StateError.
/// While a reader exists, other threads wait for the library.
class Hdf5Reader {
 public:
  explicit Hdf5Reader(std::filesystem::path name);
  ~Hdf5Reader();
  Hdf5Reader(const Hdf5Reader&) = delete;
  Hdf5Reader& operator=(const Hdf5Reader&) = delete;

  /// The full paths of all datasets below a group, in alphabetical order.
  [[nodiscard]] std::vector<std::string> datasets(const std::string& group) const;
  [[nodiscard]] bool has_attribute(const std::string& object, const std::string& name) const;
  [[nodiscard]] std::string text_attribute(const std::string& object, const std::string& name) const;
  /// A dataset with its unit ("1" if it has no unit). Signed integers are read as unsigned integers with the same bits.
  /// A field on a grid has a row for each cell.
  [[nodiscard]] StateArray read(const std::string& path) const;
  /// A dataset without its numbers.
  struct Shape {
    std::string name, unit;
    ValueType type;
    std::size_t rows, columns;
    bool has_sign = false;  ///< whether integers are signed, which the result of read() does not show
  };
  [[nodiscard]] Shape shape(const std::string& path) const;
  /// Whether a dataset is a text instead of numbers.
  [[nodiscard]] bool is_text(const std::string& path) const;
  /// The text of such a dataset.
  [[nodiscard]] std::string text(const std::string& path) const;

 private:
  enum class Trial { needed, is_this };
  Hdf5Reader(std::filesystem::path name, Trial trial);
  /// Reads everything except the numbers in a child process. Throws StateError if it crashes or does not end.
  void try_in_a_child() const;
  void read_all_but_numbers() const;
  std::int64_t checked(std::int64_t result) const;
  [[nodiscard]] bool is_stored_here(std::int64_t dataset, std::uint64_t rows, std::uint64_t row_bytes,
                                    std::uint64_t number_bytes) const;

  Hdf5Lock lock_;
  std::filesystem::path name_;
  std::uint64_t bytes_ = 0;  ///< length of the file
  std::int64_t file_ = -1;
};

}  // namespace scree
