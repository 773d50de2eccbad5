#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstring>

#include "host/checkpoint/checkpoint_file.hpp"
#include "host/storage/checksum.hpp"
#include "host/storage/hdf5_reader.hpp"
#include "scratch_folder.hpp"
#include "scree/errors.hpp"
#include "sealed_checkpoint.hpp"

namespace scree::test::checkpoint_file_test {

namespace fs = std::filesystem;

StateArray array_of(const std::string& name, const std::vector<float>& values, std::size_t columns) {
  StateArray array{name, "m", ValueType::float32, columns, std::vector<std::byte>(4 * values.size())};
  if (!values.empty()) { std::memcpy(array.bytes.data(), values.data(), array.bytes.size()); }
  return array;
}

Checkpoint some_checkpoint() {
  Checkpoint checkpoint{.step = 7,
                        .time = 0.1,
                        .particles = 2,
                        .precision = "mixed",
                        .version = "1.2.3",
                        .state_hash = "00ff",
                        .scene_hash = "0123",
                        .files_hash = "4567",
                        .case_text = "{ \"title\": \"a\" }\n",
                        .state = {}};
  checkpoint.state.arrays = {array_of("bodies/radius", {1, 2}, 1),
                             array_of("bodies/velocity", {1, 2, 3, 4, -0.0F, 6e-42F}, 3),
                             array_of("pairs/shear", {}, 3),
                             array_of("probes/in/deep/er", {5, 6}, 1),
                             array_of("probes/out/height", {7}, 1),
                             {"totals/step", "1", ValueType::uint64, 1, std::vector<std::byte>(8, std::byte{0xfe})}};
  return checkpoint;
}

std::string reading(const fs::path& file) {
  try {
    static_cast<void>(read_checkpoint(file));
  } catch (const StateError& error) { return error.what(); }
  return "read";
}

TEST(Checksum, SeesEveryBitAndDoesNotDependOnPieces) {
  std::string text(37, 'x');
  const auto sum = [](const std::string& bytes, std::size_t cut) {
    Checksum checksum;
    checksum.add(bytes.data(), cut);
    checksum.add(bytes.data() + cut, bytes.size() - cut);
    return checksum.value();
  };
  const auto whole = sum(text, 0);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) { EXPECT_EQ(sum(text, cut), whole) << cut; }
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    std::string changed = text;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_NE(sum(changed, 0), whole) << bit;
  }
  EXPECT_NE(sum(std::string(16, '\0'), 0), sum(std::string(17, '\0'), 0));
}

TEST(CheckpointFile, ReadsBackAsItWas) {
  const ScratchFolder folder;
  const Checkpoint written = some_checkpoint();
  write_checkpoint(folder / "a.h5", written);
  const Checkpoint read = read_checkpoint(folder / "a.h5");
  EXPECT_EQ(read.step, written.step);
  EXPECT_EQ(read.time, written.time);
  EXPECT_EQ(read.particles, written.particles);
  EXPECT_EQ(read.precision, written.precision);
  EXPECT_EQ(read.version, written.version);
  EXPECT_EQ(read.state_hash, written.state_hash);
  EXPECT_EQ(read.scene_hash, written.scene_hash);
  EXPECT_EQ(read.files_hash, written.files_hash);
  EXPECT_EQ(read.case_text, written.case_text);
  EXPECT_TRUE(read.state == written.state);
  write_checkpoint(folder / "b.h5", written);
  EXPECT_EQ(read_text(folder / "a.h5"), read_text(folder / "b.h5"));
  EXPECT_EQ(files_below(folder.path()), (std::vector<std::string>{"a.h5", "b.h5"}));
}

TEST(CheckpointFile, IsAnHdf5File) {
  const ScratchFolder folder;
  write_checkpoint(folder / "a.h5", some_checkpoint());
  const hid_t file = H5Fopen((folder / "a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const hid_t dataset = H5Dopen2(file, "/state/bodies/velocity", H5P_DEFAULT);
  ASSERT_GE(dataset, 0);
  float values[6] = {};
  EXPECT_GE(H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
  EXPECT_EQ(values[3], 4.0F);
  H5Dclose(dataset);
  H5Fclose(file);
}

/// The HDF5 library reads the file that was laid out by hand: arrays of all types with shapes, numbers and units.
TEST(CheckpointFile, TheHdf5LibraryReadsTheSame) {
  const ScratchFolder folder;
  Checkpoint checkpoint = some_checkpoint();
  for (const ValueType type :
       {ValueType::float32, ValueType::float64, ValueType::uint8, ValueType::uint32, ValueType::uint64}) {
    StateArray array{"types/t" + std::to_string(static_cast<int>(type)), "kg m2", type, 2,
                     std::vector<std::byte>(6 * size_of(type))};
    for (std::size_t k = 0; k < array.bytes.size(); ++k) { array.bytes[k] = std::byte(k % 64); }
    checkpoint.state.arrays.push_back(array);
  }
  for (int k = 0; k < 40; ++k) {
    checkpoint.state.arrays.push_back(array_of("many/" + std::string(1 + 7 * std::size_t(k), 'x'), {float(k)}, 1));
  }
  write_checkpoint(folder / "a.h5", checkpoint);
  const Hdf5Reader library(folder / "a.h5");
  const Checkpoint own = read_checkpoint(folder / "a.h5");
  const auto paths = library.datasets("/state");
  ASSERT_EQ(paths.size(), checkpoint.state.arrays.size());
  ASSERT_EQ(own.state.arrays.size(), paths.size());
  for (std::size_t k = 0; k < paths.size(); ++k) {
    StateArray read = library.read(paths[k]);
    EXPECT_EQ("/state/" + own.state.arrays[k].name, paths[k]);
    read.name = own.state.arrays[k].name;
    EXPECT_TRUE(read == own.state.arrays[k]) << paths[k];
  }
  EXPECT_EQ(library.text_attribute("/", "precision"), "mixed");
  EXPECT_EQ(library.text_attribute("/", "step"), "7");
}

/// A series of many probes that are sampled has some such arrays for each of them: the head alone has 10 MB.
TEST(CheckpointFile, MayHoldVeryManyArrays) {
  const ScratchFolder folder;
  Checkpoint written = some_checkpoint();
  for (int k = 0; k < 30'000; ++k) {
    const std::string probe = "probes/p" + std::to_string(k) + "/mean/";
    written.state.arrays.push_back(array_of(probe + "sum", {float(k)}, 1));
    written.state.arrays.push_back(array_of(probe + "known", {}, 1));
  }
  write_checkpoint(folder / "a.h5", written);
  const auto& arrays = written.state.arrays;
  const Checkpoint read = read_checkpoint(folder / "a.h5");
  EXPECT_EQ(read.state.arrays.size(), arrays.size());
  EXPECT_EQ(read.state.find("probes/p29999/mean/sum")->bytes, arrays[arrays.size() - 2].bytes);
  const hid_t file = H5Fopen((folder / "a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const hid_t dataset = H5Dopen2(file, "/state/probes/p29999/mean/sum", H5P_DEFAULT);
  ASSERT_GE(dataset, 0);
  float value = 0;
  EXPECT_GE(H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), 0);
  EXPECT_EQ(value, 29'999.0F);
  H5Dclose(dataset);
  H5Fclose(file);
}

TEST(CheckpointFile, DamageIsSeenWhereverItIs) {
  const ScratchFolder folder;
  write_checkpoint(folder / "a.h5", some_checkpoint());
  const std::string good = read_text(folder / "a.h5");
  const auto file = folder / "b.h5";
  for (std::size_t at = 0; at < good.size(); at += 61) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    write_text(file, bad);
    EXPECT_NE(reading(file), "read") << at;
  }
  std::string bad = good;
  bad[100] = static_cast<char>(~bad[100]);
  write_text(file, bad);
  EXPECT_EQ(reading(file), file.string() + ": is damaged: its checksum is wrong");
  for (const std::size_t length : {std::size_t{0}, std::size_t{10}, good.size() / 2, good.size() - 1}) {
    write_text(file, good.substr(0, length));
    EXPECT_EQ(reading(file), file.string() + ": is not a checkpoint of scree, or not all of it is there") << length;
  }
  write_text(file, good + "x");
  EXPECT_NE(reading(file), "read");
  std::string other = good;
  other.replace(other.rfind("format 0002"), 11, "format 0003");
  write_text(file, other);
  EXPECT_EQ(reading(file), file.string() + ": is damaged: its checksum is wrong");
  write_text(file, sealed(image_of(good), 3));
  EXPECT_EQ(reading(file), file.string() + ": is a checkpoint of format 3, this version of scree reads format 2");
  EXPECT_EQ(reading(folder / "absent.h5"), (folder / "absent.h5").string() + ": does not exist");
}

TEST(CheckpointFile, NamesSortByStep) {
  const ScratchFolder folder;
  for (const char* name : {"step_000000010.h5", "step_000000009.h5", "step_1234567890.h5", "step_000000011.h5.tmp",
                           "step_x.h5", "notes.txt", "step_11.h5"}) {
    write_text(folder / name, "");
  }
  const auto found = checkpoints_in(folder.path());
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].first, 9U);
  EXPECT_EQ(found[1].first, 10U);
  EXPECT_EQ(found[2].first, 1234567890U);
  EXPECT_TRUE(checkpoints_in(folder / "absent").empty());
}

}  // namespace scree::test::checkpoint_file_test
