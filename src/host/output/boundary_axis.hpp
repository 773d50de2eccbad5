#pragma once

#include <cstddef>
#include <optional>

#include "scree/contact_readouts.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The axis about which a boundary turns, as a line that is fixed to the boundary. The turns themselves leave it where
/// it is, and translations that follow them carry it along.
struct BoundaryAxis {
  Real3 direction{};  ///< [-] of length 1
  Real3 origin{};     ///< [m] a point of the axis, where the scene has it
};

/// The axis of a boundary whose motions, including those of stages, turn it about one line. Without such motions it is
/// the axis of its drive, or otherwise that of its surface motion, as for a pulley. None if the boundary turns about
/// several lines or is a free body, or if other motions precede a turn: they would move the boundary across the axis,
/// which is fixed in the world.
[[nodiscard]] std::optional<BoundaryAxis> axis_of(const Scene& scene, std::size_t boundary);

/// [N m] The torque of the particles on a boundary about the present place of its axis, by the right-hand rule.
[[nodiscard]] double torque_about(const BoundaryAxis& axis, const BoundaryLoad& load);

}  // namespace scree
