#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <sstream>

#include "host/output/run_log.hpp"
#include "scratch_folder.hpp"
#include "scree/errors.hpp"

namespace scree::test::run_log_test {

class RunLogFile : public ::testing::Test {
 protected:
  [[nodiscard]] std::string written() const { return read_text(folder / "run.log"); }

  ScratchFolder folder;
  std::ostringstream terminal;
  RunLog log{terminal, false};
};

TEST_F(RunLogFile, GoesOnWithoutATerminal) {
  log.open(folder / "run.log");
  log.line("one\x1b[31m");
  terminal.setstate(std::ios::badbit);
  log.line("two");
  log.line("three");
  log.close();
  EXPECT_EQ(terminal.str(), "one\\x1b[31m\n");
  const std::string text = written();
  EXPECT_TRUE(text.starts_with("one\\x1b[31m\ntwo\nwarning: standard output cannot be written any more")) << text;
  EXPECT_TRUE(text.ends_with("stands here\nthree\n")) << text;
}

TEST_F(RunLogFile, KeepsWhatWasSaidBeforeTheFileWasOpen) {
  log.line("early");
  log.open(folder / "run.log");
  log.line("late");
  log.file_line("only here");
  log.close();
  EXPECT_EQ(terminal.str(), "early\nlate\n");
  EXPECT_EQ(written(), "early\nlate\nonly here\n");
}

/// Files may not grow while one of these lives, as on a full disk.
class NoRoom {
 public:
  NoRoom() {
    ::getrlimit(RLIMIT_FSIZE, &usual_);
    rlimit none = usual_;
    none.rlim_cur = 0;
    ::setrlimit(RLIMIT_FSIZE, &none);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  ~NoRoom() {
    ::setrlimit(RLIMIT_FSIZE, &usual_);
    std::signal(SIGXFSZ, handler_);
  }
  NoRoom(const NoRoom&) = delete;
  NoRoom& operator=(const NoRoom&) = delete;

 private:
  rlimit usual_{};
  void (*handler_)(int) = nullptr;
};

// The folder is known as that of a run by the first line of its log.
TEST_F(RunLogFile, BeginsWithItsFirstLineEvenIfTheDiskWasFullThen) {
  log.open(folder / "run.log");
  {
    const NoRoom full;
    EXPECT_THROW(log.line("scree 0.1"), OutputError);
    EXPECT_THROW(log.line("error: the disk is full"), OutputError);
  }
  log.line("error: the disk was full");
  log.line("more");
  EXPECT_EQ(read_text(folder / "run.log"), "scree 0.1\nerror: the disk was full\nmore\n");
}

TEST_F(RunLogFile, KeepsNothingOnceItIsClosed) {
  log.open(folder / "run.log");
  log.line("in the run");
  log.close();
  log.line("afterwards");
  EXPECT_EQ(terminal.str(), "in the run\nafterwards\n");
  log.open(folder / "next.log");
  log.line("in the next");
  EXPECT_EQ(lines_of(folder / "run.log"), std::vector<std::string>{"in the run"});
  EXPECT_EQ(lines_of(folder / "next.log"), std::vector<std::string>{"in the next"});
}

TEST_F(RunLogFile, QuietSaysNothingButWritesTheFile) {
  RunLog quiet(terminal, true);
  quiet.open(folder / "run.log");
  quiet.line("text");
  EXPECT_EQ(terminal.str(), "");
  EXPECT_EQ(written(), "text\n");
}

}  // namespace scree::test::run_log_test
