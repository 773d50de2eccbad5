#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstring>
#include <string>
#include <vector>

#include "host/output/hdf5_file.hpp"
#include "host/storage/hdf5_reader.hpp"
#include "scratch_folder.hpp"
#include "scree/errors.hpp"

namespace scree::test::hdf5_reader_test {

constexpr std::size_t rows_of_chunk = 1U << 17U;  // as scree writes them

std::vector<std::int64_t> multiples(std::size_t count) {
  std::vector<std::int64_t> values(count);
  for (std::size_t i = 0; i < count; ++i) { values[i] = static_cast<std::int64_t>(3 * i) - 5; }
  return values;
}

/// The bytes of a chunk in a file.
std::vector<unsigned char> stored_chunk(const std::filesystem::path& file, const char* path) {
  const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), dataset = H5Dopen2(id, path, H5P_DEFAULT);
  hsize_t first = 0, bytes = 0;
  std::uint32_t spared = 0;
  EXPECT_GE(H5Dget_chunk_storage_size(dataset, &first, &bytes), 0);
  std::vector<unsigned char> stored(bytes);
  EXPECT_GE(H5Dread_chunk(dataset, H5P_DEFAULT, &first, &spared, stored.data()), 0);
  H5Dclose(dataset);
  H5Fclose(id);
  return stored;
}

void replace_chunk(const std::filesystem::path& file, const char* path, const std::vector<unsigned char>& stored) {
  const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), dataset = H5Dopen2(id, path, H5P_DEFAULT);
  const hsize_t first = 0;
  EXPECT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, &first, stored.size(), stored.data()), 0);
  H5Dclose(dataset);
  H5Fclose(id);
}

TEST(Hdf5Reader, ReadsListsThatAreWrittenInChunks) {
  const ScratchFolder folder;
  const auto file = folder / "lists.h5";
  for (const std::size_t rows : {std::size_t{1024}, std::size_t{5000}, rows_of_chunk, 2 * rows_of_chunk + 3}) {
    const auto numbers = multiples(rows);
    const std::vector<std::uint8_t> kinds(rows, 7);
    Hdf5File out(file);
    out.add_regular_dataset("/numbers", numbers);
    out.add_regular_dataset("/kinds", kinds);
    out.save();
    const Hdf5Reader in(file);
    const StateArray read = in.read("/numbers"), kind = in.read("/kinds");
    ASSERT_EQ(read.bytes.size(), rows * sizeof(std::int64_t));
    EXPECT_EQ(std::memcmp(read.bytes.data(), numbers.data(), read.bytes.size()), 0) << rows;
    ASSERT_EQ(kind.bytes.size(), rows);
    EXPECT_EQ(std::memcmp(kind.bytes.data(), kinds.data(), rows), 0) << rows;
  }
}

/// The HDF5 library accepts a chunk of any length and reads beyond its end; scree must refuse it.
TEST(Hdf5Reader, RefusesAChunkOfAnotherLength) {
  const ScratchFolder folder;
  const auto file = folder / "lists.h5", other = folder / "other.h5";
  for (const std::size_t rows : {1024, 5000, 9000}) {
    Hdf5File out(file), from(other);
    out.add_regular_dataset("/numbers", multiples(5000));
    out.save();
    from.add_regular_dataset("/numbers", multiples(rows));
    from.save();
    replace_chunk(file, "/numbers", stored_chunk(other, "/numbers"));
    const Hdf5Reader in(file);
    if (rows == 5000) {
      EXPECT_NO_THROW(static_cast<void>(in.read("/numbers")));
    } else {
      EXPECT_THROW(static_cast<void>(in.read("/numbers")), StateError) << rows;
    }
  }
}

}  // namespace scree::test::hdf5_reader_test
