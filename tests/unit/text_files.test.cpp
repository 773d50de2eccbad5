#include <gtest/gtest.h>

#include <sstream>

#include "case_errors.hpp"
#include "host/commands/clump.hpp"
#include "host/commands/contact.hpp"
#include "host/commands/grain.hpp"
#include "host/commands/traction.hpp"
#include "host/output/line_file.hpp"
#include "host/output/result_file.hpp"
#include "host/storage/atomic_file.hpp"
#include "scratch_folder.hpp"
#include "scree/errors.hpp"
#include "small_files.hpp"

namespace scree::test::text_files_test {

TEST(AtomicFile, ReplacesTheOldContentAndLeavesNoTemporaryFile) {
  const ScratchFolder folder;
  write_text_atomically(folder / "a.txt", "first");
  write_text_atomically(folder / "a.txt", "second");
  EXPECT_EQ(read_text(folder / "a.txt"), "second");
  EXPECT_EQ(files_below(folder.path()), std::vector<std::string>{"a.txt"});
}

TEST(AtomicFile, KeepsTheOldContentWhenWritingFails) {
  const ScratchFolder folder;
  write_text_atomically(folder / "a.txt", "first");
  {
    const SmallFiles full(1000);
    EXPECT_THROW(write_text_atomically(folder / "a.txt", std::string(5000, 'x')), OutputError);
  }
  EXPECT_EQ(read_text(folder / "a.txt"), "first");
  EXPECT_EQ(files_below(folder.path()), std::vector<std::string>{"a.txt"});
}

TEST(AtomicFile, NamesTheFileAndTheReason) {
  try {
    write_text_atomically("/does/not/exist/a.txt", "text");
    FAIL() << "an error was expected";
  } catch (const OutputError& error) {
    EXPECT_STREQ(error.what(), "/does/not/exist/a.txt: cannot be written: No such file or directory");
  }
}

TEST(LineFile, CutsBackToTheLastWholeLineWhenTheDiskIsFull) {
  const ScratchFolder folder;
  LineFile file(folder / "lines.csv");
  file.append("one");
  {
    const SmallFiles full(6);
    EXPECT_THROW(file.append("twenty-two"), OutputError);
  }
  EXPECT_EQ(read_text(folder / "lines.csv"), "one\n");
  file.append("three");
  file.close();
  EXPECT_EQ(read_text(folder / "lines.csv"), "one\nthree\n");
}

TEST(LineFile, EveryLineIsInTheFileAtOnce) {
  const ScratchFolder folder;
  LineFile file(folder / "lines.csv");
  file.append("one");
  EXPECT_EQ(read_text(folder / "lines.csv"), "one\n");
}

TEST(LineFile, NoticesThatItWasRemoved) {
  const ScratchFolder folder;
  LineFile file(folder / "lines");
  file.append("one");
  std::filesystem::remove(folder / "lines");
  EXPECT_THROW(file.append("two"), OutputError);
}

TEST(WriteResult, FollowsLinksAndReplacesNothingElse) {
  const ScratchFolder folder;
  std::ostringstream out;
  write_result(folder / "new", "text", out);
  EXPECT_EQ(read_text(folder / "new"), "text");
  std::filesystem::create_symlink("new", folder / "link");
  write_result(folder / "link", "other", out);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_text(folder / "new"), "other");
  std::filesystem::create_symlink("nowhere", folder / "dangling");
  EXPECT_THROW(write_result(folder / "dangling", "text", out), CaseError);
  EXPECT_THROW(write_result(folder.path(), "text", out), CaseError);
  write_result("/dev/null", "text", out);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_THROW(write_result("/dev/full", "text", out), OutputError);
}

// A mesh, a path of displacements or a checkpoint may be all that there is of it.
TEST(WriteResult, IsNoFileThatTheCommandReads) {
  const ScratchFolder folder;
  const auto input = folder / "drum.stl";
  write_text_atomically(input, "solid drum");
  std::filesystem::create_symlink("drum.stl", folder / "link.stl");
  const std::string why = " is a file that this command reads; choose another name";
  std::ostringstream out;
  ClumpArguments clump;
  clump.mesh = input, clump.out = folder / "link.stl";
  EXPECT_IN("--out: " + clump.out.string() + why, error_of([&] { (void)run_clump(clump, out); }));
  GrainArguments grain;
  grain.source.name = input.string(), grain.out = input;
  EXPECT_IN("--out: " + input.string() + why, error_of([&] { (void)run_grain(grain, out); }));
  ContactArguments contact;
  contact.case_file = folder / "case.json", contact.path = contact.out = input;
  EXPECT_IN("--out: " + input.string() + why, error_of([&] { (void)run_contact(contact, out); }));
  std::swap(contact.out, contact.traction);
  EXPECT_IN("--traction: " + input.string() + why, error_of([&] { (void)run_contact(contact, out); }));
  TractionArguments traction;
  traction.run = traction.out = input;
  EXPECT_IN("--out: " + input.string() + why, error_of([&] { (void)run_traction(traction, out); }));
  EXPECT_EQ(read_text(input), "solid drum");
  EXPECT_NO_THROW(expect_no_input(folder / "new", {input, folder / "new"}));
  EXPECT_NO_THROW(expect_no_input("/dev/null", {"/dev/null"}));
  EXPECT_NO_THROW(expect_no_input("", {input}));
}

}  // namespace scree::test::text_files_test
