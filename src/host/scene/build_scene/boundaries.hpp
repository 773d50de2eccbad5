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

/// Boundaries in the order of the case, with unit normals and axes, meshes read and material names resolved.
/// Adds what is wrong to `problems`.
[[nodiscard]] std::vector<SceneBoundary> make_boundaries(const Case& input, std::vector<std::string>& warnings,
                                                         std::vector<InputProblem>& problems);

/// Motions with unit axes and directions, whose tables are read, for a run of `duration` [s]. `key` is that of the
/// case. Throws CaseError, also for turns that cannot be counted.
[[nodiscard]] std::vector<Motion> resolved_motions(std::vector<Motion> motions, const std::filesystem::path& folder,
                                                   double duration, const std::string& key = "motion");

/// The same for motions of the surface of a boundary. Throws CaseError also where they do not lie in its surface.
[[nodiscard]] std::vector<Motion> resolved_surface_motions(std::vector<Motion> motions, const Case& input,
                                                           const SceneBoundary& boundary);

/// Puts the outlets of the domain into the scene: first the named planes, then the six sides of `remove_outside`, all
/// counted under "outside". Adds what is wrong to `problems`.
void make_outlets(const Case& input, Scene& scene, std::vector<InputProblem>& problems);

/// Adds a warning for each boundary that particles overlap noticeably at the start, for each closed mesh with particles
/// on both sides, and for particles that start beyond an outlet. The first `n_started` particles come with a start:
/// they bear loads, so only larger overlaps of theirs are told.
void warn_of_bad_starts(const Scene& scene, std::vector<std::string>& warnings, std::size_t n_started = 0);

/// Throws CaseError where free particles of a start lie in a boundary by more than half of their radius: as a rule the
/// boundary had moved in the old run. Not for those that are removed in the first step.
/// The particles of the start are the first `n_started` of the scene; `stands_elsewhere(b)`: the old run had moved
/// boundary b, which does not begin where it stood.
void refuse_buried_starts(const Scene& scene, std::size_t n_started,
                          const std::function<bool(std::size_t)>& stands_elsewhere);

/// Adds a warning for each region of a fill or an inlet that lies on both sides of the wall of a tube or of an open
/// vessel. Not in a periodic cell.
void warn_of_fills_through_walls(const Case& input, const Scene& scene, std::vector<std::string>& warnings);

/// [m/s] An upper bound of the prescribed speeds of all points of a boundary, and of those that it is let go with.
/// `particles` tell how far from an axis a plane may be met.
[[nodiscard]] double largest_speed(const SceneBoundary& boundary, const ParticleSet& particles);

/// [m/s] The same for the speed of its surface relative to it.
[[nodiscard]] double largest_surface_speed(const SceneBoundary& boundary, const ParticleSet& particles);

/// The shortest period of the oscillations of boundaries and their surfaces, those of stages included.
struct BoundaryPeriod {
  double value = std::numeric_limits<double>::infinity();  ///< [s]
  std::string motion;                                      ///< path in the case: "boundaries.floor.motion"

  static constexpr int steps = 50;  ///< in a period: the work of the boundary is then within some per cent
  [[nodiscard]] double resolving_step() const { return value / steps; }  ///< [s]
};
[[nodiscard]] BoundaryPeriod shortest_period(const Scene& scene);
/// Warns where a step is longer than a 20th of this period.
void warn_of_long_steps(const Scene& scene, std::vector<std::string>& warnings);

/// Adds a warning for each motion that begins after the end of the run, at `duration` [s], and for each table of
/// velocities that ends before the run with a velocity that is not 0: the boundary rests from then on.
void warn_of_idle_motions(const Scene& scene, double duration, std::vector<std::string>& warnings);

/// Adds a warning for each boundary that its prescribed motion takes farther in a step than the smallest radius.
void warn_of_fast_boundaries(const Scene& scene, std::vector<std::string>& warnings);

}  // namespace scree
