#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/storage/hdf5_layout.hpp"
#include "scree/errors.hpp"
#include "scree/values.hpp"

/// Attributes and arrays of the file of a grain template.
namespace scree::grains {

inline constexpr const char* rigid_format = "scree grain 1";
inline constexpr const char* format_with_modes = "scree grain 2";

/// The first `most` bytes of a file, and the length [bytes] of the file. Throws StateError if it cannot be read.
[[nodiscard]] std::pair<std::string, std::uint64_t> head_of(const std::filesystem::path& file, std::uint64_t most);
inline constexpr std::uint64_t longest_head = std::uint64_t{1} << 18U;  ///< [bytes] of headers, before the numbers

/// The text of an attribute. Throws StateError if the plan does not have it.
[[nodiscard]] std::string attribute_of(const Hdf5Plan& plan, const std::string& name);

/// The plan of the file of a template. Throws StateError for any other file.
[[nodiscard]] Hdf5Plan plan_of(std::string_view begin, std::uint64_t file_bytes);

static_assert(sizeof(Real3) == 3 * sizeof(double));

/// Collects attributes and arrays, and makes the bytes of the file without the HDF5 library, as checkpoints do: the
/// library is not safe against damaged files.
class GrainWriter {
 public:
  void text(const std::string& name, const std::string& value);
  /// Adds an array of `rows` times `columns` numbers of a type.
  void array(const std::string& path, const void* values, std::size_t rows, std::size_t columns, ValueType type,
             const std::string& unit);
  void real(const std::string& path, double value, const std::string& unit) {
    array(path, &value, 1, 1, ValueType::float64, unit);
  }
  template <std::size_t n>
  void reals(const std::string& path, const std::array<double, n>& value, const std::string& unit) {
    array(path, value.data(), n, 1, ValueType::float64, unit);
  }
  void rows(const std::string& path, const std::vector<Real3>& value, const std::string& unit) {
    array(path, value.data(), value.size(), 3, ValueType::float64, unit);
  }

  /// The bytes of the whole file.
  [[nodiscard]] std::string bytes();

 private:
  Hdf5Plan plan_;
  std::map<std::string, std::pair<Hdf5Plan::Array, std::string>> arrays_;  ///< in the order of their paths
};

/// Reads the attributes and arrays of the file of a template. All methods throw StateError if something is missing or
/// does not have the type or size that GrainWriter gives it.
class GrainReader {
 public:
  explicit GrainReader(const std::filesystem::path& file);

  [[nodiscard]] std::string text(const std::string& name) const { return attribute_of(plan_, name); }

  /// The numbers of a dataset, which must have `rows` rows unless `rows` is 0.
  template <class Number>
  [[nodiscard]] std::vector<Number> array(const std::string& path, ValueType type, std::size_t columns,
                                          std::size_t rows = 0) const {
    for (std::size_t at = 0; at < plan_.arrays.size(); ++at) {
      const Hdf5Plan::Array& array = plan_.arrays[at];
      if (array.path != path || array.type != type || array.columns != columns || (rows > 0 && array.rows != rows)) {
        continue;
      }
      std::vector<Number> values(array.bytes() / sizeof(Number));
      if (!values.empty()) std::memcpy(values.data(), content_.data() + offset_[at], array.bytes());
      return values;
    }
    throw StateError("is damaged: its array " + path + " is missing or has a wrong type or size");
  }
  [[nodiscard]] double real(const std::string& path) const {
    return array<double>(path, ValueType::float64, 1, 1).front();
  }
  template <std::size_t n>
  void reals(const std::string& path, std::array<double, n>& value) const {
    const auto all = array<double>(path, ValueType::float64, 1, n);
    std::copy(all.begin(), all.end(), value.begin());
  }

 private:
  std::string content_;
  Hdf5Plan plan_;
  std::vector<std::uint64_t> offset_;
};

}  // namespace scree::grains
