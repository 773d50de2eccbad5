#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scree/body_access.hpp"
#include "scree/contact_readouts.hpp"
#include "scree/engine_reports.hpp"
#include "scree/engine_state.hpp"
#include "scree/films.hpp"
#include "scree/scene.hpp"
#include "scree/snapshot.hpp"
#include "scree/tractions.hpp"

namespace scree {

/// A running system, made by make_engine().
///
/// Lifetime: an engine copies what it needs of its scene. Every value that it returns, except that of bodies(), is a
/// copy on the host and stays valid when the engine continues or is destroyed. Threads: at most one thread may call an
/// engine at a time, also for reading; only the stop flag of advance() may be set by another thread. Different engines
/// may be used by different threads at the same time. Cost: a comment such as "copies the particles" says what a call
/// copies from the backend; the backend does the other work (the host backend with all its threads). On a GPU such a
/// call also waits for all launched steps. Other calls cost next to nothing. Errors: readouts of contact forces throw
/// ContractError between search_neighbours() and the next step. BackendError may come from any call, when memory runs
/// out or a GPU fails.
class Engine {
 public:
  virtual ~Engine() = default;

  // Advance.

  /// Makes `steps` steps, and returns the number of steps made. It stops earlier when `stop` becomes true (checked
  /// after every step, on a GPU after each batch of up to 64 steps; may be null), when time() has reached `until` [s],
  /// when the last stage of the cell is over, or, with PeriodicCell::returns_at_stages, where a stage begins. Give a
  /// number of steps or a time; steps are exact, while times may be rounded. Throws KernelFault when the physics breaks
  /// down. The state at the fault can still be read; every further call of advance() throws the same fault.
  virtual std::uint64_t advance(std::uint64_t steps, const std::atomic<bool>* stop = nullptr,
                                double until = std::numeric_limits<double>::infinity()) = 0;
  /// Whether the last stage of the cell is over: advance() makes no further step.
  [[nodiscard]] virtual bool finished() = 0;

  // Clock.

  [[nodiscard]] virtual std::uint64_t step() const = 0;    ///< steps made so far
  [[nodiscard]] virtual double time() const = 0;           ///< [s] step() * time step, or the sum of adaptive steps
  [[nodiscard]] virtual double previous_time() const = 0;  ///< [s] time at step() - 1; 0 at the start

  // Readouts.

  /// Numbers of particles, contacts and removals. The backend counts the contacts.
  [[nodiscard]] virtual EngineCounts counts() = 0;
  /// Number of ids given so far, also to members of clumps. It is the id that the next inserted particle gets.
  [[nodiscard]] virtual std::uint64_t id_count() const = 0;
  /// The particles that were removed since the last call, in the order of steps and ids; restore() forgets them. Empty
  /// without Scene::lists_removed. Copies them.
  [[nodiscard]] virtual std::vector<RemovedParticle> take_removed() = 0;
  /// The particles in ascending order of id. Copies the particles; `force` and `coordination` each add a pass over all
  /// contacts and a column. Throws ContractError as above if `force` is requested.
  [[nodiscard]] virtual Snapshot snapshot(const SnapshotRequest& request = {}) = 0;
  /// [n_contacts] contacts between particles in ascending order of their ids, then contacts with boundaries. If
  /// `details` is not null, it gets [n_contacts] details in the same order. Copies the places of the particles, the
  /// touching contacts and the details. Throws ContractError between search_neighbours() and the next step.
  [[nodiscard]] virtual std::vector<TouchingContact> touching_contacts(
      std::vector<ContactDetail>* details = nullptr) = 0;
  /// The single spheres whose octahedral shear stress has reached the strength that set_strengths() gave them, in
  /// ascending order of ids. The backend looks at all contacts, and copies only these spheres. Throws ContractError as
  /// touching_contacts() does.
  [[nodiscard]] virtual std::vector<OverloadedSphere> overloaded_spheres() = 0;
  /// Gives strengths [Pa] to the ids from `first` on, for overloaded_spheres(). A particle with an infinite strength,
  /// or without one, is never overloaded. All ids before `first` must have a strength already. No step depends on
  /// strengths, save() leaves them out, and restore() keeps them.
  virtual void set_strengths(std::uint32_t first, const std::vector<double>& strength) = 0;
  /// Nodes that touched in the last step, contact after contact as in touching_contacts(). ContractError without
  /// Scene::keeps_node_forces, and between a search and the next step.
  [[nodiscard]] virtual std::vector<TouchingNode> touching_nodes() = 0;
  /// Tractions over the circle of one contact, at `points` distances from its axis. The contact is that of two
  /// particles, by their ids, or that of the particle `second` with the boundary `first`, an index in Scene::boundaries
  /// (on a mesh, the contact with the largest force). Empty if they do not touch, or their law keeps no load history.
  /// Copies the particles and the listed pairs. ContractError as above.
  [[nodiscard]] virtual std::optional<ContactTractions> tractions(std::uint32_t first, std::uint32_t second,
                                                                  bool with_boundary, std::size_t points) = 0;
  /// [n_boundaries] loads in the order of Scene::boundaries. The backend sums them without rounding. Throws
  /// ContractError between search_neighbours() and the next step.
  [[nodiscard]] virtual std::vector<BoundaryLoad> boundary_loads() = 0;
  /// Whether boundary `index` is there now; see set_present().
  [[nodiscard]] virtual bool is_present(std::size_t index) const = 0;
  /// The loads of the particles on the facets of each mesh with SceneBoundary::facet_loads, in the order of the
  /// boundaries. With `begin_interval` the next step begins a new interval; until then the present one can be read
  /// again. Copies the sums.
  [[nodiscard]] virtual std::vector<FacetLoads> facet_loads(bool begin_interval) = 0;
  /// The collisions that have ended in the present interval, by materials, boundaries and losses, and the contacts that
  /// touch. With `begin_interval` the next step begins a new interval; until then the present one can be read again.
  /// Copies the counts. Throws ContractError without Scene::collisions.
  [[nodiscard]] virtual CollisionReport collisions(bool begin_interval) = 0;
  /// [n_vertices] [m] present vertices of boundary `index` in Scene::boundaries. Throws ContractError if there is none.
  [[nodiscard]] virtual std::vector<Real3> boundary_vertices(std::size_t index) = 0;
  /// The present periodic cell; empty without one.
  [[nodiscard]] virtual std::optional<CellState> cell() = 0;
  [[nodiscard]] virtual Real3 gravity() const = 0;  ///< [m/s2] the present gravity
  /// The groups of the scene with all changes of set_group() and set_damping().
  [[nodiscard]] virtual std::vector<SceneGroup> groups() const = 0;
  [[nodiscard]] virtual Integration integration() const = 0;  ///< with the present damping
  /// The energy ledger. The backend sums it up and copies a few numbers. Throws ContractError if Scene::energies is
  /// false, and between search_neighbours() and the next step.
  [[nodiscard]] virtual EnergyLedger energies() = 0;
  /// The heat of the particles; empty without Scene::heat. Sums on the backend, without rounding. Throws ContractError
  /// between search_neighbours() and the next step.
  [[nodiscard]] virtual HeatReport heat() = 0;
  /// The liquid of the particles; empty without films. Sums on the backend, without rounding. Throws ContractError
  /// between search_neighbours() and the next step.
  [[nodiscard]] virtual FilmReport films() = 0;
  /// [N] The force of the fluid on all particles, drag and buoyancy, at their present places and velocities; 0 without
  /// a fluid. Sums on the backend, without rounding.
  [[nodiscard]] virtual Real3 fluid_force() = 0;
  /// The results of the checks of the contacts so far.
  [[nodiscard]] virtual ContactWatch watch() = 0;
  /// The critical step of the present contacts; infinite before the first step and between search_neighbours() and the
  /// next step. Takes a pass over all contacts.
  [[nodiscard]] virtual CriticalStep critical_step() = 0;

  // State.

  /// The hash of the state. Takes passes over the particles and the contacts, and copies the modes of grains that
  /// deform.
  [[nodiscard]] virtual StateHash hash() = 0;
  /// Everything that further steps depend on, apart from the scene and from some values that were set during the run.
  /// The state contains the particles with their groups, the driven boundaries and the length of the next step, even if
  /// a program has set these. It does not contain the other values that a program has set:
  /// - gravity (set_gravity());
  /// - rules of groups: fixed components, motions, forces, damping, gravity (set_group()). But the state does contain
  ///   which particles are fixed, and their velocities;
  /// - motions of boundaries and of surfaces (set_motion(), set_surface_motion());
  /// - forces and torques of drives, and velocities that lead them (set_drive(), lead_drive(), set_radial_drive());
  /// - which boundaries are absent (set_present());
  /// - friction and damping (set_friction(), set_damping());
  /// - the rule of the time step (set_time_step());
  /// - temperatures of boundaries and their fluxes of heat (set_boundary_heat());
  /// - pressures of membranes (set_membrane_pressure()).
  /// Copies the whole state. Throws ContractError between search_neighbours() and the next step.
  [[nodiscard]] virtual EngineState save() = 0;
  /// Restores a state saved by an engine of the same scene, on any backend. Values that save() leaves out stay as they
  /// are in this engine, so a program that had set some of them must set them again. Then everything readable now and
  /// every later step is bit-identical to the engine that saved the state. Writes the whole state; the next step
  /// searches for neighbours. Throws StateError when the state does not fit; the engine must then be destroyed.
  virtual void restore(const EngineState& state) = 0;

  // Particles and their memory.

  /// Adds particles between two steps. Their ids continue after all ids so far, and their velocities belong to the
  /// middle of the last step. All other particles keep their contacts and histories. Overlaps are not checked. The next
  /// step searches for neighbours. Throws ContractError if the arrays differ in length, if no particle or inlet of the
  /// scene has the material, or if the cell deforms; BackendError if there are no more ids.
  virtual void insert(const ParticleSet& particles) = 0;
  /// Takes single spheres out of the run between two steps. They are counted under Scene::outlet_names[outlet], and
  /// their energies and heat as those of particles that outlets remove, but take_removed() does not list them. Their
  /// contacts can still be read until the next step, which searches for neighbours. Throws ContractError for an id that
  /// is not in the run, that is named twice or that belongs to a member of a clump, and for an outlet that does not
  /// exist.
  virtual void remove(const std::vector<std::uint32_t>& ids, std::uint32_t outlet) = 0;
  /// Particles that reach into the box between two corners [m]. In a periodic cell their images count, too. Copies
  /// positions, radii and ids.
  [[nodiscard]] virtual SphereList particles_in(const Real3& low, const Real3& high) = 0;
  /// [n_spheres] 1 if the distance of the centre of the sphere from every boundary is now at least its radius, else 0.
  [[nodiscard]] virtual std::vector<std::uint8_t> clear_of_boundaries(const SphereList& spheres) = 0;
  /// The bodies in the memory of the engine; the only call whose result is not a copy. The pointers are valid, and the
  /// rows belong to the same bodies, until the next call of advance(), insert(), restore() or search_neighbours(). On a
  /// GPU this waits for all launched steps. Callers that write to this memory must call begin_edit() before and
  /// end_edit() afterwards.
  [[nodiscard]] virtual BodyColumns bodies() = 0;
  /// begin_edit() and end_edit() enclose changes of position, velocity and angular velocity in bodies(). Members of
  /// clumps follow their clumps: values written to members are lost in the next step. After end_edit() the next step
  /// searches for neighbours.
  virtual void begin_edit() = 0;
  virtual void end_edit() = 0;

  // Steering: values that a program changes between two steps. After every call, except those of drives and of heat,
  // the next step searches for neighbours. All contacts keep their histories. Overlaps are not checked, and energy that
  // a change of velocities or places adds counts as error of the energy ledger. save() lists which of these values a
  // state leaves out.

  /// Sets places and velocities of single spheres. Throws ContractError for an id that is not in the run or that
  /// belongs to a member of a clump, for numbers that are not finite, and for velocities in a cell that deforms.
  virtual void set_bodies(const BodyChange& change) = 0;
  /// Sets places and velocities of clumps and level-set grains, by their own ids; errors as for set_bodies().
  virtual void set_clumps(const ClumpChange& change) = 0;
  /// Sets gravity [m/s2].
  virtual void set_gravity(const Real3& gravity) = 0;
  /// Changes group `index` in Scene::groups. Velocities are imposed on the components that are fixed after the change,
  /// and the energy that this takes counts as work of the group. To repeat a change after restore(), give
  /// `is_made`: the state has the velocities and the fixed particles already. Throws ContractError if there is no such
  /// group, for numbers that are not finite, for a rotation without six fixed components, for a fixed rotation of
  /// grains with ModeInertia, and for velocities in a cell that deforms.
  virtual void set_group(std::size_t index, const GroupChange& change, bool is_made = false) = 0;
  /// The particles with these ids join group `index` and leave the groups that they were in. A group that is fixed or
  /// turns imposes its motion on them, and the energy that this takes counts as its work. A clump joins with the id
  /// of its first sphere; ids of its other spheres are ignored. Throws ContractError for a group or an id that does not
  /// exist, for a group that fixes a rotation of grains with ModeInertia, and for a group with a velocity in a cell
  /// that deforms.
  virtual void join_group(std::size_t index, const std::vector<std::uint32_t>& ids) = 0;
  /// From the time `since` [s] on, boundary `index` moves by these motions, starting from its place at that time.
  /// `since` is time(), or, to repeat what a run did before its state was saved, the time() of that moment. A time
  /// `from` of a motion that is before `since` becomes `since`; the time in its table counts from `since`, too. Throws
  /// ContractError for a boundary that neither moves nor is driven in the scene.
  virtual void set_motion(std::size_t index, const std::vector<Motion>& motions, double since) = 0;
  /// From the time `since` [s] on, the surface of boundary `index` moves by these motions. For `since` and times `from`
  /// see set_motion(). Throws ContractError for a boundary without a surface motion in the scene.
  virtual void set_surface_motion(std::size_t index, const std::vector<Motion>& motions, double since) = 0;
  /// Sets the force [N] and the torque [N m] that drive boundary `index`; a value that is left out stays as it is.
  /// Throws ContractError for a boundary without a drive.
  virtual void set_drive(std::size_t index, const std::optional<Real3>& force, std::optional<double> torque) = 0;
  /// From the next step on the drive of boundary `index` moves it with this velocity [m/s] along its free axes,
  /// whatever forces act on it; without a velocity, forces move it again. Throws ContractError for a boundary whose
  /// drive does not translate.
  virtual void lead_drive(std::size_t index, const std::optional<Real3>& velocity) = 0;
  /// Sets the sum of the forces [N] away from the axis that change the radius of a cylinder with a servo, in addition
  /// to the contacts. With `rate` [m/s] the radius changes at this rate instead, whatever forces act on it. Throws
  /// ContractError for any other boundary.
  virtual void set_radial_drive(std::size_t index, double force, std::optional<double> rate) = 0;
  /// Takes boundary `index` out of the run, or puts it back where its motion has meanwhile taken it: nothing touches a
  /// boundary that is absent. All boundaries are present at first. Contacts of a boundary that goes lose their springs.
  virtual void set_present(std::size_t index, bool present) = 0;
  /// Sets the friction of pairs of materials; the other pairs keep theirs. Throws ContractError for a material that
  /// does not exist.
  virtual void set_friction(const std::vector<PairFriction>& changes) = 0;
  /// Sets Cundall's damping [-] of all particles and boundaries, except groups with their own, and the rate of viscous
  /// damping [1/s]. Throws ContractError for a rate above 0 in a scene without groups, and for any damping in a scene
  /// with a fluid.
  virtual void set_damping(double damping, double viscous) = 0;
  /// In a scene whose step adapts: from now on all steps have the length `fixed` [s], or if that is 0, they follow the
  /// contacts with this safety [-]. `since` is step(), or, to repeat what a run did before its state was saved, the
  /// step() of that moment. Throws ContractError in other scenes.
  virtual void set_time_step(double fixed, double safety, std::uint64_t since) = 0;
  /// From now on boundary `index` has this temperature [K], or heats the particles that touch it with this flux [W/m2]
  /// (see Boundary::heat_flux), or lets no heat pass if neither is given. Throws ContractError without Scene::heat, for
  /// an index that does not exist, if both are given, and for impossible numbers.
  virtual void set_boundary_heat(std::size_t index, std::optional<double> temperature,
                                 std::optional<double> heat_flux) = 0;
  /// Sets the pressure [Pa] on the outside of membrane `index` in Scene::membranes, as a table over the time of the run
  /// [s]. Throws ContractError for an index that does not exist, and for a table without rows or with numbers that are
  /// not finite.
  virtual void set_membrane_pressure(std::size_t index, const TimeTable& pressure) = 0;
  /// [Pa] The present pressure of membrane `index` in Scene::membranes.
  [[nodiscard]] virtual double membrane_pressure(std::size_t index) const = 0;

  // Diagnostics.

  /// Searches for neighbours now, and counts the tests of the search in an extra pass. No result of the run changes.
  /// Contact forces cannot be read until the next step: ContractError.
  virtual SearchReport search_neighbours() = 0;
  /// The numbers of nodes of level-set grains that touch or may touch. Copies the near nodes of all contacts.
  [[nodiscard]] virtual NodeCounts node_counts() = 0;
  /// Times of all kinds of launches so far. On a GPU they measure only how long a launch takes to be issued, unless
  /// wait_for_launches() was called.
  [[nodiscard]] virtual std::vector<LaunchTime> launch_times() = 0;
  /// From now on the engine waits for the end of each launch, so that launch_times() measures the work of a GPU, too.
  /// This makes a GPU slower.
  virtual void wait_for_launches() = 0;
  /// [bytes/s] Measures the rate at which large arrays are copied within the memory of the backend, with all its
  /// threads; bytes read and bytes written both count. Takes half a GB of that memory while it measures.
  [[nodiscard]] virtual double copy_bandwidth() = 0;
  /// The memory of the backend that is allocated now, one item per purpose.
  [[nodiscard]] virtual std::vector<MemoryItem> memory() = 0;
  [[nodiscard]] virtual std::string backend() const = 0;  ///< "host, 2 threads", "cuda, NVIDIA ..."
};

enum class BackendChoice { automatic, host, cuda };  ///< automatic: a GPU if one can be used, else the host

struct EngineOptions {
  BackendChoice backend = BackendChoice::automatic;
  int threads = 0;  ///< of the host backend; 0: all cores, fewer for few particles. No result depends on it
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
