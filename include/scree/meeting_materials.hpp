#pragma once

#include <cstddef>
#include <vector>

#include "scree/scene.hpp"

namespace scree {

/// Which materials can touch. Materials of particles (of the start or of inlets) can touch each other and the materials
/// of boundaries; boundaries never touch each other. A material is given by its index.
class MeetingMaterials {
 public:
  explicit MeetingMaterials(std::size_t n_materials) : particles_(n_materials), boundaries_(n_materials) {}

  void add_particles(std::size_t material) {
    if (!particles_[material]) { order_.push_back(material); }
    particles_[material] = true;
  }
  void add_boundary(std::size_t material) { boundaries_[material] = true; }

  /// The materials of particles, each once, in the order in which they were added.
  [[nodiscard]] const std::vector<std::size_t>& of_particles() const { return order_; }
  [[nodiscard]] bool has_particles(std::size_t material) const { return particles_[material]; }
  [[nodiscard]] bool has_boundaries(std::size_t material) const { return boundaries_[material]; }
  [[nodiscard]] bool can_touch(std::size_t a, std::size_t b) const {
    return (particles_[a] && is_used(b)) || (particles_[b] && is_used(a));
  }
  /// Calls visit(a, b) once for every pair of materials that can touch; a is a material of particles. For each a, in
  /// the order in which materials of particles were added, b is first one of these materials in the same order, then a
  /// material that only boundaries have, by index.
  template <class Visit>
  void for_each_pair(Visit&& visit) const {
    std::vector<bool> done(particles_.size());
    for (const std::size_t a : order_) {
      for (const std::size_t b : order_) {
        if (!done[b]) { visit(a, b); }
      }
      for (std::size_t b = 0; b < boundaries_.size(); ++b) {
        if (boundaries_[b] && !particles_[b]) { visit(a, b); }
      }
      done[a] = true;
    }
  }

 private:
  [[nodiscard]] bool is_used(std::size_t material) const { return particles_[material] || boundaries_[material]; }

  std::vector<bool> particles_, boundaries_;
  std::vector<std::size_t> order_;  ///< the materials of particles, as they were added
};

/// The materials of a scene: first those of its particles, then those of its inlets, whose particles come later.
[[nodiscard]] inline MeetingMaterials meeting_materials(const Scene& scene) {
  MeetingMaterials meeting(scene.materials.size());
  for (const std::uint32_t material : scene.particles.material) { meeting.add_particles(material); }
  for (const SceneInlet& inlet : scene.inlets) { meeting.add_particles(inlet.material); }
  for (const SceneBoundary& boundary : scene.boundaries) { meeting.add_boundary(boundary.material); }
  return meeting;
}

}  // namespace scree
