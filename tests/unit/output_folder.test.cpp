#include <gtest/gtest.h>
#include <unistd.h>

#include "host/output/folder_lock.hpp"
#include "host/output/output_folder.hpp"
#include "host/output/run_log.hpp"
#include "scratch_folder.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"

namespace scree::test::output_folder_test {

std::string text_of_error(const auto& function) {
  try {
    function();
  } catch (const OutputError& error) { return error.what(); }
  return {};
}

TEST(OutputFolder, TakesItsNameFromTheCase) {
  EXPECT_EQ(default_output_folder("configs/hopper.json"), std::filesystem::path("out/hopper"));
}

TEST(OutputFolder, EmptyAndAbsentFoldersAreFine) {
  const ScratchFolder folder;
  EXPECT_NO_THROW(inspect_output_folder(folder.path(), "case.json"));
  EXPECT_NO_THROW(inspect_output_folder(folder / "a/b/c", "case.json"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
  claim_output_folder(folder / "a/b/c");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b/c"));
  EXPECT_TRUE(files_below(folder.path()).empty());
}

TEST(OutputFolder, RefusesWhatIsNoResultOfARun) {
  const ScratchFolder folder;
  write_text(folder / "notes/thesis.tex", "text");
  EXPECT_THROW(inspect_output_folder(folder / "notes", "case.json"), OutputError);
  EXPECT_THROW(inspect_output_folder(folder / "notes/thesis.tex", "case.json"), OutputError);
  EXPECT_THROW(inspect_output_folder(folder / "notes/thesis.tex/out", "case.json"), OutputError);
  write_text(folder / "other/run.log", "log of another program\n");
  write_text(folder / "other/case.json", "{}");
  EXPECT_THROW(inspect_output_folder(folder / "other", "case.json"), OutputError);
}

TEST(OutputFolder, RefusesToOverwriteTheCaseItself) {
  const ScratchFolder folder;
  write_text(folder / "run.log", "scree 0.1.0\n");
  write_text(folder / "case.json", "{}");
  EXPECT_THROW(inspect_output_folder(folder.path(), folder / "case.json"), OutputError);
  EXPECT_NO_THROW(inspect_output_folder(folder.path(), folder / "other.json"));
}

// A case may start from the run in its own folder, as after a line "start" was added to it.
TEST(OutputFolder, RefusesToRemoveWhatTheCaseNeeds) {
  const ScratchFolder folder;
  write_text(folder / "out/run.log", "scree 0.1.0\n");
  for (const char* name :
       {"checkpoints/step_000000010.h5", "boundaries/drum.obj", "broken_particles.csv", "drum.csv"}) {
    write_text(folder / "out" / name, "needed");
  }
  const auto inspect = [&](const char* needed) {
    inspect_output_folder(folder / "out", "case.json", {folder / "other.stl", folder / needed});
  };
  for (const char* removed : {"out", "out/", "out/../out", "out/checkpoints", "out/checkpoints/step_000000010.h5",
                              "out/broken_particles.csv"}) {
    EXPECT_THROW(inspect(removed), OutputError) << removed;
  }
  for (const char* kept : {"out/boundaries/drum.obj", "out/drum.csv", "outer", "checkpoints", "."}) {
    EXPECT_NO_THROW(inspect(kept)) << kept;
  }
  std::filesystem::create_symlink(folder / "out/checkpoints", folder / "link");
  EXPECT_EQ(text_of_error([&] { inspect("link"); }),
            (folder / "out").string() + ": holds results that the case needs and the run would remove, " +
                (folder / "link").string() + "; choose another folder with --out");
}

TEST(OutputFolder, RemovesEarlierResultsAndNothingElse) {
  const ScratchFolder folder;
  for (const char* name :
       {"case.json", "series.csv", "frames.vtkhdf.series", "fault.vtkhdf", "frames/frame_000000.vtkhdf",
        "frames/frame_000001.vtkhdf.tmp", "boundaries/rotor/frame_000000.vtkhdf", "boundaries/rotor.vtkhdf.series"}) {
    write_text(folder / name, "old");
  }
  write_text(folder / "run.log", "scree 0.1.0\n");
  write_text(folder / "plot.py", "mine");
  write_text(folder / "frames/view.pvsm", "mine");
  inspect_output_folder(folder.path(), "case.json");
  claim_output_folder(folder.path());
  EXPECT_EQ(files_below(folder.path()), (std::vector<std::string>{"frames/view.pvsm", "plot.py", "run.log"}));
  EXPECT_FALSE(std::filesystem::exists(folder / "boundaries"));
}

TEST(OutputFolder, AResumedRunRemovesWhatAKilledOneWasWriting) {
  const ScratchFolder folder;
  const std::vector<std::string> kept{"boundaries/rotor.vtkhdf.series", "boundaries/rotor/frame_000000.vtkhdf",
                                      "boundaries/rotor/mine.tmp", "frames/frame_000000.vtkhdf"};
  for (const auto& name : kept) { write_text(folder / name, "old"); }
  for (const char* name :
       {"boundaries/rotor.vtkhdf.series.tmp", "boundaries/rotor/frame_000001.vtkhdf.tmp", "case.json.tmp",
        "checkpoints/step_000000001.h5.tmp", "fields/f/step_000000001.vtkhdf.tmp", "frames/frame_000001.vtkhdf.tmp"}) {
    write_text(folder / name, "half");
  }
  reopen_output_folder(folder.path());
  EXPECT_EQ(files_below(folder.path()), kept);
}

TEST(OutputFolder, TakesWhatAKillInTheFirstMomentsHasLeft) {
  for (const char* name : {"write_test.tmp", "write_test", "run.lock", "run.log"}) {
    const ScratchFolder folder;
    write_text(folder / name, "");
    EXPECT_NO_THROW(inspect_output_folder(folder.path(), "case.json")) << name;
    write_text(folder / "thesis.tex", "text");
    EXPECT_THROW(inspect_output_folder(folder.path(), "case.json"), OutputError) << name;
  }
  const ScratchFolder folder;
  write_text(folder / "run.lock", "scree run\nprocess 1\n");
  write_text(folder / "plot.py", "mine");
  EXPECT_NO_THROW(inspect_output_folder(folder.path(), "case.json")) << "a run was there";
}

TEST(FolderLock, OneRunHoldsItAndSaysWho) {
  const ScratchFolder folder;
  {
    const FolderLock lock(folder.path());
    EXPECT_TRUE(lock.warning().empty());
    const std::string second = text_of_error([&] { const FolderLock other(folder.path()); });
    EXPECT_NE(second.find("another run writes here: process " + std::to_string(::getpid()) + " on "), std::string::npos)
        << second;
    EXPECT_EQ(text_of_error([&] { inspect_output_folder(folder.path(), "case.json"); }), second);
  }
  EXPECT_TRUE(files_below(folder.path()).empty()) << "the file goes with the lock";
  EXPECT_NO_THROW(FolderLock{folder.path()});
}

}  // namespace scree::test::output_folder_test
