#pragma once

#include <mutex>

namespace scree {

/// Held as long as somebody has an HDF5 file open: the library is not for several threads. One thread may hold it more
/// than once.
class Hdf5Lock {
 public:
  Hdf5Lock() : lock_(mutex()) {}
  /// For a child process of a thread that holds it: the mutex knows that thread by an id which is another one in the
  /// child, so taking it again there would never end.
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
