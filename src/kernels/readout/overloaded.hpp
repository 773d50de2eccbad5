#pragma once

#include <cstdint>
#include <vector>

#include "kernels/backend/buffer.hpp"
#include "kernels/math/vec3.hpp"
#include "scree/engine.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// A sphere whose shear stress has reached its strength.
struct OverloadedBody {
  std::uint32_t id;
  double stress, depth;  ///< [Pa], [m] of its deepest contact
  double temperature;    ///< [K] 0 without heat
  Vec3d position, velocity, spin;
};

/// The strengths of spheres, and work space of the looks for those that are overloaded. Empty in a run without
/// breakage. It is no state of the run: the driver sends the strengths anew to a run that goes on.
struct SphereStrengths {
  Buffer<double> of_id;           ///< [n_known_ids] [Pa] infinite: the sphere does not break
  Buffer<OverloadedBody> found;   ///< work space of a look
  Buffer<std::uint32_t> n_found;  ///< likewise, one number

  /// Sets those of the ids from `first` on. Strengths before must be known.
  void set(std::size_t first, const std::vector<double>& strength);
  [[nodiscard]] std::uint64_t bytes() const { return of_id.bytes() + found.bytes() + n_found.bytes(); }
};

/// The spheres whose shear stress in the last step has reached their strength, in ascending order of ids.
template <class R>
[[nodiscard]] std::vector<OverloadedSphere> overloaded_spheres(RunState<R>& run, SphereStrengths& strengths);

}  // namespace scree::inline SCREE_BACKEND
