#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/case/io/json.hpp"
#include "host/checkpoint/checkpoint_file.hpp"
#include "host/start/boundary_places.hpp"
#include "scree/case.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The checkpoint of another run from which a case starts, with its particles, contacts and periodic cell. Materials,
/// shapes and groups are those of the case with the same names. Time begins at 0.
class StartPoint {
 public:
  /// Reads the checkpoint that `start` names: a file, or the newest in a folder of checkpoints or of a run. Throws
  /// CaseError (path: "start") if there is none, it is damaged, or the case cannot start from it.
  explicit StartPoint(const Case& input);

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  /// A line for the log: number of particles, file, step and time.
  [[nodiscard]] std::string text() const;
  /// Sentences about the start for the user.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

  /// Whether the old run has a boundary with this name that had moved when the run ended. False if the checkpoint does
  /// not have its place.
  [[nodiscard]] bool had_moved(const std::string& name) const;
  /// Gives boundaries with Boundary::from_start the keys of their last places in the old run. Call this once. Throws
  /// CaseError (path: "boundaries.NAME.from_start") if this is not possible.
  void place_boundaries(Case& input) const;

  /// The particles in ascending order of their old ids. In a periodic cell velocities and spins are relative to the
  /// mean flow.
  [[nodiscard]] const ParticleSet& particles() const { return particles_; }
  /// The periodic cell with its edges, origin and periodic axes, at rest.
  [[nodiscard]] const std::optional<PeriodicCell>& cell() const { return cell_; }
  /// The case with one additional entry of `particles` for each combination of material, group and shape of a level-set
  /// grain in the checkpoint, because contact rules, groups and the modes of grains depend on these entries.
  [[nodiscard]] Case with_entries(Case input) const;

  /// Checks that clumps have the shapes of the case with the same names, and adds a problem for each other shape. Rigid
  /// grains may begin to deform, but deformable grains must not become rigid.
  void check_shapes(const std::vector<ClumpShape>& shapes, std::vector<InputProblem>& problems) const;

  /// Checks that membranes that go on are as they were, and that all membranes have bonds. Needs the contact rules.
  void check_membranes(const Case& input, const Scene& scene, std::vector<InputProblem>& problems) const;
  /// The membranes that go on, in the order of their entries. Adds a note about each.
  [[nodiscard]] std::vector<SceneMembrane> membranes(const Case& input, std::vector<std::string>& notes) const;

  /// Checks that deformed grains have the modes to which their amplitudes belong, and adds a problem for each shape
  /// with other modes. Checkpoints of older versions do not have hashes of modes and are assumed to fit.
  void check_modes(const Scene& scene, std::vector<InputProblem>& problems) const;

  /// The largest distance over the sum of radii (or over the radius, at a wall) at which liquid bridges that continue
  /// can hold bodies [-]; 1 without such bridges. These bridges keep their volume, which may exceed that of new
  /// bridges. For Scene::interaction_range. The particles of `scene` must begin with those of the start.
  [[nodiscard]] double bridge_range(const Scene& scene) const;

  /// Gives the histories of contacts to an engine of this scene before its first step. Contacts whose law or boundary
  /// has changed begin anew. Returns sentences about contacts that continue or begin anew. Throws CaseError (path:
  /// "start") if the checkpoint does not fit the case.
  [[nodiscard]] std::vector<std::string> give_contacts(const Case& input, const Scene& scene, Engine& engine) const;

 private:
  void read_names(const Json& there, const Case& input);
  void read_shapes(const Json& there);
  void read_boundaries(const Json& there);
  void read_membranes(const Json& there);
  void take_membranes(const Case& input);
  struct OldMembrane;
  void check_nodes(const Case& input, const ParticleGroup& entry, const OldMembrane& old, const std::string& path,
                   std::vector<InputProblem>& problems) const;
  void note_other_nodes(const Case& input);
  void note_other_scale(const std::optional<Parcels>& there, const std::optional<Parcels>& here);
  void read_places();
  struct OldBoundary;
  [[nodiscard]] static bool stands_where_it_stood(const OldBoundary& old, const Boundary& boundary);
  void note_moved_walls(const Case& input);
  void measure_bonds(const Case& input);
  /// Converts the index of a material in the checkpoint to the index in the old case. In the checkpoint level-set
  /// grains have separate materials after all others. Throws StateError if the material does not exist.
  [[nodiscard]] std::uint32_t old_material(std::uint32_t material, std::size_t n_materials) const;
  /// The new id of the particle with the id `old`; `gone` if this particle has left. Throws StateError for an id that
  /// never existed; `what` names the array in the message.
  [[nodiscard]] std::uint32_t new_id(std::uint32_t old, const char* what) const;
  void take_particles(const Case& input);
  void take_clumps(const Case& input);
  [[nodiscard]] std::uint32_t shape_called(const Case& input, std::uint32_t old) const;
  [[nodiscard]] bool is_of(const ClumpShape& shape, const Clump& clump, std::size_t end, double room = 1) const;
  [[nodiscard]] bool has_moments_of(const ClumpShape& shape, const Clump& clump, double mass,
                                    const Real3& inertia) const;
  void take_cell();
  /// A bridge with liquid from films that ends.
  struct EndedBridge {
    std::size_t row;                   ///< row of its contact in the arrays of pairs of the checkpoint
    std::array<std::uint32_t, 2> ids;  ///< new ids of its particles
  };
  struct Contacts {
    std::vector<std::size_t> row;    ///< [n] row in the arrays of pairs of the checkpoint
    std::vector<std::uint32_t> ids;  ///< [n, 2] new ids of the particles
    std::size_t begin_anew = 0;      ///< number of contacts that begin anew
    std::size_t ended_bonds = 0;     ///< number of whole bonds among them
    std::vector<EndedBridge> ended;
  };
  struct BoundaryContacts {
    std::vector<std::size_t> row;            ///< [n] row in the arrays of boundary_contacts of the checkpoint
    std::vector<std::uint32_t> id, feature;  ///< [n] new id of the particle and new feature
    std::size_t begin_anew = 0;              ///< number of contacts that begin anew
    void sort();
  };
  using Materials = std::array<std::size_t, 2>;  ///< indices of two materials
  /// The rules of contacts of the old case.
  struct OldRules {
    LawKind law;
    std::vector<MaterialPair> pairs;  ///< [n_materials * n_materials]
    std::size_t n_materials;

    [[nodiscard]] const MaterialPair& pair(const Materials& of) const { return pairs[of[0] * n_materials + of[1]]; }
    [[nodiscard]] LawKind law_of(const Materials& of) const { return pair(of).law.value_or(law); }
  };
  [[nodiscard]] OldRules old_rules() const;
  [[nodiscard]] bool goes_on(const OldRules& rules, const Scene& scene, const Materials& old,
                             const Materials& present) const;
  [[nodiscard]] bool keeps_load_history(const Scene& scene, const Materials& old, const MaterialPair& before,
                                        const Materials& present) const;
  [[nodiscard]] Contacts lasting_pairs(const Scene& scene) const;
  /// bridge_range() of one contact, from the first number of its history.
  [[nodiscard]] static double range_of(const LiquidBridges& liquid, double state, double reach);
  [[nodiscard]] double wall_bridge_range(const Scene& scene) const;
  struct NodeBonds {
    std::size_t go_on = 0, ended = 0;
  };
  /// Puts the bonds between level-set grains that continue into a state, and counts them.
  NodeBonds put_node_bonds(const Scene& scene, EngineState& state) const;
  /// An old boundary that continues.
  struct LastingBoundary {
    std::size_t old_material;  ///< index of its material in the old case
    std::size_t present;       ///< its index in the new case
  };
  struct Surfaces;
  [[nodiscard]] std::vector<std::optional<LastingBoundary>> lasting_boundaries(const Case& input,
                                                                               const Surfaces& before,
                                                                               const Surfaces& now) const;
  [[nodiscard]] BoundaryContacts lasting_boundary_contacts(const Case& input, const Scene& scene,
                                                           const EngineState& present) const;
  void put_bodies(const Scene& scene, EngineState& state) const;
  void put_clumps(const Scene& scene, EngineState& state) const;
  void put_cell(EngineState& state) const;
  void put_pairs(const Contacts& contacts, EngineState& state) const;
  /// Sentences about the contacts and bonds among particles that continue or end.
  [[nodiscard]] static std::vector<std::string> notes_of_pairs(const Scene& scene, const Contacts& pairs,
                                                               const NodeBonds& node_bonds);
  [[nodiscard]] std::size_t return_liquid(const std::vector<EndedBridge>& bridges, EngineState& state) const;
  void put_lists(const std::string& group, const std::vector<const char*>& arrays, const std::vector<std::size_t>& rows,
                 EngineState& state) const;
  void put_boundary_contacts(const BoundaryContacts& contacts, EngineState& state) const;

  std::filesystem::path file_;
  Checkpoint checkpoint_;
  Case origin_;  ///< materials, contact rules, integration and groups of the case of the checkpoint
  std::vector<std::string> shape_names_;  ///< names of the shapes of the old case
  /// The keys that determine the places of the nodes of a level-set grain, to which its shear springs belong.
  struct NodeLayout {
    std::optional<double> grid_spacing, node_spacing;  ///< [m], [-]; none if the case does not have the key
    bool operator==(const NodeLayout&) const = default;
  };
  std::vector<NodeLayout> node_layouts_;  ///< [n_shapes] of the old case
  struct OldBoundary {
    std::string name, material;
    bool moves = false;                    ///< whether it had moved; without a known place, whether it could move
    bool by_forces = false;                ///< whether a drive or a servo moved it
    std::optional<BoundaryShape> shape{};  ///< its shape in the old case
    std::optional<BoundaryPlace> place{};  ///< none if the checkpoint does not have it
  };
  [[nodiscard]] const OldBoundary* old_boundary(const std::string& name) const;
  std::vector<OldBoundary> old_boundaries_;  ///< of the old case
  struct OldMembrane {
    std::string name;
    Json keys;            ///< of the membrane in the old case
    std::uint32_t first;  ///< new id of its first node
    MembraneLattice lattice;
  };
  [[nodiscard]] const OldMembrane* old_membrane(const std::string& name) const;
  std::vector<OldMembrane> old_membranes_;  ///< of the old case
  std::vector<std::string> warnings_;
  ParticleSet particles_;
  std::vector<bool> member_;                 ///< [n] whether a particle is a member of a clump
  std::vector<bool> grain_;                  ///< [n] whether a particle is a level-set grain
  std::vector<std::uint32_t> old_material_;  ///< [n] index in the materials of origin_
  std::vector<std::uint32_t> row_;           ///< [n] row in the arrays of bodies
  /// pairs of old and new ids in the order of the old ids; `gone` for particles that have left
  std::vector<std::pair<std::uint32_t, std::uint32_t>> new_id_;
  std::optional<PeriodicCell> cell_;
  double longest_bond_ = 1;  ///< [-] largest initial length of a bond of spheres over the sum of their radii
  static constexpr std::uint32_t gone = 0xffffffffU;
};

}  // namespace scree
