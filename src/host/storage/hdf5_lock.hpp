#pragma once

#include <mutex>

namespace scree {

/// A lock that must be held while an HDF5 file is open, because only one thread may use the library. A thread may hold
/// it several times.
class Hdf5Lock {
 public:
  Hdf5Lock() : lock_(mutex()) {}
  /// Tag for a child process of a thread that holds the lock. The child has another thread id than the mutex knows, so
  /// it would wait for ever.
  struct HeldByParent {};
  explicit Hdf5Lock(HeldByParent) {}

 private:
  static std::recursive_mutex& mutex() {
    static std::recursive_mutex of_process;
    return of_process;
  }
  std::unique_lock<std::recursive_mutex> lock_;
};

}  // namespace scree
