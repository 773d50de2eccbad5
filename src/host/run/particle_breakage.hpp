#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/breakage/broken_particle.hpp"
#include "host/geometry/fragment_pattern.hpp"
#include "host/output/output_schedule.hpp"
#include "scree/engine.hpp"
#include "scree/engine_state.hpp"
#include "scree/scene.hpp"
#include "scree/simulation.hpp"

namespace scree {

/// The spheres of a run that break. At certain steps, before inlets bring anything and before anything is written, it
/// asks the engine which spheres are overloaded by the contact forces of the last step. A sphere whose octahedral shear
/// stress has reached its strength is replaced by fragments, in ascending order of ids. What breaks follows from the
/// state of the engine, so the totals are all that a continued run needs.
class ParticleBreakage {
 public:
  static constexpr std::uint64_t interval = 100;  ///< [steps] unless the case says otherwise

  /// `scene` must outlive it.
  explicit ParticleBreakage(const Scene& scene);

  [[nodiscard]] RunTarget next(const Engine& engine) const;
  [[nodiscard]] bool due(const Engine& engine) const;
  /// Breaks what must break now. Returns the broken spheres in ascending order of ids; none if there would then be more
  /// particles than the case allows, which too_many() tells from then on.
  std::vector<BrokenParticle> look(Engine& engine);
  /// Why the run must end: the spheres that had to break would have made too many particles.
  [[nodiscard]] std::optional<std::string> too_many() const;
  /// Changes a group, whose fixed components decide the velocities of fragments.
  void change_group(std::size_t index, const GroupChange& change);

  [[nodiscard]] const BreakageReport& totals() const { return totals_; }
  void save(std::vector<StateArray>& arrays) const;
  /// Throws StateError.
  void restore(const std::vector<StateArray>& arrays);

 private:
  [[nodiscard]] const SceneBreakage& rules() const { return *scene_.breakage; }
  void note_new_particles(Engine& engine);
  void note_fragments(Engine& engine, const ParticleSet& made);
  /// Makes room for the ids up to `ids`, of which those from `known` on are not known yet.
  void forget_from(std::size_t known, std::size_t ids);
  double note(std::uint32_t id, double radius, std::uint32_t material);
  [[nodiscard]] std::vector<BrokenParticle> overloaded(Engine& engine);

  const Scene& scene_;
  std::vector<SceneGroup> groups_;  ///< as they are at present
  std::optional<OutputSchedule> schedule_;
  std::map<std::uint32_t, geometry::FragmentPattern> patterns_;  ///< by the number of fragments
  // By id. They follow from the case and the state, so a checkpoint does not have them.
  std::vector<double> radius_;                     ///< [m] 0: it does not break
  std::vector<std::uint32_t> material_;            ///< index in Scene::materials
  std::vector<double> strength_;                   ///< [Pa]
  std::optional<std::uint64_t> wanted_particles_;  ///< number; none: it was never too large
  BreakageReport totals_;
};

}  // namespace scree
