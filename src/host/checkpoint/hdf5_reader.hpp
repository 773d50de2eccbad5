#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/engine_state.hpp"

namespace scree {

/// An HDF5 file that is read. Failures of the library become StateErrors that name the file.
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
  /// A dataset with its unit ("1" where none is noted). Signed integers of 64 bits are read as unsigned ones.
  [[nodiscard]] StateArray read(const std::string& path) const;
  /// The same without the numbers: only `rows` of them are not known then.
  struct Shape {
    std::string name, unit;
    ValueType type;
    std::size_t rows, columns;
  };
  [[nodiscard]] Shape shape(const std::string& path) const;

 private:
  std::int64_t checked(std::int64_t result) const;

  std::filesystem::path name_;
  std::int64_t file_ = -1;
};

}  // namespace scree
