#pragma once

#include <limits>
#include <optional>
#include <string>
#include <variant>

#include "scree/time_table.hpp"
#include "scree/values.hpp"

/// Prescribed motions of boundaries, as in a case file.
namespace scree {

/// Motion with a constant velocity [m/s].
struct Translation {
  Real3 velocity{};
};
/// Rotation about an axis (of any length) through a point [m], by the right-hand rule. Exactly one of rate and rpm is
/// given; in a scene it is the rate.
struct Rotation {
  Real3 axis{0, 0, 1}, origin{};
  std::optional<double> rate{};  ///< [rad/s]
  std::optional<double> rpm{};   ///< [1/min]

  /// The rate [rad/s]. Throws std::bad_optional_access if neither rate nor rpm is given.
  [[nodiscard]] double radians_per_second() const {
    constexpr double two_pi = 6.283185307179586477;
    return rpm ? *rpm * two_pi / 60 : rate.value();
  }
};
/// Displacement amplitude (sin(2 pi frequency t + phase) - sin(phase)) along a direction [m] or about an axis [rad];
/// the time t begins at `from`.
struct Oscillation {
  std::optional<Real3> direction{}, axis{};  ///< exactly one
  Real3 origin{};                            ///< [m] a point of the axis
  double amplitude = 0;                      ///< [m] or [rad]
  double frequency = 0;                      ///< [Hz]
  double phase = 0;                          ///< [rad]
};
/// Displacement or velocity over time, along a direction [m], [m/s] or about an axis [rad], [rad/s]; the time begins at
/// `from`. The boundary rests before the first row and after the last one.
struct TableMotion {
  std::optional<Real3> direction{}, axis{};                     ///< exactly one
  Real3 origin{};                                               ///< [m] a point of the axis
  std::optional<TimeTable> position{}, velocity{};              ///< exactly one of these four
  std::optional<std::string> position_file{}, velocity_file{};  ///< CSV with the columns time,value
};
using MotionKind = std::variant<Translation, Rotation, Oscillation, TableMotion>;
/// A prescribed motion between two times. Several motions of one boundary are applied in order.
struct Motion {
  MotionKind kind;
  double from = 0;                                         ///< [s]
  double until = std::numeric_limits<double>::infinity();  ///< [s]
};

}  // namespace scree
