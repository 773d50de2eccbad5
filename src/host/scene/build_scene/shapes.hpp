#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "host/clumps/clump.hpp"
#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The shapes of a case, in its order. Adds the templates of level-set grains to `grains`, a line for the log about
/// each shape to `notes`, warnings about members that coincide to `warnings`, and problems of the input to `problems`.
[[nodiscard]] std::vector<ClumpShape> make_shapes(const Case& input, std::vector<GrainShape>& grains,
                                                  std::vector<std::string>& notes, std::vector<std::string>& warnings,
                                                  std::vector<InputProblem>& problems);

/// The shape of a clump, as the engine takes it.
[[nodiscard]] ClumpShape shape_of(const clumps::ClumpBody& body, const std::string& name);

/// Index of a shape by its name; none for spheres.
[[nodiscard]] std::optional<std::uint32_t> shape_index(const Case& input, const std::string& name);

/// [m] Radius of the sphere with the volume that the shape has at size 1.
[[nodiscard]] double equivalent_radius(const ClumpShape& shape);

/// Calls visit(radius [m], material) for each particle of a scene. A clump or a level-set grain is one particle, with
/// the radius of the sphere of its volume; clumps and grains come first.
template <class Visit>
void visit_whole_particles(const Scene& scene, const Visit& visit) {
  const ParticleSet& particles = scene.particles;
  std::vector<bool> member(particles.size(), false);
  for (const Clump& clump : particles.clumps) {
    const ClumpShape& shape = scene.clump_shapes[clump.shape];
    std::fill_n(member.begin() + clump.first, shape.radius.size(), true);
    visit(clump.size * equivalent_radius(shape), particles.material[clump.first]);
  }
  for (std::size_t i = 0; i < particles.size(); ++i) {
    if (!member[i]) { visit(particles.radius[i], particles.material[i]); }
  }
}

/// The orientation of the principal axes of a clump whose template is turned by `orientation`, a quaternion of any
/// length.
[[nodiscard]] QuaternionWxyz placed_orientation(const ClumpShape& shape, const QuaternionWxyz& orientation);

/// Appends a clump with its members to a set, and sets `clump.first`. `shape` is the shape with the index
/// `clump.shape`.
void append_clump(ParticleSet& set, const ClumpShape& shape, std::uint32_t material, Clump clump);

}  // namespace scree
