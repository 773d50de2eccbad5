#pragma once

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>

#include "host/checkpoint/checkpoint_file.hpp"
#include "runs_case.hpp"
#include "sealed_checkpoint.hpp"

namespace scree::test {

inline constexpr const char* spheres =
    "x,y,z,radius\n0,0,0.01,0.01\n0.0195,0.001,0.012,0.01\n0.06,0,0.03,0.01\n0.02,0,0.035,0.012\n";

inline std::string resumable_case(const std::string& precision) {
  return R"({ "title": "Four spheres", "time": { "duration": 0.02, "step": 2e-5 }, "precision": ")" + precision + R"(",
    "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                              "restitution": 0.8 } },
    "particles": [ { "material": "glass", "file": "spheres.csv", "velocity": [0.2, 0, -0.5] } ],
    "boundaries": { "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass",
                               "motion": [ { "type": "translation", "velocity": [0, 0.1, 0.05] } ] } },
    "output": { "frames": { "every": 0.003, "fields": ["id", "force", "coordination_number"] },
                "series": { "every": 0.0007 }, "checkpoints": { "every": 0.004 } } })";
}

/// Runs of four spheres that fall on a moving floor, in both precisions.
class ResumeCommand : public testing::TestWithParam<const char*>, protected RunsCase {
 protected:
  void SetUp() override {
    write_text(folder_ / "drop.json", resumable_case(GetParam()));
    write_text(folder_ / "spheres.csv", spheres);
  }

  /// The files of a run but run.log, written by the run itself and by the thread of output.
  std::array<std::map<std::string, std::string>, 2> content_without_and_with_thread() {
    std::array<std::map<std::string, std::string>, 2> files;
    for (const std::size_t by_thread : {0U, 1U}) {
      ::setenv("SCREE_OUTPUT_THREAD", by_thread == 1 ? "1" : "0", 1);
      const int code = run();
      ::unsetenv("SCREE_OUTPUT_THREAD");
      EXPECT_EQ(code, exit_done);
      files[by_thread] = content_of("out");
      files[by_thread].erase("run.log");
    }
    return files;
  }
};

}  // namespace scree::test
