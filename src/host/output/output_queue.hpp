#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace scree {

/// Writes files by a thread of its own while a run continues: one job after the other, in the order of push(). At most
/// two jobs wait while a third one is written, so a run never holds more than three of them. After a failed job no
/// further one is begun, and every call except retry() throws its error until retry() has succeeded. All calls must
/// come from one thread.
class OutputQueue {
 public:
  static constexpr std::size_t most_waiting = 2;

  OutputQueue() = default;
  /// Waits until all is written, or a job has failed.
  ~OutputQueue();
  OutputQueue(const OutputQueue&) = delete;
  OutputQueue& operator=(const OutputQueue&) = delete;

  /// Waits until a job can be pushed without waiting. The caller should copy the data of the job only then.
  void wait_for_room();
  /// Adds a job, and waits for room before. `repeatable`: if the job fails, it can be done again from its beginning.
  /// Returns the number of the job.
  std::uint64_t push(std::function<void()> work, bool repeatable);
  /// Whether a job has been done.
  [[nodiscard]] bool done(std::uint64_t job);
  /// Waits until it has been done.
  void wait_for(std::uint64_t job);
  /// Waits until all jobs have been done. Then only the caller uses files.
  void drain();
  /// Throws if a job has failed.
  void look();

  /// Does all jobs that an error has prevented, in the calling thread. A failed job that is not repeatable is dropped.
  /// Returns whether all others have succeeded; then the error is cleared.
  [[nodiscard]] bool retry();

 private:
  struct Job {
    std::function<void()> work;
    bool repeatable;
  };
  void run();
  void throw_error() const {
    if (error_) { std::rethrow_exception(error_); }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;  ///< the first one is being written, or has failed
  std::uint64_t pushed_ = 0, done_ = 0;
  std::exception_ptr error_;
  bool closing_ = false;
  std::thread thread_;  ///< since the first job
};

}  // namespace scree
