#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <string>
#include <thread>
#include <utility>

#include "fake_engine.hpp"
#include "host/commands/work_clock.hpp"

namespace scree::test::work_clock_test {

class NamedEngine : public FakeEngine {
 public:
  NamedEngine(const Scene& scene, std::string name) : FakeEngine(scene), name_(std::move(name)) {}
  [[nodiscard]] std::string backend() const override { return name_; }

 private:
  std::string name_;
};

// A thread that sleeps stands for one that other programs keep from a processor.
TEST(WorkClock, CountsProcessorTimeOnTheHostAlone) {
  const Scene scene = small_scene();
  const WorkClock host(NamedEngine(scene, "host, 1 thread")), device(NamedEngine(scene, "cuda, NVIDIA"));
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_GE(device.seconds(), 0.06);
  EXPECT_LT(host.seconds(), 0.03);
  double sum = 0;
  for (int k = 1; host.seconds() < 0.01 && device.seconds() < 60; ++k) {  // work goes on until it counts
    for (int n = 1; n < 10000; ++n) { sum += std::sqrt(double(n * k)); }
  }
  EXPECT_GT(sum, 0);
  EXPECT_GE(host.seconds(), 0.01);
}

}  // namespace scree::test::work_clock_test
