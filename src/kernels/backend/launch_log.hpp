#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/backend/portability.hpp"

/// Launches as a test sees them, in builds that imitate batches.
namespace scree::inline SCREE_BACKEND {

#if SCREE_EMULATE_BATCHES

struct LoggedLaunch {
  std::string label;
  std::size_t n;
  std::string parameters;  ///< bytes of the functor, with zeros for padding
  bool operator==(const LoggedLaunch&) const = default;
};

/// Where launches are written down; null: nowhere.
inline std::vector<LoggedLaunch>*& launch_log() {
  static std::vector<LoggedLaunch>* log = nullptr;
  return log;
}

/// Writes a launch down. A compiler that cannot clear padding leaves the parameters empty.
template <class F>
void log_launch(const char* label, std::size_t n, const F& functor) {
  if (launch_log() == nullptr) { return; }
  std::string parameters;
#if defined(__has_builtin) && __has_builtin(__builtin_clear_padding)
  alignas(F) std::byte bytes[sizeof(F)];
  F* copy = std::construct_at(reinterpret_cast<F*>(bytes), functor);
  __builtin_clear_padding(copy);
  parameters.assign(reinterpret_cast<const char*>(bytes), sizeof(F));
#endif
  launch_log()->push_back({label, n, parameters});
}

#else

template <class F>
void log_launch(const char* /*label*/, std::size_t /*n*/, const F& /*functor*/) {}

#endif

}  // namespace scree::inline SCREE_BACKEND
