#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "host/measure/probe_mean.hpp"
#include "host/storage/state_columns.hpp"
#include "resume_command.hpp"
#include "scree/errors.hpp"
#include "series_columns.hpp"

/// Probes that are sampled between the rows of a series.
namespace scree::test::probe_means_test {

TEST(ProbeMean, LeavesOutUnknownValuesAndRowsBefore) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  ProbeMean mean(0.1, 3);
  EXPECT_TRUE(mean.empty());
  mean.add(1, {1, unknown, unknown});
  mean.add(2, {4, 5, unknown});
  EXPECT_TRUE(mean.has_sample_of(2));
  EXPECT_EQ(mean.mean()[0], 2.5);
  EXPECT_EQ(mean.mean()[1], 5);
  EXPECT_TRUE(std::isnan(mean.mean()[2]));
  mean.end_window();
  EXPECT_EQ(mean.mean()[0], 2.5) << "the row may be written again";
  std::vector<StateArray> saved;
  mean.save("probes/p/", saved);
  ProbeMean again(0.1, 3), other(0.2, 3);
  EXPECT_TRUE(again.restore("probes/p/", saved));
  EXPECT_FALSE(other.restore("probes/p/", saved)) << "samples at another interval";
  EXPECT_EQ(again.mean()[0], 2.5);
  again.add(3, {7, 7, 7});
  EXPECT_EQ(again.mean(), (std::vector<double>{7, 7, 7}));
  EXPECT_FALSE(again.restore("probes/q/", saved));
  saved.pop_back();
  EXPECT_THROW(again.restore("probes/p/", saved), StateError);
}

// A sum that is not finite could not be restored.
TEST(ProbeMean, LeavesOutInfiniteValues) {
  ProbeMean mean(0.1, 2), again(0.1, 2);
  mean.add(1, {std::numeric_limits<double>::infinity(), 1});
  mean.add(2, {3, -std::numeric_limits<double>::infinity()});
  EXPECT_EQ(mean.mean(), (std::vector<double>{3, 1}));
  std::vector<StateArray> saved;
  mean.save("probes/p/", saved);
  ASSERT_TRUE(again.restore("probes/p/", saved));
  EXPECT_EQ(again.mean(), (std::vector<double>{3, 1}));
}

constexpr const char* probes = R"({"mean":{"type":"coordination"%},)"
                               R"("stress":{"type":"stress","region":{"box":[[-0.1,-0.1,-0.1],[0.1,0.1,0.1]]}%},)"
                               R"("flow":{"type":"flow","plane":{"point":[0,0,0.03],"normal":[0,0,-1]}%},)"
                               R"("loss":{"type":"dissipation"%},)"
                               R"("load":{"type":"boundary_force","boundaries":["floor"],"about":[0.1,0,0]%},)"
                               R"("height":{"type":"track","particles":[0,2]%}})";

/// The probes, each with `sample_every` if that is not empty.
std::string with_samples(const std::string& every) {
  std::string text = probes;
  const std::string keys = every.empty() ? "" : ",\"sample_every\":" + every;
  for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%')) { text.replace(at, 1, keys); }
  return "output.series.probes=" + text;
}

class ProbeMeans : public ResumeCommand {};
INSTANTIATE_TEST_SUITE_P(Precisions, ProbeMeans, testing::Values("mixed", "double"));

/// Rows every 35 steps; samples every 10, and with the rows: 10, 20, 30, 35; 40, 50, 60, 70; ...
TEST_P(ProbeMeans, AreTheMeansOfADenseSeries) {
  arguments_.settings = {with_samples("0.0002")};
  ASSERT_EQ(run(), exit_done);
  const auto means = columns_of(folder_ / "out/series.csv");
  arguments_.settings = {with_samples(""), "output.series.every=2e-5"};
  ASSERT_EQ(run(), exit_done);
  const auto dense = columns_of(folder_ / "out/series.csv");
  const auto& steps = means.at("step");
  ASSERT_EQ(steps.size(), 30U) << "29 of them, and the last step";
  int compared = 0;
  for (const auto& [name, rows] : means) {
    if (!name.starts_with("mean_") && !name.starts_with("stress_") && !name.starts_with("height_") &&
        !name.starts_with("load_")) {
      continue;
    }
    const auto& all = dense.at(name);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      double sum = 0, known = 0;
      const auto last = static_cast<std::size_t>(steps[row]);
      for (std::size_t s = row == 0 ? 0 : static_cast<std::size_t>(steps[row - 1]) + 1; s <= last; ++s) {
        // The last row stands at no multiple of 35, but its step is one of 10.
        if ((s % 10 != 0 && s % 35 != 0) || std::isnan(all.at(s))) { continue; }
        sum += all[s], known += 1;
      }
      if (known == 0) {
        EXPECT_TRUE(std::isnan(rows[row])) << name << " " << row;
      } else {
        EXPECT_NEAR(rows[row], sum / known, 1e-15 * (std::fabs(sum) + 1)) << name << " " << row;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 500);
  for (const char* name : {"flow_count", "flow_mass[kg]"}) {
    for (std::size_t row = 0; row < steps.size(); ++row) {
      EXPECT_EQ(means.at(name)[row], dense.at(name)[static_cast<std::size_t>(steps[row])]) << "a count is no mean";
    }
  }
  EXPECT_GT(means.at("flow_count").back(), 0);
}

/// A probe of one boundary has the columns of the boundary; about another point the torque is less by p x F.
TEST_P(ProbeMeans, ForcesOfBoundariesAreThoseOfTheirColumns) {
  arguments_.settings = {with_samples("")};
  ASSERT_EQ(run(), exit_done);
  const auto rows = columns_of(folder_ / "out/series.csv");
  double most = 0;
  for (std::size_t row = 0; row < rows.at("step").size(); ++row) {
    const auto value = [&](const std::string& name) { return rows.at(name)[row]; };
    most = std::max(most, value("force_z_floor[N]"));
    most = std::max(most, -value("force_z_floor[N]"));
    for (const char* axis : {"x", "y", "z"}) {
      EXPECT_EQ(value(std::string("load_force_") + axis + "[N]"), value(std::string("force_") + axis + "_floor[N]"));
    }
    // p = (0.1, 0, 0): p x F = (0, -0.1 Fz, 0.1 Fy)
    EXPECT_EQ(value("load_torque_x[N m]"), value("torque_x_floor[N m]"));
    EXPECT_NEAR(value("load_torque_y[N m]"), value("torque_y_floor[N m]") + 0.1 * value("force_z_floor[N]"), 1e-12);
    EXPECT_NEAR(value("load_torque_z[N m]"), value("torque_z_floor[N m]") - 0.1 * value("force_y_floor[N]"), 1e-12);
  }
  EXPECT_GT(most, 1e-3);
}

/// Rows are due at steps 70 and 350, and checkpoints are written there, too.
TEST_P(ProbeMeans, ResumedRunsWriteTheSameRows) {
  for (const std::string every : {"0.0002", ""}) {
    arguments_.settings = {with_samples(every)};
    expect_as_whole_when_interrupted(whole(), {1, 70, 75, 90, 333, 350, 999});
    EXPECT_EQ(terminal_.str().find("knows nothing of the probe"), std::string::npos) << terminal_.str();
  }
  const auto power = columns_of(folder_ / "out/series.csv").at("loss_power[W]");
  for (std::size_t row = 1; row < power.size(); ++row) { EXPECT_FALSE(std::isnan(power[row])) << row; }
}

}  // namespace scree::test::probe_means_test
