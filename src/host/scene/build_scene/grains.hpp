#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The template of a level-set grain, taken from the cache if the cache has it. Adds warnings about its source. Throws
/// CaseError (path: the key within the shape).
[[nodiscard]] GrainShape make_grain_shape(const LevelSetTemplate& source, const std::string& name,
                                          const std::filesystem::path& folder, std::vector<std::string>& warnings);

/// Gives the template of a grain the modes that the case asks for, or prepares the modes of the template for an engine.
/// Adds notes and warnings for run.log. Throws CaseError (path: the key within the shape).
void give_modes(GrainShape& shape, const LevelSetTemplate& source, const Case& input, std::vector<std::string>& notes,
                std::vector<std::string>& warnings);

/// [-] Radius of the ball by which the search finds a grain with modes, over the radius of the ball around the
/// undeformed grain. The ball must contain the grain even if the grain bulges.
inline constexpr double room_for_bulges = 1.15;

/// The shape of a grain as the rest of the engine sees it: a clump of one sphere that contains the grain.
[[nodiscard]] ClumpShape shape_of(const GrainShape& grain, std::uint32_t index);

/// Gives each grain of a start as many amplitudes as its shape has modes in this scene. Enlarges the balls of grains
/// that were rigid by room_for_bulges, with a warning. Adds a problem for amplitudes of modes that a shape does not
/// have.
void fit_deformation(Scene& scene, std::vector<std::string>& warnings, std::vector<InputProblem>& problems);

/// Warns of spheres that are so small that they touch too few nodes of a grain, or none.
void warn_of_small_spheres(const Scene& scene, std::vector<std::string>& warnings);

/// Warns of settings of `grain_contacts` that are for grains, or for deformations, which the scene does not have.
void warn_of_idle_grain_contacts(const Scene& scene, std::vector<std::string>& warnings);

/// Gives level-set grains materials of their own: appends a copy of each material, in the same order. The material of a
/// particle then tells how the particle touches. Does nothing without grains. Adds problems for laws and settings that
/// are not possible with grains.
void separate_grains(Scene& scene, std::vector<InputProblem>& problems);

}  // namespace scree
