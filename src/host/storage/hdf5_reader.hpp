#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "host/storage/hdf5_lock.hpp"
#include "scree/engine_state.hpp"

namespace scree {

/// An HDF5 file that is read. Failures of the library become StateErrors that name the file, and so does all that we do
/// not write: links to other places and files, other types, filters and ways to store numbers, more numbers than the
/// file can hold. The library crashes on some damaged files (version 1.10.8: in the tables of groups, which have no
/// checksum). A child process therefore goes through the file first, and its crash is a StateError, too. As long as a
/// reader lives, other threads wait for the library.
class Hdf5Reader {
 public:
  explicit Hdf5Reader(std::filesystem::path name);
  ~Hdf5Reader();
  Hdf5Reader(const Hdf5Reader&) = delete;
  Hdf5Reader& operator=(const Hdf5Reader&) = delete;

  /// Full paths of all datasets below a group, in alphabetical order.
  [[nodiscard]] std::vector<std::string> datasets(const std::string& group) const;
  [[nodiscard]] bool has_attribute(const std::string& object, const std::string& name) const;
  [[nodiscard]] std::string text_attribute(const std::string& object, const std::string& name) const;
  /// A dataset with its unit ("1" where none is noted). Signed integers of 64 bits are read as unsigned ones. A field
  /// on a grid has a row for each cell.
  [[nodiscard]] StateArray read(const std::string& path) const;
  /// The same without the numbers: only `rows` of them are not known then.
  struct Shape {
    std::string name, unit;
    ValueType type;
    std::size_t rows, columns;
    bool has_sign = false;  ///< of integers: read() keeps their bits, without the sign
  };
  [[nodiscard]] Shape shape(const std::string& path) const;
  /// Whether a dataset is a text instead of numbers, and what it says.
  [[nodiscard]] bool is_text(const std::string& path) const;
  [[nodiscard]] std::string text(const std::string& path) const;

 private:
  enum class Trial { needed, is_this };
  Hdf5Reader(std::filesystem::path name, Trial trial);
  /// Has a child process read all but the numbers; throws StateError when it crashes or does not come to an end.
  void try_in_a_child() const;
  void read_all_but_numbers() const;
  std::int64_t checked(std::int64_t result) const;
  [[nodiscard]] bool is_stored_here(std::int64_t dataset, std::uint64_t rows, std::uint64_t row_bytes,
                                    std::uint64_t number_bytes) const;

  Hdf5Lock lock_;
  std::filesystem::path name_;
  std::uint64_t bytes_ = 0;  ///< of the file
  std::int64_t file_ = -1;
};

}  // namespace scree
