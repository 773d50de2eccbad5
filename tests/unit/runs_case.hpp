#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <sstream>
#include <string>

#include "host/commands/run.hpp"
#include "host/run/exit_code.hpp"
#include "scratch_folder.hpp"

namespace scree::test {

/// Runs drop.json in a folder of its own, with results in "out". Base of the tests of `scree run`, also of those that
/// interrupt a run, resume it and compare its files with those of a run without interruption.
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

  /// All files of a folder with their content.
  std::map<std::string, std::string> content_of(const std::string& folder) const {
    std::map<std::string, std::string> content;
    for (const auto& name : files_below(folder_ / folder)) { content[name] = read_text(folder_ / folder / name); }
    return content;
  }
  /// The same, but only of what must not depend on interruptions: neither the log nor the case nor checkpoints.
  std::map<std::string, std::string> results_of(const std::string& folder) const {
    auto content = content_of(folder);
    std::erase_if(content, [](const auto& file) {
      return file.first == "run.log" || file.first == "case.json" || file.first.starts_with("checkpoints/");
    });
    return content;
  }

  /// Runs to the end without interruption, with results in "whole". Returns the hash of the run.
  std::string whole() {
    const RunArguments kept = arguments_;
    arguments_.folder = folder_ / "whole";
    arguments_.resume = false;
    EXPECT_EQ(run(), exit_done);
    arguments_ = kept;
    return hash();
  }
  /// Begins the run anew, stops it after `steps` steps, and resumes it to its end.
  void interrupt_and_resume(std::uint64_t steps) {
    arguments_.resume = false;
    arguments_.steps = steps;
    ASSERT_EQ(run(), exit_done);
    arguments_.resume = true;
    arguments_.steps.reset();
    ASSERT_EQ(run(), exit_done);
  }
  /// The last run has the hash `expected` and left the same bytes as whole() did.
  void expect_as_whole(const std::string& expected) const {
    EXPECT_EQ(hash(), expected);
    EXPECT_TRUE(results_of("out") == results_of("whole")) << differing_results();
  }
  /// The run has the hash `expected` and leaves the same bytes as whole() did, after whichever of these numbers of
  /// steps it is interrupted.
  void expect_as_whole_when_interrupted(const std::string& expected, std::initializer_list<std::uint64_t> after_steps) {
    for (const std::uint64_t steps : after_steps) {
      SCOPED_TRACE("interrupted after " + std::to_string(steps) + " steps");
      ASSERT_NO_FATAL_FAILURE(interrupt_and_resume(steps));
      expect_as_whole(expected);
    }
  }

  ScratchFolder folder_;
  RunArguments arguments_;
  std::ostringstream terminal_;

 private:
  std::string differing_results() const {
    std::string names;
    const auto out = results_of("out"), expected = results_of("whole");
    for (const auto& [name, bytes] : expected) {
      const auto found = out.find(name);
      if (found == out.end()) { names += name + " is not there; "; }
      if (found != out.end() && found->second != bytes) { names += name + " differs; "; }
    }
    for (const auto& [name, bytes] : out) {
      if (!expected.contains(name)) { names += name + " should not be there; "; }
    }
    return names;
  }
};

}  // namespace scree::test
