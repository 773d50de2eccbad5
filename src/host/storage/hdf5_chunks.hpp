#pragma once

#include <cstddef>
#include <cstdint>

namespace scree {

/// A list of numbers that is stored in chunks, each of which is shuffled and deflated, as in frames.
struct ChunkedList {
  std::uint64_t rows = 0;
  std::uint64_t chunk_rows = 1;  ///< rows of each chunk, also of the last one
  std::size_t number_bytes = 1;
};

/// Whether the filters in the creation properties of an HDF5 dataset are those of such a list.
[[nodiscard]] bool has_known_filters(std::int64_t creation_properties);

/// Reads such a list of rows * number_bytes into `target`. Returns false if a chunk is damaged. The HDF5 library cannot
/// be used for this: it trusts the length of the output of filters and reads beyond it if a file is damaged.
[[nodiscard]] bool read_chunks(std::int64_t dataset, const ChunkedList& list, std::byte* target);

}  // namespace scree
