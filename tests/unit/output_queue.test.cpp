#include "host/output/output_queue.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include "host/output/disk_room.hpp"
#include "host/output/hdf5_file.hpp"
#include "scratch_folder.hpp"
#include "scree/errors.hpp"

namespace scree::test::output_queue_test {

/// A gate at which jobs stop until it is opened.
class Gate {
 public:
  void open() { promise_.set_value(); }
  [[nodiscard]] std::function<void()> job() const {
    return [opened = opened_] { opened.wait(); };
  }

 private:
  std::promise<void> promise_;
  std::shared_future<void> opened_ = promise_.get_future().share();
};

TEST(OutputQueue, DoesJobsInTheirOrder) {
  std::vector<int> done;
  {
    OutputQueue queue;
    for (int k = 0; k < 100; ++k) {
      queue.push([&done, k] { done.push_back(k); }, true);
    }
    queue.drain();
    ASSERT_EQ(done.size(), 100u);
    queue.push([&done] { done.push_back(100); }, true);
  }  // and what is left at its end
  ASSERT_EQ(done.size(), 101u);
  for (int k = 0; k <= 100; ++k) { EXPECT_EQ(done[static_cast<std::size_t>(k)], k); }
}

TEST(OutputQueue, TheRunWaitsWhenTwoWait) {
  OutputQueue queue;
  Gate gate;
  std::atomic<int> pushed = 0;
  std::thread run([&] {
    for (int k = 0; k < 4; ++k) {
      queue.push(gate.job(), true);
      ++pushed;
    }
    queue.drain();
  });
  while (pushed < 3) { std::this_thread::yield(); }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(pushed, 3);  // one is written, two wait
  gate.open();
  run.join();
  EXPECT_EQ(pushed, 4);
}

TEST(OutputQueue, AFailureStopsItAndIsToldUntilItIsMended) {
  OutputQueue queue;
  Gate gate;
  std::vector<int> done;
  bool full = true;
  queue.push(gate.job(), true);
  queue.push(
      [&] {
        if (full) { throw OutputError("a: the disk is full"); }
        done.push_back(1);
      },
      true);
  const auto last = queue.push([&] { done.push_back(2); }, true);
  gate.open();
  EXPECT_THROW(queue.drain(), OutputError);
  EXPECT_THROW(queue.look(), OutputError);
  EXPECT_THROW(queue.push([] {}, true), OutputError);
  EXPECT_THROW(queue.wait_for(last), OutputError);
  EXPECT_TRUE(done.empty()) << "nothing is written behind what is missing";
  EXPECT_FALSE(queue.retry());
  EXPECT_THROW(queue.look(), OutputError);
  full = false;
  EXPECT_TRUE(queue.retry());
  EXPECT_EQ(done, (std::vector<int>{1, 2}));
  queue.push([&] { done.push_back(3); }, true);
  queue.drain();
  EXPECT_EQ(done, (std::vector<int>{1, 2, 3}));
}

TEST(OutputQueue, WhatCannotBeDoneAgainIsDropped) {
  OutputQueue queue;
  Gate gate;
  int tries = 0, after = 0;
  queue.push(gate.job(), true);
  queue.push(
      [&] {
        ++tries;
        throw OutputError("b: the disk is full");
      },
      false);
  queue.push([&] { ++after; }, false);
  gate.open();
  EXPECT_THROW(queue.drain(), OutputError);
  EXPECT_TRUE(queue.retry());
  EXPECT_EQ(tries, 1);
  EXPECT_EQ(after, 1);
  queue.drain();
}

TEST(DiskRoom, IsThatOfTheDisk) {
  const ScratchFolder folder;
  EXPECT_TRUE(has_room(folder.path(), 1));
  EXPECT_FALSE(has_room(folder.path(), std::uint64_t{1} << 60U));
  EXPECT_FALSE(has_room(folder / "absent", 1));
  rlimit usual{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &usual), 0);
  rlimit small = usual;
  small.rlim_cur = 1U << 20U;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_FALSE(has_room(folder.path(), 1)) << "a file may fail for its size";
  ::setrlimit(RLIMIT_FSIZE, &usual);
}

/// The library would mix up its own tables, or crash.
TEST(Hdf5Lock, LetsThreadsWriteFilesAtOnce) {
  const ScratchFolder folder;
  const std::vector<double> values(3000, 0.125);
  const auto write = [&](const std::string& name) {
    Hdf5File file(folder / name);
    file.add_group("/a");
    for (int k = 0; k < 20; ++k) { file.add_dataset("/a/" + std::to_string(k), values, 3, ElementType::float64); }
    file.save();
  };
  write("alone.h5");
  const std::string alone = read_text(folder / "alone.h5");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int k = 0; k < 10; ++k) { write(std::to_string(t) + ".h5"); }
    });
  }
  for (std::thread& thread : threads) { thread.join(); }
  for (int t = 0; t < 4; ++t) { EXPECT_EQ(read_text(folder / (std::to_string(t) + ".h5")), alone); }
}

}  // namespace scree::test::output_queue_test
