#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The template of a level-set grain, from the cache where it is there. Adds warnings of its source. Throws CaseError
/// (path: the key within the shape).
[[nodiscard]] GrainShape make_grain_shape(const LevelSetTemplate& source, const std::string& name,
                                          const std::filesystem::path& folder, std::vector<std::string>& warnings);

/// Gives the template of a grain the modes that the case asks for, or makes its own ones fit for an engine. Adds notes
/// and warnings for run.log. Throws CaseError (path: the key within the shape).
void give_modes(GrainShape& shape, const LevelSetTemplate& source, const Case& input, std::vector<std::string>& notes,
                std::vector<std::string>& warnings);

/// [-] Radius of the ball that the search knows of a grain with modes, over that of the ball about the undeformed
/// grain. A grain that deforms may bulge, and the ball must hold it all the same.
inline constexpr double room_for_bulges = 1.15;

/// The shape that the rest of the engine sees: one sphere that holds the grain.
[[nodiscard]] ClumpShape shape_of(const GrainShape& grain, std::uint32_t index);

/// Gives grains of a start as many amplitudes as the shapes of this scene have modes, and grains that were rigid the
/// room for bulges, with a warning. Collects problems: amplitudes of modes that a shape does not have.
void fit_deformation(Scene& scene, std::vector<std::string>& warnings, std::vector<InputProblem>& problems);

/// Warns of spheres that are so small that they touch too few nodes of a grain, or none.
void warn_of_small_spheres(const Scene& scene, std::vector<std::string>& warnings);

/// Warns of settings of `grain_contacts` that are for grains, or for deformations, which the scene does not have.
void warn_of_idle_grain_contacts(const Scene& scene, std::vector<std::string>& warnings);

/// Gives level-set grains materials of their own, behind those of the case and in the same order: a material then tells
/// how its particles touch. Does nothing without such grains. Collects problems: what cannot be had with them.
void separate_grains(Scene& scene, std::vector<InputProblem>& problems);

}  // namespace scree
