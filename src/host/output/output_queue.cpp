#include "host/output/output_queue.hpp"

#include <utility>

namespace scree {

OutputQueue::~OutputQueue() {
  if (!thread_.joinable()) { return; }
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void OutputQueue::wait_for_room() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return error_ || jobs_.size() <= most_waiting; });
  throw_error();
}

std::uint64_t OutputQueue::push(std::function<void()> work, bool repeatable) {
  wait_for_room();
  if (!thread_.joinable()) {
    thread_ = std::thread([this] { run(); });
  }
  const std::lock_guard lock(mutex_);
  throw_error();
  jobs_.push_back({std::move(work), repeatable});
  changed_.notify_all();
  return ++pushed_;
}

bool OutputQueue::done(std::uint64_t job) {
  const std::lock_guard lock(mutex_);
  throw_error();
  return done_ >= job;
}

void OutputQueue::wait_for(std::uint64_t job) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return error_ || done_ >= job; });
  throw_error();
}

void OutputQueue::drain() { wait_for(pushed_); }

void OutputQueue::look() {
  const std::lock_guard lock(mutex_);
  throw_error();
}

bool OutputQueue::retry() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return error_ || jobs_.empty(); });
  if (!error_) { return true; }
  // From here on the thread waits.
  if (!jobs_.front().repeatable) { jobs_.pop_front(), ++done_; }
  try {
    for (; !jobs_.empty(); jobs_.pop_front(), ++done_) { jobs_.front().work(); }
  } catch (...) { return false; }
  error_ = nullptr;
  return true;
}

void OutputQueue::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return closing_ || (!error_ && !jobs_.empty()); });
    if (error_ || jobs_.empty()) { return; }  // it closes
    Job& job = jobs_.front();                 // stays where it is when others are pushed behind it
    lock.unlock();
    std::exception_ptr error;
    try {
      job.work();
    } catch (...) { error = std::current_exception(); }
    lock.lock();
    error_ = error;
    if (!error) { jobs_.pop_front(), ++done_; }
    changed_.notify_all();
  }
}

}  // namespace scree
