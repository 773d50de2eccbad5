#include "host/storage/hdf5_chunks.hpp"

#include <hdf5.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <vector>

namespace scree {
namespace {

constexpr std::array<H5Z_filter_t, 2> filters{H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE};
// The bit for deflate in the mask of skipped filters of a chunk. A chunk that deflate would make longer is not
// deflated.
constexpr std::uint32_t not_deflated = 2;

/// Reads the bytes of one chunk, still shuffled. Returns false if their number is wrong.
bool read_chunk(hid_t dataset, hsize_t first, std::vector<unsigned char>& stored,
                std::vector<unsigned char>& shuffled) {
  hsize_t bytes = 0;
  std::uint32_t spared = 0;
  if (H5Dget_chunk_storage_size(dataset, &first, &bytes) < 0) { return false; }
  if (bytes == 0 || bytes > compressBound(shuffled.size())) { return false; }
  stored.resize(bytes);
  if (H5Dread_chunk(dataset, H5P_DEFAULT, &first, &spared, stored.data()) < 0) { return false; }
  if (spared == not_deflated && bytes == shuffled.size()) {
    shuffled = stored;
    return true;
  }
  uLongf length = shuffled.size();
  return spared == 0 && uncompress(shuffled.data(), &length, stored.data(), bytes) == Z_OK && length == shuffled.size();
}

}  // namespace

bool has_known_filters(std::int64_t creation_properties) {
  if (H5Pget_nfilters(creation_properties) != static_cast<int>(filters.size())) { return false; }
  for (unsigned k = 0; k < filters.size(); ++k) {
    unsigned flags = 0, config = 0;
    std::size_t n_values = 0;
    if (H5Pget_filter2(creation_properties, k, &flags, &n_values, nullptr, 0, nullptr, &config) != filters[k]) {
      return false;
    }
  }
  return true;
}

bool read_chunks(std::int64_t dataset, const ChunkedList& list, std::byte* target) {
  std::vector<unsigned char> stored, shuffled(list.chunk_rows * list.number_bytes);
  for (std::uint64_t first = 0; first < list.rows; first += list.chunk_rows) {
    if (!read_chunk(dataset, first, stored, shuffled)) { return false; }
    const std::uint64_t rows = std::min(list.chunk_rows, list.rows - first);
    for (std::uint64_t i = 0; i < rows; ++i) {
      for (std::size_t b = 0; b < list.number_bytes; ++b) {
        *target++ = static_cast<std::byte>(shuffled[b * list.chunk_rows + i]);
      }
    }
  }
  return true;
}

}  // namespace scree
