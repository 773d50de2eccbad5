#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scree/breakage.hpp"
#include "scree/cell.hpp"
#include "scree/fluid.hpp"
#include "scree/grain_contacts.hpp"
#include "scree/grain_shape.hpp"
#include "scree/heat.hpp"
#include "scree/material_pairs.hpp"
#include "scree/particle_set.hpp"
#include "scree/regions.hpp"
#include "scree/run_settings.hpp"
#include "scree/scene_boundaries.hpp"
#include "scree/scene_groups.hpp"
#include "scree/scene_membranes.hpp"
#include "scree/scene_stages.hpp"

/// A scene is what an engine starts from: the contents of a case file, resolved to arrays. An engine looks up no names
/// and reads no files. A scene is plain data; make_engine() copies it. SI units, right-handed world axes.
namespace scree {

/// A half space that removes a particle when (x - point) . normal > 0. Removed particles are counted under
/// Scene::outlet_names[counter].
struct SceneOutlet {
  Real3 point{}, normal{};
  std::uint32_t counter = 0;
};

/// A region that removes a particle when its centre is inside. Removed particles are counted under
/// Scene::outlet_names[counter]. It acts at the end of step k, at the time k * time_step, for first_step <= k <
/// end_step.
struct SceneDeletion {
  std::variant<BoxRegion, CylinderRegion, SphereRegion> region;
  std::uint64_t first_step = 0;
  std::uint64_t end_step = std::numeric_limits<std::uint64_t>::max();
  std::uint32_t counter = 0;
  /// [s] used instead of these steps with an adaptive time step
  double from = 0, until = std::numeric_limits<double>::infinity();
};

/// The materials and sizes that an inlet may bring. The particles come through Engine::insert(), but an engine must
/// know these values before the first step, since they decide the order of sums.
struct SceneInlet {
  std::size_t entry = 0;  ///< index in Case::particles
  std::uint32_t material = 0;
  std::uint32_t group = 0;
  double smallest_radius = 0, median_radius = 0, largest_radius = 0;  ///< [m] of spheres, also of members of clumps
  double smallest_clump = 0, largest_clump = 0;                       ///< [m] equivalent radii; only with a shape
  std::optional<std::uint32_t> shape = {};                            ///< index into Scene::clump_shapes; none: spheres
  std::size_t part = 0;   ///< index in the mixture of the entry, whose parts follow one another
  std::string name = {};  ///< of the inlet; empty: it has none

  [[nodiscard]] double smallest_particle() const { return shape ? smallest_clump : smallest_radius; }
  [[nodiscard]] double largest_particle() const { return shape ? largest_clump : largest_radius; }
};

/// The classes by which collisions are counted: each collision counts in the class of the energy that it loses.
struct SceneCollisions {
  std::vector<double> limits;  ///< [J] limits between classes, ascending; losses beyond the outer limits count as well
};

/// How the time step follows the contacts. After every `every` steps the step is chosen anew: `safety` times the
/// smaller of two limits, that of all present contacts and that of a collision at the present speeds. It grows by at
/// most 5 % at a time.
struct AdaptiveStep {
  double fixed = 0;             ///< [s] > 0: all steps have this length; contacts do not change it
  double safety = 0.2;          ///< [-]
  std::uint64_t every = 1;      ///< [steps]
  double impact_limit = 1e300;  ///< [s] limit of collisions under linear springs, the same at any speed
  /// [s (m/s)^(1/5)] this value over v^(1/5) is the limit of Hertzian collisions at the relative speed v
  double impact_limit_at_unit_speed = 1e300;
  double free_limit = 1e300;  ///< [s] limit as long as nothing touches
};

/// Everything that an engine starts from. Required: `time_step`, `verlet_distance`, `materials`, `pairs`.
struct Scene {
  Precision precision = Precision::mixed;
  std::uint64_t seed = 1;  ///< of random choices during the run: strengths of bonds
  double time_step = 0;    ///< [s] length of all steps; with `adaptive`, of the first one
  std::optional<AdaptiveStep> adaptive;
  // How long neighbour lists are. Longer lists need fewer searches. No result depends on the next three values.
  /// [m] gap up to which pairs are listed; a list is made anew when a body has moved half of it
  double verlet_distance = 0;
  /// verlet_distance is the least value; each body gets more by its speed, chosen from measured costs
  bool verlet_auto = false;
  /// [steps] for which a body's share of the distance should last at the speed of the body; 0: not given. With
  /// verlet_auto it replaces the interval that is chosen from measured times. Without verlet_auto each body then gets
  /// 0.1 to 1 times half of the distance
  double target_interval = 0;
  Real3 gravity{};  ///< [m/s2]
  Integration integration;
  LawKind law = LawKind::hertz_mindlin;         ///< the law of pairs of materials that name no other
  bool no_ratcheting = false;                   ///< closed cycles of two spheres leave no shear force
  double interaction_range = 1;                 ///< [-] largest range_of() of all pairs, at least 1
  bool energies = false;                        ///< keep an energy ledger
  bool sums_losses = false;                     ///< with the ledger: sum up for each particle what its contacts lose
  std::optional<SceneCollisions> collisions{};  ///< with the ledger: for Engine::collisions()
  std::optional<SceneHeat> heat{};              ///< none: particles have no temperature
  std::vector<Material> materials;
  std::vector<std::string> material_names;  ///< [n_materials] for messages
  std::vector<MaterialPair> pairs;          ///< [n_materials * n_materials], row-major, symmetric
  ParticleSet particles;
  std::vector<ClumpShape> clump_shapes;
  std::vector<GrainShape> grain_shapes;
  GrainContacts grain_contacts;
  bool keeps_node_forces = false;  ///< for Engine::touching_nodes()
  /// [n_materials] whether the particles of this material are level-set grains; empty: there are no grains. If it is
  /// not empty, the first half of the materials is for spheres, clumps and boundaries, and the second half repeats the
  /// same materials for grains
  std::vector<bool> grain_materials;
  std::optional<PeriodicCell> cell;
  std::vector<SceneGroup> groups;  ///< [n_groups] empty: no group has settings of its own
  std::vector<SceneInlet> inlets;
  std::optional<SceneBreakage> breakage{};  ///< none: spheres do not break
  std::vector<SceneBoundary> boundaries;
  std::vector<SceneOutlet> outlets;
  std::vector<SceneDeletion> deletions;
  std::vector<std::string> outlet_names;
  bool lists_removed = false;  ///< for Engine::take_removed()
  std::vector<SceneStage> stages;
  /// [-] Size of a particle over that of the grains for which it stands. For reports; no result depends on it.
  double parcel_scale = 1;
  std::vector<SceneMembrane> membranes;  ///< a scene that has any has groups, and no cell
  std::optional<SceneFluid> fluid{};     ///< a scene that has one has groups, no membranes, and no cell that deforms

  [[nodiscard]] const MaterialPair& pair(std::size_t a, std::size_t b) const { return pairs[a * materials.size() + b]; }
  [[nodiscard]] bool is_of_grains(std::size_t material) const {
    return !grain_materials.empty() && grain_materials.at(material);
  }
  /// Whether a boundary is absent at some time of the run.
  [[nodiscard]] bool comes_or_goes(std::size_t boundary) const {
    const auto says = [&](const SceneStagedBoundary& change) { return change.boundary == boundary && change.present; };
    return boundaries.at(boundary).has_times() || std::any_of(stages.begin(), stages.end(), [&](const SceneStage& s) {
             return std::any_of(s.boundaries.begin(), s.boundaries.end(), says);
           });
  }
  [[nodiscard]] bool any_deforms() const {
    return std::any_of(grain_shapes.begin(), grain_shapes.end(), [](const auto& s) { return s.modes.count > 0; });
  }
  /// The material of the case to which a material of the scene belongs.
  [[nodiscard]] std::uint32_t case_material(std::uint32_t material) const {
    const auto n = static_cast<std::uint32_t>(grain_materials.empty() ? materials.size() : materials.size() / 2);
    return material % n;
  }
  [[nodiscard]] LawKind law_of(std::size_t a, std::size_t b) const {
    return pairs.empty() ? law : pair(a, b).law.value_or(law);
  }
  /// [-] Contacts of two materials reach at most to this multiple of the sum of the radii, or of the radius at a
  /// boundary. It decides which pairs are listed as neighbours.
  [[nodiscard]] double range_of(std::size_t a, std::size_t b) const {
    return pair(a, b).range.value_or(interaction_range);
  }
  /// Whether contacts note in each step the energy that they lose by slip, breaking and dashpots.
  [[nodiscard]] bool notes_losses() const {
    return sums_losses || collisions || (heat && heat->settings.dissipation > 0);
  }
  /// Whether Scene::outlet_names[outlet] counts spheres that break, instead of particles that an outlet or a region
  /// removes.
  [[nodiscard]] bool counts_broken(std::size_t outlet) const { return breakage && breakage->counter == outlet; }
  /// Whether particles have films of liquid that supply bridges.
  [[nodiscard]] bool has_films() const {
    return std::any_of(pairs.begin(), pairs.end(), [](const auto& p) { return p.liquid && p.liquid->from_films; });
  }
  [[nodiscard]] bool has_bonds() const {
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (needs_of(pairs[k].law.value_or(law)).makes_bonds()) { return true; }
    }
    return false;
  }
  /// Whether particles may also be bonded after the start.
  [[nodiscard]] bool forms_bonds() const {
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (needs_of(pairs[k].law.value_or(law)).makes_bonds() && pairs[k].bond.form == BondForm::near) { return true; }
    }
    return false;
  }
};

}  // namespace scree
