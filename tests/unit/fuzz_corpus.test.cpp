#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "../fuzz/readers.hpp"
#include "scratch_folder.hpp"

/// Every input that a fuzz target has found, or begins with, gets an answer: it is taken, or refused with a sentence.
namespace scree {
namespace {

TEST(FuzzCorpus, EveryFileGetsAnAnswer) {
  const std::filesystem::path corpus = std::filesystem::path(SCREE_SOURCE_DIR) / "tests/fuzz/corpus";
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

}  // namespace
}  // namespace scree
