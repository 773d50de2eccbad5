#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "scree/rotation_schemes.hpp"

/// Settings of a run that cases and scenes share: precision, time, integration and neighbour lists.
namespace scree {

enum class Precision { mixed, double_ };

/// Duration and steps of a run.
struct TimeSettings {
  double duration = 0;                 ///< [s]
  std::optional<double> step;          ///< [s] none: chosen from stiffness and mass ("auto")
  std::optional<double> safety{};      ///< [-] automatic step as a fraction of the limit; none: 0.2, or 0.4 if adaptive
  bool adaptive = false;               ///< the step follows the present contacts
  std::uint64_t update_interval = 10;  ///< [steps] interval at which an adaptive step is chosen
};

/// Damping and integration of the motion of particles.
struct Integration {
  double damping = 0;                                ///< [-] Cundall's non-viscous damping
  bool damp_gravity = true;                          ///< Cundall's damping acts on gravity as well
  double viscous_damping = 0;                        ///< [1/s] rate c of a force -c m v and a torque -c I w
  RotationScheme rotation = RotationScheme::spiral;  ///< integrator for clumps
};

/// A gap [m].
struct VerletLength {
  double value = 0;
};
/// A gap as a fraction [-] of the smallest radius.
struct VerletFraction {
  double value = 0;
};
using VerletDistance = std::variant<VerletLength, VerletFraction>;
/// How long neighbour lists are. Longer lists need fewer searches. No result depends on this.
struct Neighbours {
  std::optional<VerletDistance> verlet_distance;  ///< none: "auto"
  std::optional<double>
      target_interval;  ///< [steps] for which a particle's list should last; none: chosen by measured times
};

}  // namespace scree
