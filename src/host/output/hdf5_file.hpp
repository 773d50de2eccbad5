#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "host/storage/hdf5_lock.hpp"

namespace scree {

enum class ElementType { float32, float64, int64, uint64, int32, uint32, uint8 };

/// A new HDF5 file. It is built in memory and saved at once, because the library cannot recover if the disk fills up
/// while it writes. Equal content gives equal bytes. Failures of the library become OutputErrors that name the file;
/// its own messages are silenced. While this object exists, other threads wait for the library.
class Hdf5File {
 public:
  /// `name` is where it will be saved.
  explicit Hdf5File(std::filesystem::path name);
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  void add_group(const std::string& path);
  /// Fixed-length ASCII text.
  void add_attribute(const std::string& object, const std::string& name, std::string_view text);
  void add_attribute(const std::string& object, const std::string& name, std::span<const std::int64_t> values);
  void add_attribute(const std::string& object, const std::string& name, std::span<const double> values);

  /// A list of one text, of variable length, as VTK reads it.
  void add_text(const std::string& path, const std::string& text);

  /// Rows of `columns` numbers (a plain list when 1); `stored` is their type in the file.
  void add_dataset(const std::string& path, std::span<const double> values, std::size_t columns, ElementType stored);
  void add_dataset(const std::string& path, std::span<const std::uint32_t> values);
  /// Regular lists (connectivity, cell types) are worth compressing: they nearly vanish.
  void add_regular_dataset(const std::string& path, std::span<const std::int64_t> values);
  void add_regular_dataset(const std::string& path, std::span<const std::uint8_t> values);

  /// Adds numbers on a grid. `size` has the number of points along each axis; numbers along the last axis are adjacent.
  void add_grid_dataset(const std::string& path, std::span<const double> values, std::span<const std::uint64_t> size,
                        ElementType stored);

  /// Numbers as they lie in memory.
  void add_dataset(const std::string& path, const void* values, std::size_t count, std::size_t columns,
                   ElementType type);

  /// Writes the file under its name, whole or not at all. Throws OutputError.
  void save();

 private:
  struct Data {
    const void* values;
    std::size_t count, columns;
    ElementType held, stored;
    bool compressed;
  };
  void add(const std::string& path, const Data& data);
  /// Passes a result of the library through, or throws.
  std::int64_t checked(std::int64_t result) const;

  Hdf5Lock lock_;
  std::filesystem::path name_;
  std::int64_t file_ = -1;
};

/// Version of the HDF5 library in use: "1.10.8".
[[nodiscard]] std::string hdf5_version();

}  // namespace scree
