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

/// A checkpoint of another run that a case starts from: its particles, its contacts and its periodic cell. Materials,
/// shapes and groups are those of the case, by their names. Time begins at 0.
class StartPoint {
 public:
  /// Reads the checkpoint that `start` names: a file, or the newest in a folder of checkpoints or of a run.
  /// Throws CaseError.
  explicit StartPoint(const Case& input);

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  /// One line for the log.
  [[nodiscard]] std::string text() const;
  /// Sentences about the start that the user should know.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

  /// Whether the place of a boundary with this name at the end of the old run differed from that at its beginning, and
  /// the checkpoint tells this place.
  [[nodiscard]] bool had_moved(const std::string& name) const;
  /// Gives boundaries with Boundary::from_start the keys of their last place in the old run. To be called once. Throws
  /// CaseError.
  void place_boundaries(Case& input) const;

  /// The particles in ascending order of their old ids. In a periodic cell velocities and spins are relative to the
  /// mean flow.
  [[nodiscard]] const ParticleSet& particles() const { return particles_; }
  /// Edges, origin and axes; it rests.
  [[nodiscard]] const std::optional<PeriodicCell>& cell() const { return cell_; }
  /// The case with one entry of `particles` per material, group and shape of a level-set grain that there is: contact
  /// rules, groups and the modes of grains look there.
  [[nodiscard]] Case with_entries(Case input) const;

  /// Checks that clumps have the shapes of the case with the same names. Only grains that were rigid may begin to
  /// deform.
  void check_shapes(const std::vector<ClumpShape>& shapes, std::vector<InputProblem>& problems) const;

  /// Whether the old run had a membrane with this name. The entry of the case with the name goes on with its nodes.
  [[nodiscard]] bool has_membrane(const std::string& name) const;
  /// Checks that membranes that go on are as they were, and that all membranes have bonds. Needs the contact rules.
  void check_membranes(const Case& input, const Scene& scene, std::vector<InputProblem>& problems) const;
  /// Those that go on, in the order of their entries. Adds a note about each.
  [[nodiscard]] std::vector<SceneMembrane> membranes(const Case& input, std::vector<std::string>& notes) const;

  /// Grains that are deformed must have the modes that their amplitudes belong to. Checkpoints of older versions do not
  /// tell the modes, and are taken to fit.
  void check_modes(const Scene& scene, std::vector<InputProblem>& problems) const;

  /// [-] The largest distance at which bridges of liquid that continue can hold bodies, over the sum of the radii (or
  /// over the radius at a wall); 1 without such bridges. They keep their volume, whatever the volume of new bridges in
  /// this scene, whose particles begin with those of the start. For Scene::interaction_range.
  [[nodiscard]] double bridge_range(const Scene& scene) const;

  /// Gives an engine of this scene, before its first step, the history of the contacts. Contacts under another law than
  /// before, and those with boundaries that are not the same, begin anew. Returns a sentence about each such kind.
  /// Throws CaseError.
  [[nodiscard]] std::vector<std::string> give_contacts(const Case& input, const Scene& scene, Engine& engine) const;

 private:
  void read_names(const Json& there, const Case& input);
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
  /// Index in the materials of the old case of a material in the checkpoint: there level-set grains have materials of
  /// their own, behind all others. Throws StateError.
  [[nodiscard]] std::uint32_t old_material(std::uint32_t material, std::size_t n_materials) const;
  /// The new id of the particle that had the id `old`; `gone` if that particle has left. Throws StateError, with the
  /// name `what`, for an id that never existed.
  [[nodiscard]] std::uint32_t new_id(std::uint32_t old, const char* what) const;
  void take_particles(const Case& input);
  void take_clumps(const Case& input);
  [[nodiscard]] std::uint32_t shape_called(const Case& input, std::uint32_t old) const;
  [[nodiscard]] bool is_of(const ClumpShape& shape, const Clump& clump, std::size_t end, double room = 1) const;
  [[nodiscard]] bool has_moments_of(const ClumpShape& shape, const Clump& clump, double mass,
                                    const Real3& inertia) const;
  void take_cell();
  /// A bridge whose liquid came from films and which does not continue as such.
  struct EndedBridge {
    std::size_t row;                   ///< of its contact in the arrays of pairs of the checkpoint
    std::array<std::uint32_t, 2> ids;  ///< new ones
  };
  struct Contacts {
    std::vector<std::size_t> row;    ///< in the arrays of pairs of the checkpoint
    std::vector<std::uint32_t> ids;  ///< two new ones for each
    std::size_t begin_anew = 0;      ///< others, under another law than before
    std::size_t ended_bonds = 0;     ///< whole bonds among them
    std::vector<EndedBridge> ended;
  };
  struct BoundaryContacts {
    std::vector<std::size_t> row;            ///< in the arrays of boundary_contacts of the checkpoint
    std::vector<std::uint32_t> id, feature;  ///< new ones
    std::size_t begin_anew = 0;              ///< others
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
  /// Gives the bonds between level-set grains that go on, and counts them.
  NodeBonds put_node_bonds(const Scene& scene, EngineState& state) const;
  [[nodiscard]] BoundaryContacts lasting_boundary_contacts(const Case& input, const Scene& scene,
                                                           const EngineState& present) const;
  void put_bodies(const Scene& scene, EngineState& state) const;
  void put_clumps(const Scene& scene, EngineState& state) const;
  void put_cell(EngineState& state) const;
  void put_pairs(const Contacts& contacts, EngineState& state) const;
  [[nodiscard]] std::size_t return_liquid(const std::vector<EndedBridge>& bridges, EngineState& state) const;
  void put_lists(const std::string& group, const std::vector<const char*>& arrays, const std::vector<std::size_t>& rows,
                 EngineState& state) const;
  void put_boundary_contacts(const BoundaryContacts& contacts, EngineState& state) const;

  std::filesystem::path file_;
  Checkpoint checkpoint_;
  Case origin_;  ///< materials, contact rules, integration and groups of the case of the checkpoint
  std::vector<std::string> shape_names_;  ///< of that case
  /// The keys that decide where the nodes of a level-set grain are. Shear springs of nodes mean nothing to others.
  struct NodeLayout {
    std::optional<double> grid_spacing, node_spacing;  ///< [m], [-]; none: not given
    bool operator==(const NodeLayout&) const = default;
  };
  std::vector<NodeLayout> node_layouts_;  ///< of these shapes
  struct OldBoundary {
    std::string name, material;
    bool moves = false;                    ///< it stood elsewhere than at the start, or nobody knows where
    bool by_forces = false;                ///< a drive or a servo moved it
    std::optional<BoundaryShape> shape{};  ///< as that case gave it
    std::optional<BoundaryPlace> place{};  ///< none: the checkpoint does not tell
  };
  [[nodiscard]] const OldBoundary* old_boundary(const std::string& name) const;
  std::vector<OldBoundary> old_boundaries_;  ///< of that case
  struct OldMembrane {
    std::string name;
    Json keys;            ///< of the membrane in that case
    std::uint32_t first;  ///< new id of its first node
    MembraneLattice lattice;
  };
  [[nodiscard]] const OldMembrane* old_membrane(const std::string& name) const;
  std::vector<OldMembrane> old_membranes_;  ///< of that case
  std::vector<std::string> warnings_;
  ParticleSet particles_;
  std::vector<bool> member_;                 ///< [n] of a clump
  std::vector<bool> grain_;                  ///< [n] of a level-set grain
  std::vector<std::uint32_t> old_material_;  ///< [n] index in the materials of origin_
  std::vector<std::uint32_t> row_;           ///< [n] row in the arrays of bodies
  /// of each old id, in their order; gone: no longer there
  std::vector<std::pair<std::uint32_t, std::uint32_t>> new_id_;
  std::optional<PeriodicCell> cell_;
  double longest_bond_ = 1;  ///< [-] of two spheres, when it was made, over the sum of their radii
  static constexpr std::uint32_t gone = 0xffffffffU;
};

}  // namespace scree
