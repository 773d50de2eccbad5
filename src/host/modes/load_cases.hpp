#pragma once

#include <memory>
#include <string>

#include "host/modes/press.hpp"

namespace scree::modes {

/// Deformations of a grain under a load that grows in levels. They are the snapshots from which modes are made.
struct LoadCase {
  std::string name;                      ///< for messages
  Matrix displacement;                   ///< [unknowns x n_levels] [spacings] without rigid-body motion
  Vector depth;                          ///< [n_levels] [spacings] indentation of the planes or the loaded points
  Vector force, energy;                  ///< [n_levels] force conjugate to the depth, and elastic energy
  std::unique_ptr<PressedGrain> planes;  ///< null if two points are loaded
};

/// Presses a grain between pairs of rigid planes along `axes` (some of "xyz"). The indentation at level k of N is
/// `largest` [spacings] times (k/N)^1.5: small indentations are frequent, because their small contacts need modes of
/// their own.
[[nodiscard]] LoadCase press_with_planes(const ElasticBody& body, const GrainShape& shape, const std::string& axes,
                                         std::size_t levels, double largest, const Progress& progress);

/// Presses a grain by two opposite point forces where the line through the centre of mass along `direction` leaves it.
/// The load case has one level, because all levels are proportional; the mean indentation of the points is `largest`
/// [spacings]. Throws CaseError (path: "--point" or the name of the grain) if the line is not possible.
[[nodiscard]] LoadCase press_at_points(const ElasticBody& body, const GrainShape& shape, const Real3& direction,
                                       double largest);

/// The depth [spacings] half-way between the levels k and k + 1, from 0, at which there is no snapshot.
[[nodiscard]] double depth_between(const LoadCase& load, std::size_t k);

}  // namespace scree::modes
