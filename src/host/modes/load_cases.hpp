#pragma once

#include <memory>
#include <string>

#include "host/modes/press.hpp"

namespace scree::modes {

/// Deformations of a grain under loads that grow level by level, as snapshots for modes.
struct LoadCase {
  std::string name;                      ///< for people
  Matrix displacement;                   ///< [unknowns x levels] [spacings] without rigid motion
  Vector depth;                          ///< [levels] [spacings] of the planes or the loaded points
  Vector force, energy;                  ///< [levels] conjugate to the depth, and elastic energy
  std::unique_ptr<PressedGrain> planes;  ///< none: two points are loaded
};

/// Pairs of rigid planes press along `axes` (some of "xyz") from both sides, `levels` times up to `largest` [spacings]:
/// level k of N goes to largest (k/N)^1.5, since the contacts of small loads are small and need modes of their own.
[[nodiscard]] LoadCase press_with_planes(const ElasticBody& body, const GrainShape& shape, const std::string& axes,
                                         std::size_t levels, double largest, const Progress& progress);

/// Two opposite point forces press on the line through the centre of mass along `direction` where it leaves the grain.
/// One level, as all are alike: the loaded points go in by `largest` on average.
[[nodiscard]] LoadCase press_at_points(const ElasticBody& body, const GrainShape& shape, const Real3& direction,
                                       double largest);

/// Depth of a level between level k and k + 1: not one of the snapshots.
[[nodiscard]] double depth_between(const LoadCase& load, std::size_t k);

}  // namespace scree::modes
