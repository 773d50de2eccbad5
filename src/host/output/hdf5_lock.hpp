#pragma once

#include <mutex>

namespace scree {

/// Held as long as somebody has an HDF5 file open: the library is not for several threads. One thread may hold it more
/// than once.
class Hdf5Lock {
 public:
  Hdf5Lock() : lock_(mutex()) {}

 private:
  static std::recursive_mutex& mutex() {
    static std::recursive_mutex of_process;
    return of_process;
  }
  std::lock_guard<std::recursive_mutex> lock_;
};

}  // namespace scree
