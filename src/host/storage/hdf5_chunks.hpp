#pragma once

#include <cstddef>
#include <cstdint>

namespace scree {

/// A list of numbers that a file has in chunks, each shuffled and deflated: how frames keep what is regular.
struct ChunkedList {
  std::uint64_t rows = 0;
  std::uint64_t chunk_rows = 1;  ///< of every chunk, also of the last one
  std::size_t number_bytes = 1;
};

/// Whether the filters of a dataset of HDF5, by its creation properties, are those of such a list.
[[nodiscard]] bool has_known_filters(std::int64_t creation_properties);

/// Reads such a list, of rows * number_bytes, into `target`. False when its chunks are not what they should be. The
/// library itself trusts in the length of what comes out of its filters, and reads beyond it where a file is damaged.
[[nodiscard]] bool read_chunks(std::int64_t dataset, const ChunkedList& list, std::byte* target);

}  // namespace scree
