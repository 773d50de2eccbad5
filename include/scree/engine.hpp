#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scree/engine_state.hpp"
#include "scree/films.hpp"
#include "scree/scene.hpp"
#include "scree/snapshot.hpp"
#include "scree/tractions.hpp"

namespace scree {

/// 128-bit hash of the state of an engine: particles, clumps, contact histories, driven boundaries, counters, cell,
/// step. It does not depend on the order in memory, the number of threads or the backend.
struct StateHash {
  std::array<std::uint64_t, 2> words{};
  bool operator==(const StateHash&) const = default;
  [[nodiscard]] std::string text() const;  ///< 32 hexadecimal digits
};

/// Numbers of particles, contacts and removals at the present step.
struct EngineCounts {
  std::uint64_t particles = 0;                  ///< still in the run; a clump counts as one
  std::uint64_t clumps = 0;                     ///< clumps among them
  std::uint64_t inserted = 0;                   ///< particles inserted by Engine::insert so far; a clump counts as one
  std::uint64_t candidates = 0;                 ///< listed particle pairs
  std::uint64_t contacts = 0;                   ///< touching particle pairs
  std::uint64_t wall_contacts = 0;              ///< touching particle-boundary contacts
  std::uint64_t rebuilds = 0;                   ///< searches for neighbours so far
  std::uint64_t bonds = 0;                      ///< intact bonds between particles still in the run
  std::uint64_t broken_bonds = 0;               ///< bonds broken since the start
  std::uint64_t segments = 0;                   ///< segments of all load histories (law jaeger)
  std::uint64_t longest_history = 0;            ///< segments of the longest load history
  std::uint64_t contacts_in_part_slipping = 0;  ///< contacts of law jaeger that slipped in part in the last step
  std::uint64_t contacts_sliding = 0;           ///< contacts of law jaeger that slid as a whole in the last step
  std::uint64_t history_bytes = 0;              ///< bytes in pages of load histories now
  std::uint64_t most_history_bytes = 0;         ///< largest number of these bytes so far
  std::vector<std::uint64_t> removed;           ///< [n_outlet_names] removed particles, as Scene::outlet_names
  std::vector<double> removed_mass;             ///< [n_outlet_names] [kg] their mass
};

/// Time spent in one kind of launch ("pair contacts", "sort", ...) since the engine was made. Copies stand behind the
/// launches, as copy_stages: their time is part of the other stages and 0 here, and they are those of all engines of
/// the backend.
struct StageTime {
  std::string stage;
  double seconds = 0;       ///< wall time
  std::uint64_t calls = 0;  ///< number of launches
  /// lower bound of the memory traffic of all calls, from array sizes; 0 if it is not counted
  std::uint64_t bytes = 0;
};

/// Copies from the host to the backend, back, and within the memory of the backend.
inline constexpr std::array<const char*, 3> copy_stages = {"copies to the backend", "copies from the backend",
                                                           "copies within the backend"};

/// Work of one neighbour search.
struct SearchReport {
  std::uint64_t particles = 0;
  std::uint64_t tests = 0;  ///< candidate pairs whose distance was computed; each pass over them counts once
  std::uint64_t pairs = 0;  ///< listed pairs
};

/// Work on the nodes of level-set grains.
struct NodeCounts {
  std::uint64_t touching = 0;  ///< nodes that touch a body or a boundary
  std::uint64_t near = 0;      ///< nodes that a step looks at, since they may touch
  std::uint64_t searches = 0;  ///< how often the near nodes of a contact were found anew, since the engine was made
};

/// Memory of the backend that is allocated for one purpose.
struct MemoryItem {
  std::string name;
  std::uint64_t bytes = 0;
};

/// Load on a boundary, and its motion by forces.
struct BoundaryLoad {
  Real3 force{};    ///< [N] force of the particles on the boundary in the last step
  Real3 torque{};   ///< [N m] torque of these forces about the origin of the world frame
  double work = 0;  ///< [J] work of the boundary on the particles so far
  // Motion of a driven boundary, in addition to its prescribed motion; zero without a drive.
  Real3 shift{};               ///< [m]
  Real3 velocity{};            ///< [m/s] in the middle of the last step
  double angle = 0, rate = 0;  ///< [rad], [rad/s] in the middle of the last step
  Real3 spin{};                ///< [rad/s] of a free body, in the middle of the last step
  // Its present place: a point X of the boundary as the scene has it lies at rotation X + offset.
  std::array<Real3, 3> rotation{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  ///< [-] rows
  Real3 offset{};                                                    ///< [m]
};

/// Spheres at the present moment, in ascending order of id. Both arrays have the same length.
struct SphereList {
  std::vector<Real3> position;  ///< [m]
  std::vector<double> radius;   ///< [m]
};

/// One touching contact at the moment of the last contact forces, one step before the positions.
struct TouchingContact {
  std::uint32_t first = 0;     ///< id of the first particle, or index of the boundary in Scene::boundaries
  std::uint32_t second = 0;    ///< id of the second particle
  bool with_boundary = false;  ///< `first` is a boundary
  Real3 force{};               ///< [N] on the second particle
  Real3 normal{};              ///< [-] from the first to the second
  Real3 point{};               ///< [m] contact point on the surface of the first, in its image
  Real3 branch{};  ///< [m] from the centre of the first to the touched image of the second; 0 with boundaries
  std::array<std::int32_t, 3> cell_offset{};  ///< edges between the second particle and this image of it
};

/// What else is known of a touching contact.
struct ContactDetail {
  Real3 center{};       ///< [m] centre of the first particle at that moment; of the particle at a boundary
  double overlap = 0;   ///< [m] negative if a bond or a neck holds two surfaces apart; NaN at level-set grains
  Real3 spring{};       ///< [N] elastic shear force on the second particle that the contact remembers
  bool bonded = false;  ///< an intact bond
};

/// A particle that an outlet or a region has removed. A clump counts as one particle.
struct RemovedParticle {
  std::uint64_t step = 0;      ///< number of steps made when it was gone
  double time = 0;             ///< [s] of that moment
  std::uint32_t id = 0;        ///< of a clump: that of its first member
  std::uint32_t outlet = 0;    ///< index in Scene::outlet_names
  std::uint32_t material = 0;  ///< index in Scene::materials
  double mass = 0;             ///< [kg]
  Real3 position{};            ///< [m] of its centre, where it was removed
  Real3 velocity{};            ///< [m/s] mean of the step that took it there
};

/// What the particles do to each facet of a mesh. All arrays have the length [n_facets]: the facets of the mesh, of
/// which the copies in a periodic cell count as one.
struct FacetLoads {
  std::size_t boundary = 0;            ///< index in Scene::boundaries
  double since = 0;                    ///< [s] when the interval began
  std::vector<double> normal_impulse;  ///< [N s] of the normal forces since then; positive: pressure
  std::vector<double> shear_impulse;   ///< [N s] of the magnitudes of the tangential forces of the contacts since then
  // Since the start of the run:
  std::vector<double> sliding;         ///< [J] normal forces times the ways of sliding (Archard)
  std::vector<double> friction_work;   ///< [J] of the tangential forces against the sliding on the surface
  std::vector<double> impact_energy;   ///< [J] m v^2 / 2 of all impacts, v: the normal part of the velocity
  std::vector<double> cutting;         ///< [J] m v^2 of all impacts, times Finnie's function of the angle
  std::vector<std::uint64_t> impacts;  ///< how often a particle that did not touch the mesh has hit the facet
};

/// A node of a level-set grain that touches a body or a boundary.
struct TouchingNode {
  std::uint32_t first = 0;     ///< as in TouchingContact
  std::uint32_t second = 0;    ///< as in TouchingContact
  bool with_boundary = false;  ///< `first` is a boundary
  bool of_first = false;       ///< the node belongs to the first particle, else to the second
  Real3 force{};               ///< [N] on the second particle
  Real3 normal{};              ///< [-] towards the second particle
  Real3 point{};               ///< [m] contact point; between particles beside the second one's place in the cell
  double overlap = 0;          ///< [m]
};

/// A number or a vector of every body, where the engine keeps it.
struct BodyColumn {
  std::string name, unit;  ///< such as "position", "m"
  void* data = nullptr;    ///< that of the first body
  ValueType type = ValueType::float64;
  std::size_t columns = 1;  ///< numbers per body, one behind the other
  std::size_t stride = 0;   ///< [bytes] from one body to the next
};

/// The bodies of an engine in its own memory: single spheres and members of clumps, in an order that changes with every
/// search for neighbours. Removed bodies are among them until the next search, at 1e30 m and with an inverse mass of 0.
/// In a periodic cell bodies may be outside of the cell, and velocities are relative to the mean flow.
struct BodyColumns {
  std::size_t rows = 0;  ///< number of bodies in memory
  bool on_gpu = false;   ///< the pointers are those of a GPU
  int device = 0;        ///< its number
  std::vector<BodyColumn> columns;
};

/// New values for some bodies. An empty array leaves the values as they are; the others are as long as `id`.
struct BodyChange {
  std::vector<std::uint32_t> id;
  std::vector<Real3> position;          ///< [m]
  std::vector<Real3> velocity;          ///< [m/s] in the middle of the last step
  std::vector<Real3> angular_velocity;  ///< [rad/s] likewise
};

/// New values for some clumps and level-set grains, as in BodyChange. The members follow.
struct ClumpChange {
  std::vector<std::uint32_t> id;                   ///< SnapshotClump::id
  std::vector<Real3> position;                     ///< [m] of the centre of mass
  std::vector<std::array<double, 4>> orientation;  ///< w, x, y, z; any length
  std::vector<Real3> velocity;                     ///< [m/s] in the middle of the last step
  std::vector<Real3> angular_velocity;             ///< [rad/s] likewise, world axes
};

/// The largest stable time step for the present contacts, and the particle that limits it.
struct CriticalStep {
  double value = std::numeric_limits<double>::infinity();  ///< [s] infinite: nothing touches
  std::uint32_t particle = 0;                              ///< id of the limiting particle
  bool rotation = false;                                   ///< its rotation limits the step, else its translation
  double radius = 0;                                       ///< [m] its radius
  std::uint32_t material = 0;                              ///< its material
  std::uint32_t contacts = 0;                              ///< number of its contacts
  std::uint32_t partner = 0;           ///< partner in its stiffest contact: id of a particle, or index of a boundary
  std::uint32_t partner_material = 0;  ///< material of the partner
  bool with_boundary = false;          ///< the partner is a boundary
};

/// Results of the regular checks of all contacts: every 200 steps, or whenever an adaptive step is chosen, and first in
/// the first step. A step here is the number of steps made before the check. The checks do not depend on output, and
/// checkpoints keep their results.
struct ContactWatch {
  double step = 0;                     ///< step of the last check
  double overlap = 0;                  ///< [-] largest overlap over the smaller radius, without bonded contacts
  double most_overlap = 0;             ///< [-] the largest value of `overlap` so far
  double most_overlap_step = 0;        ///< step of that value
  double most_overlap_particle = 0;    ///< id of one of its two particles; only above 1 %
  double critical = 0;                 ///< [s] largest stable step; 0: nothing touches
  double least_critical = 0;           ///< [s] the least value of `critical` so far; 0: nothing has touched
  double least_critical_step = 0;      ///< step of that value
  double least_critical_particle = 0;  ///< id of the limiting particle; only if the time step was longer
  bool operator==(const ContactWatch&) const = default;
};

/// Energies [J] at the moment of the last contact forces, one step before the positions. Works and losses are summed
/// since the start of the run. kinetic + elastic + losses - works is constant; `error` is its change since the start.
struct EnergyLedger {
  double kinetic_translation = 0, kinetic_rotation = 0;
  double elastic = 0;      ///< energy in the springs of all contacts
  double vibration = 0;    ///< kinetic energy of the modes of grains that deform
  double deformation = 0;  ///< elastic energy of these modes
  double gravity = 0;      ///< work of gravity on the particles
  double boundaries = 0;   ///< work of moving boundaries on the particles
  double groups = 0;       ///< work of the forces and constraints of groups on their particles
  double cell = 0;         ///< work of a deforming periodic cell on the particles
  double friction = 0;     ///< lost by sliding, rolling and twisting
  double viscous = 0;      ///< lost in dashpots
  double damping = 0;      ///< lost by Cundall's and viscous damping of the motion
  double modes = 0;        ///< lost by the damping of modes
  double breakage = 0;     ///< lost when bonds broke
  double parting = 0;      ///< left in shear springs when contacts ended; negative if a law gave back too much
  double removed = 0;      ///< energy of removed particles, minus the energy of inserted particles
  double error = 0;
};

/// A running system, made by make_engine().
///
/// Lifetime: an engine copies what it needs of its scene. Every value that it returns, but that of bodies(), is a copy
/// on the host and stays valid when the engine continues or is destroyed. Threads: at most one thread may call an
/// engine at a time, also for reading; only the stop flag of advance() may be set by another thread. Different engines
/// may be used by different threads at the same time. Cost: "copies the particles" and the like name what is copied
/// from the backend, which does the work (the host with all threads). On a GPU such a call also waits for all launched
/// steps. Other calls cost next to nothing. Errors: readouts of contact forces throw ContractError between
/// search_neighbours() and the next step. BackendError may come from any call, when memory runs out or a GPU fails.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Makes `steps` steps, and returns the number of steps made. It stops earlier when `stop` becomes true (checked
  /// after every step, on a GPU after each batch of up to 16 steps; may be null), when time() has reached `until` [s],
  /// or when the last stage of the cell is over. Give a number of steps or a time; steps are exact, while times may be
  /// rounded. Throws KernelFault when the physics breaks down. The state at the fault can still be read; every further
  /// call of advance() throws the same fault.
  virtual std::uint64_t advance(std::uint64_t steps, const std::atomic<bool>* stop = nullptr,
                                double until = std::numeric_limits<double>::infinity()) = 0;

  [[nodiscard]] virtual std::uint64_t step() const = 0;    ///< steps made so far
  [[nodiscard]] virtual double time() const = 0;           ///< [s] step() * time step, or the sum of adaptive steps
  [[nodiscard]] virtual double previous_time() const = 0;  ///< [s] time at step() - 1; 0 at the start
  /// The critical step of the present contacts; infinite before the first step and between search_neighbours() and the
  /// next step. A pass over all contacts.
  [[nodiscard]] virtual CriticalStep critical_step() { return {}; }
  /// The results of the checks of the contacts so far.
  [[nodiscard]] virtual ContactWatch watch() { return {}; }
  /// The present periodic cell; empty without one.
  [[nodiscard]] virtual std::optional<CellState> cell() { return std::nullopt; }
  /// Whether the last stage of the cell is over: advance() makes no further step.
  [[nodiscard]] virtual bool finished() { return false; }
  /// The particles in ascending order of id. Copies the particles; `force` and `coordination` each add a pass over all
  /// contacts and a column. Throws ContractError as above if `force` is requested.
  [[nodiscard]] virtual Snapshot snapshot(const SnapshotRequest& request = {}) = 0;
  /// Passes over the particles and the contacts; copies the modes of grains that deform.
  [[nodiscard]] virtual StateHash hash() = 0;
  /// Everything that further steps depend on, apart from the scene. Copies the whole state. Throws ContractError
  /// between search_neighbours() and the next step.
  [[nodiscard]] virtual EngineState save() = 0;
  /// Restores a state saved by an engine of the same scene, on any backend. Everything readable now and every later
  /// step is bit-identical. Writes the whole state; the next step searches for neighbours. Throws StateError when the
  /// state does not fit; the engine must then be destroyed.
  virtual void restore(const EngineState& state) = 0;
  /// Sums over the contacts on the backend.
  [[nodiscard]] virtual EngineCounts counts() = 0;
  /// [n_boundaries] in the order of Scene::boundaries. Sums on the backend, without rounding. ContractError as above.
  [[nodiscard]] virtual std::vector<BoundaryLoad> boundary_loads() = 0;
  /// [n_contacts] contacts between particles in ascending order of their ids, then contacts with boundaries. Copies the
  /// places of the particles and the touching contacts, and if `details` is not null, what fills it: [n_contacts], in
  /// the same order. ContractError as above.
  [[nodiscard]] virtual std::vector<TouchingContact> touching_contacts(
      std::vector<ContactDetail>* /*details*/ = nullptr) {
    return {};
  }
  /// What the particles have done to the facets of each mesh with SceneBoundary::facet_loads, in the order of the
  /// boundaries. With `begin_interval` the next step begins a new interval; until then the present one can be read
  /// again. Copies the sums.
  [[nodiscard]] virtual std::vector<FacetLoads> facet_loads(bool /*begin_interval*/) { return {}; }
  /// The particles that were removed since the last call, in the order of steps and ids; restore() forgets them. Empty
  /// without Scene::lists_removed. Copies them.
  [[nodiscard]] virtual std::vector<RemovedParticle> take_removed() { return {}; }
  /// Number of ids given so far, also to members of clumps: the id of the next particle that is inserted.
  [[nodiscard]] virtual std::uint64_t ids() const { return 0; }
  /// Tractions over the circle of one contact, at `points` distances from its axis. The contact is that of two
  /// particles, by their ids, or that of the particle `second` with the boundary `first`, an index in Scene::boundaries
  /// (on a mesh, the contact with the largest force). Empty if they do not touch, or their law keeps no load history.
  /// Copies the particles and the listed pairs. ContractError as above.
  [[nodiscard]] virtual std::optional<ContactTractions> tractions(std::uint32_t /*first*/, std::uint32_t /*second*/,
                                                                  bool /*with_boundary*/, std::size_t /*points*/) {
    return std::nullopt;
  }
  /// The energy ledger. Copies the energies of the particles and the springs of all contacts. Throws ContractError if
  /// Scene::energies is false, and between search_neighbours() and the next step.
  [[nodiscard]] virtual EnergyLedger energies() { return {}; }
  /// The heat of the particles; empty without Scene::heat. Sums on the backend, without rounding.
  [[nodiscard]] virtual HeatReport heat() { return {}; }
  /// The liquid of the particles; empty without films. Sums on the backend, without rounding.
  [[nodiscard]] virtual FilmReport films() { return {}; }
  /// [n_vertices] [m] present vertices of boundary `index` in Scene::boundaries. Throws ContractError if there is none.
  [[nodiscard]] virtual std::vector<Real3> boundary_vertices(std::size_t index) = 0;
  /// Times of all kinds of launches so far. On a GPU these are the times of the launches, not of the work, unless
  /// wait_for_launches() was called.
  [[nodiscard]] virtual std::vector<StageTime> stage_times() = 0;
  /// From now on the engine waits for each launch, so that stage_times() are those of the work on a GPU, too. This
  /// makes a GPU slower.
  virtual void wait_for_launches() {}
  /// [1/s] Bytes per second of copying large arrays within the memory of the backend, with its threads; reads and
  /// writes both count. Takes half a GB of that memory while it measures. 0 if the engine does not tell.
  [[nodiscard]] virtual double copy_bandwidth() { return 0; }
  /// Nodes that touched in the last step, contact after contact as in touching_contacts(). ContractError without
  /// Scene::keeps_node_forces, and between a search and the next step.
  [[nodiscard]] virtual std::vector<TouchingNode> touching_nodes() = 0;
  /// Copies the near nodes of all contacts.
  [[nodiscard]] virtual NodeCounts node_counts() = 0;
  /// Searches for neighbours now, and counts the tests of the search in an extra pass. No result of the run changes.
  /// Contact forces cannot be read until the next step: ContractError.
  virtual SearchReport search_neighbours() = 0;
  /// Adds particles between two steps. Their ids continue after all ids so far, and their velocities belong to the
  /// middle of the last step. All other particles keep their contacts and histories. Overlaps are not checked. The next
  /// step searches for neighbours. Throws ContractError if the arrays differ in length, if no particle or inlet of the
  /// scene has the material, or if the cell deforms; BackendError if there are no more ids.
  virtual void insert(const ParticleSet& particles) = 0;
  /// Where the engine keeps its bodies; the only call whose result is no copy. The pointers are valid, and the rows
  /// belong to the same bodies, until the next call of advance(), insert(), restore() or search_neighbours(). On a GPU
  /// it waits for all launched steps. Who writes there calls begin_edit() before and end_edit() after it.
  [[nodiscard]] virtual BodyColumns bodies() = 0;
  /// Frames changes of position, velocity and angular velocity in bodies(). Members of clumps follow their clumps: what
  /// is written to them is lost with the next step. After end_edit() the next step searches for neighbours.
  virtual void begin_edit() = 0;
  virtual void end_edit() = 0;
  // The next eleven steer a run between two steps; the next step then searches for neighbours. All contacts keep their
  // histories. Overlaps are not checked, and the energy ledger books what velocities and places change as its error. A
  // state that is saved contains particles, driven boundaries and the length of the next step, but neither gravity nor
  // forces, friction, damping, motions and rules of the step that were set, nor which boundaries are absent: set all
  // that again after restore().
  /// Sets places and velocities of single spheres. Throws ContractError for an id that is not in the run or is that of
  /// a member of a clump, for numbers that are not finite, and for velocities in a cell that deforms.
  virtual void set_bodies(const BodyChange& change) = 0;
  /// The same for clumps and level-set grains, by their own ids.
  virtual void set_clumps(const ClumpChange& change) = 0;
  /// Sets gravity [m/s2].
  virtual void set_gravity(const Real3& gravity) = 0;
  /// Sets the force [N] and the torque [N m] on each particle of group `index` in Scene::groups. Throws ContractError
  /// if there is none.
  virtual void set_group(std::size_t index, const Real3& force, const Real3& torque) = 0;
  /// From `since` [s] on boundary `index` moves by these motions, from the place where it was then. `since` is time(),
  /// or, to repeat what a run did before its state was saved, the time() of that moment. Times `from` before `since`
  /// become `since`, and tables count from there. Throws ContractError for a boundary that neither moves nor is driven
  /// in the scene.
  virtual void set_motion(std::size_t index, const std::vector<Motion>& motions, double since) = 0;
  /// From `since` [s] on the surface of boundary `index` moves by these motions. For `since` and times `from` see
  /// set_motion(). Throws ContractError for a boundary without a surface motion in the scene.
  virtual void set_surface_motion(std::size_t index, const std::vector<Motion>& motions, double since) = 0;
  /// Sets the force [N] and the torque [N m] that drive boundary `index`; what is left out stays as it is.
  /// ContractError without a drive.
  virtual void set_drive(std::size_t index, const std::optional<Real3>& force, std::optional<double> torque) = 0;
  /// Takes boundary `index` out of the run, or puts it back where its motion has meanwhile taken it: nothing touches a
  /// boundary that is absent. All boundaries are present at first. Contacts of a boundary that goes lose their springs.
  virtual void set_present(std::size_t index, bool present) = 0;
  /// Sets the friction of pairs of materials; the other pairs keep theirs. Throws ContractError for a material that is
  /// not there.
  virtual void set_friction(const std::vector<PairFriction>& changes) = 0;
  /// Sets Cundall's damping [-] of all particles and boundaries, except groups with their own, and the rate of viscous
  /// damping [1/s]. Throws ContractError for a rate above 0 in a scene without groups.
  virtual void set_damping(double damping, double viscous) = 0;
  /// In a scene whose step adapts: from now on all steps have the length `fixed` [s], or if that is 0, they follow the
  /// contacts with this safety [-]. `since` is step(), or, to repeat what a run did before its state was saved, the
  /// step() of that moment. Throws ContractError in other scenes.
  virtual void set_time_step(double fixed, double safety, std::uint64_t since) = 0;
  /// Particles that reach into the box between two corners [m]; in a periodic cell also their images. Copies positions,
  /// radii and ids.
  [[nodiscard]] virtual SphereList particles_in(const Real3& low, const Real3& high) = 0;
  /// [n_spheres] 1 if no boundary is closer to the centre of the sphere than its radius now, else 0.
  [[nodiscard]] virtual std::vector<std::uint8_t> clear_of_boundaries(const SphereList& spheres) = 0;
  /// Memory of the backend that is allocated now, by purpose.
  [[nodiscard]] virtual std::vector<MemoryItem> memory() = 0;
  [[nodiscard]] virtual std::string backend() const = 0;  ///< "host, 2 threads", "cuda, NVIDIA ..."
};

enum class BackendChoice { automatic, host, cuda };  ///< automatic: a GPU if one can be used, else the host

struct EngineOptions {
  BackendChoice backend = BackendChoice::automatic;
  int threads = 0;  ///< threads of the host backend; 0: all cores. No result depends on it
  /// Number of the GPU for the backend "cuda", below the number of BackendStatus::devices; none: the first one.
  std::optional<int> device = std::nullopt;
};

/// Chooses the backend and makes an engine. The scene is copied and may be destroyed afterwards.
/// With `automatic`, the reason for taking the host is appended to `*reason` (may be null).
/// Throws BackendError if the backend or the device cannot be used here or memory runs out, and ContractError if arrays
/// of the scene do not fit together. It does not check the physics: neither overlaps nor the length of the time step.
[[nodiscard]] std::unique_ptr<Engine> make_engine(const Scene& scene, const EngineOptions& options,
                                                  std::string* reason = nullptr);

/// Whether a backend is compiled into this executable and usable on this machine, with a sentence about it.
struct BackendStatus {
  std::string name;
  bool compiled = false, usable = false;
  std::string detail;
  std::vector<std::string> devices = {};  ///< name and memory of each GPU, by its number
};
/// The status of all backends: "host", "cuda".
[[nodiscard]] std::vector<BackendStatus> backend_status();

}  // namespace scree
