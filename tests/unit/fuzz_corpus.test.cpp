#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include "../fuzz/readers.hpp"
#include "scratch_folder.hpp"

/// Every input of the fuzz corpus must be accepted or refused with a sentence.
namespace scree::fuzz_corpus_test {

const std::filesystem::path corpus = std::filesystem::path(SCREE_SOURCE_DIR) / "tests/fuzz/corpus";

/// The seeds must have the present formats. Otherwise the fuzz targets would only see the refusal.
TEST(FuzzCorpus, SeedsOfFormatsAreReadToTheirEnd) {
  for (const char* name : {"cell", "clumps", "spheres"}) {
    SCOPED_TRACE(name);
    const auto checkpoint = fuzz::put_file("seed.h5", test::read_text(corpus / "checkpoint" / name));
    EXPECT_NO_THROW(fuzz::start_from_checkpoint(checkpoint)) << "tests/fuzz/make_seeds.sh makes new ones";
    const std::string text = test::read_text(checkpoint);
    EXPECT_EQ(test::sealed(fuzz::with_right_checksums(test::image_of(text))), text);
    std::ostringstream out;
    EXPECT_EQ(run_info(corpus / "frame" / name, out), 0);
  }
}

TEST(FuzzCorpus, EveryFileGetsAnAnswer) {
  std::set<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(corpus)) { folders.insert(entry.path().filename()); }
  for (const auto& [name, read] : fuzz::readers()) {
    ASSERT_EQ(folders.erase(name), 1U) << name << " has no corpus";
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(corpus / name)) {
      SCOPED_TRACE(entry.path().string());
      read(test::read_text(entry.path()));
      ++files;
    }
    EXPECT_GT(files, 0U) << name;
  }
  EXPECT_TRUE(folders.empty()) << *folders.begin() << " is the corpus of no target";
}

}  // namespace scree::fuzz_corpus_test
