#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "../fuzz/readers.hpp"
#include "scratch_folder.hpp"

/// Every input that a fuzz target has found, or begins with, gets an answer: it is taken, or refused with a sentence.
namespace scree {
namespace {

TEST(FuzzCorpus, EveryFileGetsAnAnswer) {
  const std::map<std::string, std::function<void(const std::string&)>> readers = {{"case", fuzz::read_case_text},
                                                                                  {"stl", fuzz::read_stl},
                                                                                  {"obj", fuzz::read_obj},
                                                                                  {"particles", fuzz::read_particles},
                                                                                  {"tables", fuzz::read_tables}};
  const std::filesystem::path corpus = std::filesystem::path(SCREE_SOURCE_DIR) / "tests/fuzz/corpus";
  for (const auto& [name, read] : readers) {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(corpus / name)) {
      SCOPED_TRACE(entry.path().string());
      read(test::read_text(entry.path()));
      ++files;
    }
    EXPECT_GT(files, 0U) << name;
  }
}

}  // namespace
}  // namespace scree
