#include <gtest/gtest.h>

#include <sstream>

#include "fake_engine.hpp"
#include "host/run/progress.hpp"
#include "host/run/summary.hpp"
#include "scratch_folder.hpp"

namespace scree::test::progress_test {

RunProgress at(double wall_seconds, std::uint64_t step) {
  RunProgress progress;
  progress.step = step;
  progress.last_step = 1000;
  progress.time = 1e-3 * static_cast<double>(step);
  progress.end_time = 1;
  progress.wall_seconds = wall_seconds;
  progress.stepping_seconds = wall_seconds;
  progress.particle_steps = 5000 * static_cast<double>(step);
  progress.particles = 5000;
  progress.contacts = 12345;
  return progress;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t count_of(const std::string& text, char c) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), c));
}

TEST(DurationText, UsesTheUnitThatReadsBest) {
  EXPECT_EQ(duration_text(0), "0.0 s");
  EXPECT_EQ(duration_text(7.54), "7.5 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(59.6), "1 min 00 s");
  EXPECT_EQ(duration_text(200), "3 min 20 s");
  EXPECT_EQ(duration_text(7500), "2 h 05 min");
  EXPECT_EQ(duration_text(100 * 3600), "4 d 4 h");
  EXPECT_EQ(duration_text(1e300), "very long");
}

TEST(RateText, HasThreeDigitsAndAPowerOfAThousand) {
  EXPECT_EQ(rate_text(950), "950");
  EXPECT_EQ(rate_text(12.34e6), "12.3 M");
  EXPECT_EQ(rate_text(999.7), "1 k");
  EXPECT_EQ(rate_text(0), "0");
}

TEST(ProgressText, SaysWhatIsDoneAndWhatIsLeft) {
  const auto text = progress_text(at(10, 250));
  EXPECT_TRUE(contains(text, "25.0 %")) << text;
  EXPECT_TRUE(contains(text, "step 250/1000")) << text;
  EXPECT_TRUE(contains(text, "left 30 s")) << text;
  EXPECT_TRUE(contains(text, "125 k particle-steps/s")) << text;
  EXPECT_TRUE(contains(text, "12345 contacts")) << text;
}

TEST(ProgressText, SaysAHundredPercentOnlyAtTheEnd) {
  auto progress = at(10, 999999);
  progress.last_step = 1000000;
  EXPECT_TRUE(contains(progress_text(progress), "99.9 %"));
  EXPECT_TRUE(contains(progress_text(at(10, 1000)), "100.0 %"));
}

TEST(ProgressText, TheBarNeverWraps) {
  EXPECT_EQ(progress_bar_text(at(10, 250), 30).size(), 30U);
  EXPECT_EQ(progress_bar_text(at(10, 250), 80).size(), 80U);
  EXPECT_TRUE(contains(progress_bar_text(at(10, 250), 80), "12345 contacts"));
  EXPECT_TRUE(contains(progress_bar_text(at(10, 500), 200), "[" + std::string(15, '#') + std::string(15, '.') + "]"));
}

TEST(ProgressDisplay, PrintsPlainLinesEveryFiveSecondsWhenPiped) {
  std::ostringstream terminal;
  RunLog log(terminal, false);
  ProgressDisplay display(log, 0);
  for (int tenth = 1; tenth <= 120; ++tenth) { display.show(at(0.1 * tenth, static_cast<std::uint64_t>(tenth))); }
  display.finish();
  EXPECT_EQ(count_of(terminal.str(), '\n'), 2U);
  EXPECT_EQ(count_of(terminal.str(), '\r'), 0U);
}

TEST(ProgressDisplay, RefreshesOneLineOnALiveTerminal) {
  const ScratchFolder folder;
  std::ostringstream terminal;
  RunLog log(terminal, false);
  log.open(folder / "run.log");
  ProgressDisplay display(log, 80);
  for (int hundredth = 1; hundredth <= 600; ++hundredth) { display.show(at(0.01 * hundredth, 1)); }
  display.finish();
  EXPECT_EQ(count_of(terminal.str(), '\n'), 0U);
  EXPECT_GE(count_of(terminal.str(), '\r'), 25U);
  EXPECT_LE(count_of(terminal.str(), '\r'), 32U);
  EXPECT_TRUE(terminal.str().ends_with("\r\x1b[K"));
  EXPECT_EQ(lines_of(folder / "run.log").size(), 1U);  // only the plain line after five seconds
}

TEST(ProgressDisplay, QuietSaysNothing) {
  std::ostringstream terminal;
  RunLog log(terminal, true);
  ProgressDisplay live(log, 80), piped(log, 0);
  for (int second = 1; second <= 12; ++second) {
    live.show(at(second, 1));
    piped.show(at(second, 1));
  }
  live.finish();
  EXPECT_EQ(terminal.str(), "");
}

TEST(Summary, HasSpeedStagesMemoryRemovedAndHash) {
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  engine.advance(10);
  RunSummary summary;
  summary.steps = 10;
  summary.wall_seconds = 0.5;
  summary.stepping_seconds = 0.25;
  summary.output_seconds = 0.0625;
  summary.particle_steps = 1e6;
  summary.contact_steps = 2e6;
  summary.files = 5;
  std::string text;
  for (const auto& line : summary_lines(summary, scene, engine)) { text += line + "\n"; }
  EXPECT_TRUE(contains(text, "4 M particle-steps/s, 8 M contact-steps/s")) << text;
  EXPECT_TRUE(contains(text, "contact forces  0.250 s   50.0 %")) << text;
  EXPECT_TRUE(contains(text, "output          0.062 s   12.5 %")) << text;
  EXPECT_TRUE(contains(text, "1 000 bytes per particle")) << text;
  EXPECT_TRUE(contains(text, "bottom: 10 particles, 1 kg")) << text;
  EXPECT_TRUE(contains(text, "files       5")) << text;
  EXPECT_TRUE(contains(text, "state hash 000000000000000a0000000000000007")) << text;
  EXPECT_TRUE(text.starts_with("done")) << text;
  // Where nothing touches at the end, the least critical step of the run has the heading of its own.
  summary.watch.least_critical = 2e-5;
  text.clear();
  for (const auto& line : summary_lines(summary, scene, engine)) { text += line + "\n"; }
  EXPECT_TRUE(contains(text, "\ntime step   ")) << text;
  summary.interrupted = true;
  EXPECT_TRUE(summary_lines(summary, scene, engine).front().starts_with("interrupted"));
}

/// The summary divides by the number of particles at the end, which inlets and outlets may have changed.
TEST(Summary, MemoryPerParticleIsOfTheParticlesAtTheEnd) {
  struct FedEngine : FakeEngine {
    using FakeEngine::FakeEngine;
    EngineCounts counts() override {
      EngineCounts counts = FakeEngine::counts();
      counts.particles = particles;
      return counts;
    }
    std::uint64_t particles = 15;
  };
  const Scene scene = small_scene();
  FedEngine engine(scene);
  const auto text = [&] {
    std::string all;
    for (const auto& line : summary_lines({}, scene, engine)) { all += line + "\n"; }
    return all;
  };
  EXPECT_TRUE(contains(text(), "200 bytes per particle")) << text();  // 3000 bytes of bodies
  EXPECT_TRUE(contains(text(), "300 bytes per particle")) << text();  // 4500 bytes in all
  engine.particles = 0;
  EXPECT_FALSE(contains(text(), "per particle")) << text();
}

TEST(StartBlock, SaysWhichCheckpointsTheRunLeaves) {
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  const auto text = [&](const std::optional<CheckpointOutput>& checkpoints) {
    Case input;
    input.output.checkpoints = checkpoints;
    std::string all;
    for (const auto& line : start_lines(input, scene, {}, engine, {"a.json", "out/a", "", 1000})) {
      all += line + "\n";
    }
    return all;
  };
  EXPECT_TRUE(contains(text({}), "neither frames nor series asked for, a checkpoint at the end\n")) << text({});
  EXPECT_TRUE(contains(text(CheckpointOutput{0.25, 3}),
                       ", checkpoints every 0.25 s and at the end, of which the newest 3 stay\n"));
  EXPECT_TRUE(contains(text(CheckpointOutput{0.25, 1}),
                       ", checkpoints every 0.25 s and at the end, of which the newest stays\n"));
  EXPECT_TRUE(contains(text(CheckpointOutput{0.25, 0}), ", no checkpoint, so that the run cannot be made longer\n"));
}

TEST(StartBlock, SaysWhatWillRun) {
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  Case input;
  input.title = "Test";
  input.output.frames = FrameOutput{0.5, {}};
  SceneReport report;
  report.time_step_reason = "as the case says";
  report.warnings = {"the step is long"};
  std::string text;
  for (const auto& line : start_lines(input, scene, report, engine, {"a.json", "out/a", "no GPU", 1000})) {
    text += line + "\n";
  }
  EXPECT_TRUE(text.starts_with("scree ")) << text;
  EXPECT_TRUE(contains(text, "a.json: Test")) << text;
  EXPECT_TRUE(contains(text, "(as the case says)")) << text;
  EXPECT_TRUE(contains(text, "fake (no GPU)")) << text;
  EXPECT_TRUE(contains(text, "out/a, 3 frames")) << text;  // at steps 0, 512 and 1000, the end
  EXPECT_TRUE(contains(text, "warning: the step is long")) << text;
}

}  // namespace scree::test::progress_test
