#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "host/app/exit_code.hpp"
#include "host/commands/run.hpp"
#include "scratch_folder.hpp"

namespace scree::test {

/// Runs drop.json in a folder of its own, with results in "out". Base of the tests of `scree run`.
class RunsCase {
 protected:
  RunsCase() {
    arguments_.case_file = folder_ / "drop.json";
    arguments_.folder = folder_ / "out";
    arguments_.engine = {BackendChoice::host, 1};
  }

  /// Runs and returns the exit code. The errors must contain the expected text, or be empty if it is empty.
  int run(const std::string& expected_errors = "") {
    terminal_.str("");
    std::ostringstream errors;
    const int code = guarded([&] { return run_case(arguments_, terminal_); }, errors);
    EXPECT_NE(errors.str().find(expected_errors), std::string::npos) << errors.str();
    if (expected_errors.empty()) { EXPECT_EQ(errors.str(), ""); }
    return code;
  }
  /// "state hash " and the hash of the last run; empty if it printed none.
  std::string hash() const {
    const auto text = terminal_.str();
    const auto found = text.rfind("state hash ");
    return found == std::string::npos ? "" : text.substr(found, 43);
  }

  ScratchFolder folder_;
  RunArguments arguments_;
  std::ostringstream terminal_;
};

}  // namespace scree::test
