#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scree/engine_state.hpp"

namespace scree {

/// What an HDF5 file of plain arrays shows: attributes of its root, and datasets with their units.
struct Hdf5Plan {
  struct Array {
    std::string path;  ///< from the root, without a leading slash: "state/bodies/radius"
    std::string unit;  ///< its attribute "unit"; empty: it has none
    ValueType type = ValueType::float64;
    std::uint64_t rows = 0, columns = 1;  ///< a plain list where there is one column
    [[nodiscard]] std::uint64_t bytes() const { return rows * columns * size_of(type); }
    bool operator==(const Array&) const = default;
  };
  std::vector<std::pair<std::string, std::string>> attributes;  ///< of the root: names and texts
  std::vector<Array> arrays;                                    ///< in ascending order of their paths
};

/// How the file is laid out: all that is no number first, then the numbers of one array after the other.
struct Hdf5Layout {
  std::string head;
  std::vector<std::uint64_t> offset;  ///< [bytes] of each array of the plan; those between end and offset are 0
  std::uint64_t bytes = 0;            ///< of the whole file
};

/// The library writes files in memory, or cannot recover when the disk is full, and is not for several threads. Such
/// files are simple enough to be laid out by hand: superblock 2, object headers 2, links in the headers of their groups
/// and contiguous data (HDF5 File Format Specification 3.0). Equal plans give equal bytes.
/// Throws ContractError for names that do not fit into a header.
[[nodiscard]] Hdf5Layout lay_out(const Hdf5Plan& plan);

/// The plan of a file whose first bytes are these, of as many bytes as `file_bytes`. Nothing but what lay_out() makes
/// is accepted: throws StateError.
[[nodiscard]] Hdf5Plan read_plan(std::string_view begin, std::uint64_t file_bytes);

/// The checksum behind superblocks and object headers: Bob Jenkins's hash "lookup3" with the start 0.
[[nodiscard]] std::uint32_t hdf5_checksum(std::string_view bytes);

}  // namespace scree
