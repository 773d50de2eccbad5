#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scree/engine_state.hpp"

namespace scree {

/// The content of an HDF5 file of plain arrays without the numbers: attributes of its root, and datasets with units.
struct Hdf5Plan {
  struct Array {
    std::string path;  ///< from the root, without a leading slash: "state/bodies/radius"
    std::string unit;  ///< value of the attribute "unit"; empty: there is no such attribute
    ValueType type = ValueType::float64;
    std::uint64_t rows = 0, columns = 1;  ///< with one column the dataset has one dimension
    [[nodiscard]] std::uint64_t bytes() const { return rows * columns * size_of(type); }
    bool operator==(const Array&) const = default;
  };
  std::vector<std::pair<std::string, std::string>> attributes;  ///< of the root: names and texts
  std::vector<Array> arrays;                                    ///< in ascending order of their paths
};

/// The layout of such a file: headers first, then the numbers of one array after the other.
struct Hdf5Layout {
  std::string head;                   ///< the bytes of all headers
  std::vector<std::uint64_t> offset;  ///< [n_arrays] [bytes] place of each array; bytes between arrays are 0
  std::uint64_t bytes = 0;            ///< length of the whole file
};

/// Lays out a file without the HDF5 library, which either writes in memory or cannot recover from a full disk, and
/// which only one thread may use. The file has a superblock of version 2, object headers of version 2, links in the
/// headers of groups, and contiguous data (HDF5 File Format Specification 3.0). Equal plans give equal bytes. Throws
/// ContractError if a name does not fit into a header.
[[nodiscard]] Hdf5Layout lay_out(const Hdf5Plan& plan);

/// The plan of a file of `file_bytes` bytes that begins with `begin`. Throws StateError unless lay_out() gives exactly
/// this file.
[[nodiscard]] Hdf5Plan read_plan(std::string_view begin, std::uint64_t file_bytes);

/// The checksum of superblocks and object headers: Bob Jenkins's hash "lookup3" with the initial value 0.
[[nodiscard]] std::uint32_t hdf5_checksum(std::string_view bytes);

}  // namespace scree
