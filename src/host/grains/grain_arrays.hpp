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

/// The attributes and arrays of the file of a template, one by one.
namespace scree::grains {

inline constexpr const char* rigid_format = "scree grain 1";
inline constexpr const char* format_with_modes = "scree grain 2";

/// The first bytes of a file, and its length. Throws StateError.
[[nodiscard]] std::pair<std::string, std::uint64_t> head_of(const std::filesystem::path& file, std::uint64_t most);
inline constexpr std::uint64_t longest_head = std::uint64_t{1} << 18U;  ///< [bytes] all that is no number

/// The text of an attribute. Throws StateError when there is none.
[[nodiscard]] std::string attribute_of(const Hdf5Plan& plan, const std::string& name);

/// The plan of a template. Throws StateError for any other file.
[[nodiscard]] Hdf5Plan plan_of(std::string_view begin, std::uint64_t file_bytes);

static_assert(sizeof(Real3) == 3 * sizeof(double));

/// Collects attributes and arrays, then lays the file out by hand as checkpoints are: the HDF5 library is not safe
/// against damaged files.
class GrainWriter {
 public:
  void text(const std::string& name, const std::string& value);
  /// Copies `rows` times `columns` numbers of a type.
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

  /// The whole file.
  [[nodiscard]] std::string bytes();

 private:
  Hdf5Plan plan_;
  std::map<std::string, std::pair<Hdf5Plan::Array, std::string>> arrays_;  ///< in the order of their paths
};

/// Reads them. All throw StateError for what is not there, or not as it was written.
class GrainReader {
 public:
  explicit GrainReader(const std::filesystem::path& file);

  [[nodiscard]] std::string text(const std::string& name) const { return attribute_of(plan_, name); }

  /// The numbers of a dataset; `rows` of them unless that is 0.
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
    throw StateError("is damaged: " + path + " is not as it was written");
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
