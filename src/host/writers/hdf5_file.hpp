#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace scree {

enum class ElementType { float32, float64, int64, uint32, uint8 };

/// A new HDF5 file that is written once, front to back. Equal content gives equal bytes. Every failure of the library
/// becomes an OutputError that names the file and the reason; the library's own messages are silenced.
class Hdf5File {
 public:
  /// `reported` is the name that errors carry (the file may be written under a temporary one).
  Hdf5File(const std::filesystem::path& path, std::filesystem::path reported);
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  void add_group(const std::string& path);
  /// Fixed-length ASCII text.
  void add_attribute(const std::string& object, const std::string& name, std::string_view text);
  void add_attribute(const std::string& object, const std::string& name, std::span<const std::int64_t> values);

  /// Rows of `columns` numbers (a plain list when 1); `stored` is their type in the file.
  void add_dataset(const std::string& path, std::span<const double> values, std::size_t columns, ElementType stored);
  void add_dataset(const std::string& path, std::span<const std::uint32_t> values);
  /// Regular lists (connectivity, cell types) are worth compressing: they nearly vanish.
  void add_regular_dataset(const std::string& path, std::span<const std::int64_t> values);
  void add_regular_dataset(const std::string& path, std::span<const std::uint8_t> values);

  /// Must be called: a full disk may show only here.
  void close();

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

  std::filesystem::path reported_;
  std::int64_t file_ = -1;
};

/// Version of the HDF5 library in use: "1.10.8".
[[nodiscard]] std::string hdf5_version();

}  // namespace scree
