#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "host/measure/unknown.hpp"
#include "scree/engine_state.hpp"

namespace scree {

/// What has gone through a plane up to a look at it.
struct FlowLook {
  double time = 0;             ///< [s]
  double count = 0, mass = 0;  ///< [-], [kg] since the start
};

/// The looks that the mean flow over the last window needs.
class FlowRate {
 public:
  explicit FlowRate(double window) : window_(window) {}

  struct Rate {
    double mass = probe::unknown, count = probe::unknown;  ///< [kg/s], [1/s]
  };
  /// The mean rate since the latest look that lies at least a window before `now`; unknown without such a look.
  [[nodiscard]] Rate at(const FlowLook& now) const;
  /// Remembers a look. It replaces the last one if that has the same time.
  void add(const FlowLook& look);

  void save(const std::string& prefix, std::vector<StateArray>& arrays) const;
  /// Throws StateError.
  void restore(const std::string& prefix, const std::vector<StateArray>& arrays);

 private:
  /// The place of the latest look that is at least a window before `time`; the number of looks: there is none.
  [[nodiscard]] std::size_t base(double time) const;

  double window_;                ///< [s]
  std::vector<FlowLook> looks_;  ///< in ascending order of time
};

}  // namespace scree
