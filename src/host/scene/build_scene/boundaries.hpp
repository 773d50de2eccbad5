#pragma once

#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The boundaries in the order of the case, with normals and axes of length 1, with meshes that are read and materials
/// that are indices. Adds problems of the input to `problems`.
[[nodiscard]] std::vector<SceneBoundary> make_boundaries(const Case& input, std::vector<std::string>& warnings,
                                                         std::vector<InputProblem>& problems);

/// The motions of a run of `duration` [s] with axes and directions of length 1, and with tables that are read. `key` is
/// the key of the motions in the case. Throws CaseError for bad tables and for angles too large for exact sines.
[[nodiscard]] std::vector<Motion> resolved_motions(std::vector<Motion> motions, const std::filesystem::path& folder,
                                                   double duration, const std::string& key = "motion");

/// Likewise for motions of the surface of a boundary. Also throws CaseError for a motion that does not lie in the
/// surface.
[[nodiscard]] std::vector<Motion> resolved_surface_motions(std::vector<Motion> motions, const Case& input,
                                                           const SceneBoundary& boundary);

/// Puts the outlets of the domain into the scene: first the named planes, then the six sides of `remove_outside`, which
/// count together under "outside". Adds problems of the input to `problems`.
void make_outlets(const Case& input, Scene& scene, std::vector<InputProblem>& problems);

/// Adds a warning for each boundary that particles overlap noticeably at the start, for each closed mesh with particles
/// on both sides, and for particles that start beyond an outlet. The first `n_started` particles come from a
/// checkpoint: they bear loads, so only larger overlaps count for them.
void warn_of_bad_starts(const Scene& scene, std::vector<std::string>& warnings, std::size_t n_started = 0);

/// Throws CaseError if free particles of a start overlap a boundary by more than half of their radius: usually the
/// boundary had moved in the earlier run. Particles that are removed in the first step do not count. The particles of
/// the start are the first `n_started` of the scene. `stands_elsewhere(b)` tells whether the earlier run had moved
/// boundary b, and this run does not begin with it there.
void refuse_buried_starts(const Scene& scene, std::size_t n_started,
                          const std::function<bool(std::size_t)>& stands_elsewhere);

/// Adds a warning for each region of a fill or an inlet that lies on both sides of the wall of a tube or of an open
/// vessel. Does nothing in a periodic cell.
void warn_of_fills_through_walls(const Case& input, const Scene& scene, std::vector<std::string>& warnings);

/// [m/s] An upper bound of the speeds of all points of a boundary by its prescribed motions and by the velocities with
/// which it is released. The positions of `particles` tell how far from an axis they may meet a plane.
[[nodiscard]] double largest_speed(const SceneBoundary& boundary, const ParticleSet& particles);

/// [m/s] An upper bound of the speed of the surface of a boundary relative to the boundary.
[[nodiscard]] double largest_surface_speed(const SceneBoundary& boundary, const ParticleSet& particles);

/// The shortest period of all oscillations of boundaries and their surfaces, also of those that stages begin.
struct BoundaryPeriod {
  double value = std::numeric_limits<double>::infinity();  ///< [s]
  std::string motion;                                      ///< path in the case: "boundaries.floor.motion"

  static constexpr int steps = 50;  ///< steps per period with which the work of the boundary is right to a few per cent
  [[nodiscard]] double resolving_step() const { return value / steps; }  ///< [s]
};
[[nodiscard]] BoundaryPeriod shortest_period(const Scene& scene);
/// Adds a warning if the time step, or that of a stage, is longer than a 20th of the shortest period.
void warn_of_long_steps(const Scene& scene, std::vector<std::string>& warnings);

/// Adds a warning for each motion that is never used, because the run, of this `duration` [s], is over or a stage gives
/// other motions before it begins. Also warns of each table of velocities that ends with a velocity that is not 0 while
/// it could still move its boundary, which rests from then on. A stage that waits for a state may end at any time.
void warn_of_idle_motions(const Scene& scene, double duration, std::vector<std::string>& warnings);

/// Adds a warning for each boundary that its prescribed motion takes farther in a step than the smallest radius.
void warn_of_fast_boundaries(const Scene& scene, std::vector<std::string>& warnings);

}  // namespace scree
