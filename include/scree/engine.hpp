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
#include "scree/scene.hpp"
#include "scree/snapshot.hpp"
#include "scree/tractions.hpp"

namespace scree {

/// 128-bit hash of the whole state; independent of the order in memory.
struct StateHash {
  std::array<std::uint64_t, 2> words{};
  bool operator==(const StateHash&) const = default;
  [[nodiscard]] std::string text() const;  ///< 32 hexadecimal digits
};

struct EngineCounts {
  std::uint64_t particles = 0;                  ///< still in the run; a clump is one
  std::uint64_t clumps = 0;                     ///< among them
  std::uint64_t inserted = 0;                   ///< so far, through Engine::insert
  std::uint64_t candidates = 0;                 ///< listed particle pairs
  std::uint64_t contacts = 0;                   ///< touching particle pairs
  std::uint64_t wall_contacts = 0;              ///< touching particle-boundary contacts
  std::uint64_t rebuilds = 0;                   ///< of the neighbour list, so far
  std::uint64_t bonds = 0;                      ///< whole ones, between particles still in the run
  std::uint64_t broken_bonds = 0;               ///< since the start
  std::uint64_t segments = 0;                   ///< of all load histories (law jaeger)
  std::uint64_t longest_history = 0;            ///< segments of the longest one
  std::uint64_t contacts_in_part_slipping = 0;  ///< in the last step, those of law jaeger
  std::uint64_t contacts_sliding = 0;           ///< as a whole, likewise
  std::uint64_t history_bytes = 0;              ///< pages of load histories in use
  std::uint64_t most_history_bytes = 0;         ///< the most so far
  std::vector<std::uint64_t> removed;           ///< per outlet name
  std::vector<double> removed_mass;             ///< [kg] per outlet name
};

struct StageTime {
  std::string stage;
  double seconds = 0;
  std::uint64_t calls = 0;
  /// least memory traffic of all calls, counted from array sizes; 0 where it is not counted
  std::uint64_t bytes = 0;
};

/// What one neighbour search had to do.
struct SearchReport {
  std::uint64_t particles = 0;
  std::uint64_t tests = 0;  ///< candidate pairs whose distance was computed, each pass over them counted once
  std::uint64_t pairs = 0;  ///< listed
};

struct MemoryItem {
  std::string name;
  std::uint64_t bytes = 0;
};

struct BoundaryLoad {
  Real3 force{};    ///< [N] on the boundary, by the particles, last step
  Real3 torque{};   ///< [N m] about the origin of the world frame
  double work = 0;  ///< [J] by the boundary on the particles, so far
  // What forces have done to it; zero where nothing drives it.
  Real3 shift{};               ///< [m]
  Real3 velocity{};            ///< [m/s] of the middle of the last step
  double angle = 0, rate = 0;  ///< [rad], [rad/s] of the middle of the last step
};

/// Spheres as they stand at the moment, in ascending order of id.
struct SphereList {
  std::vector<Real3> position;  ///< [m]
  std::vector<double> radius;   ///< [m]
};

/// One touching contact at the moment of the last contact forces.
struct TouchingContact {
  std::uint32_t first = 0;   ///< id of the first particle, or the boundary as in Scene::boundaries
  std::uint32_t second = 0;  ///< id of the second particle
  bool with_boundary = false;
  Real3 force{};   ///< [N] on the second
  Real3 normal{};  ///< [-] from the first to the second
  Real3 point{};   ///< [m] on the surface of the first, in its image
  Real3 branch{};  ///< [m] from the centre of the first to that image of the second which it touches; 0 with boundaries
  std::array<std::int32_t, 3> cell_offset{};  ///< edges between the second and this image of it
};

/// The largest stable time step under the contacts that there are, and what limits it.
struct CriticalStep {
  double value = std::numeric_limits<double>::infinity();  ///< [s] infinite: nothing touches
  std::uint32_t particle = 0;                              ///< id of the one that limits it
  bool rotation = false;                                   ///< by its rotation, else by its translation
  double radius = 0;                                       ///< [m] of it
  std::uint32_t material = 0;                              ///< of it
  std::uint32_t contacts = 0;                              ///< that it has
  std::uint32_t partner = 0;  ///< of its stiffest contact: id of a particle, or index of a boundary
  std::uint32_t partner_material = 0;
  bool with_boundary = false;
};

/// Limit and overlaps of the contacts, looked at every 200 steps (with an adaptive step whenever that is chosen), the
/// first time in the first step: numbers of steps that were made before the look. The same for any output, and kept by
/// checkpoints.
struct ContactWatch {
  double step = 0;                     ///< of the last look
  double overlap = 0;                  ///< [-] largest overlap over the smaller radius; bonded contacts are left out
  double most_overlap = 0;             ///< [-] so far
  double most_overlap_step = 0;        ///< of it
  double most_overlap_particle = 0;    ///< id of one of the two, above 1 %
  double critical = 0;                 ///< [s] largest stable step; 0: nothing touches
  double least_critical = 0;           ///< [s] so far; 0: nothing has touched
  double least_critical_step = 0;      ///< of it
  double least_critical_particle = 0;  ///< id of the one that limits, where the time step was longer
  bool operator==(const ContactWatch&) const = default;
};

/// Energies [J] at the moment of the last contact forces, one step before the positions; sums since the start of the
/// run. kinetic + elastic + all that was lost - works stays what it was at the start; `error` is how far it does not.
struct EnergyLedger {
  double kinetic_translation = 0, kinetic_rotation = 0;
  double elastic = 0;     ///< in all springs of contacts
  double gravity = 0;     ///< work of gravity on the particles
  double boundaries = 0;  ///< work of moving boundaries on the particles
  double groups = 0;      ///< work of groups: what forces, holds and leads their particles
  double cell = 0;        ///< work of a deforming periodic cell on the particles
  double friction = 0;    ///< lost by slip: sliding, rolling, twisting
  double viscous = 0;     ///< lost in dashpots
  double damping = 0;     ///< lost by damping of the motion, Cundall's and viscous
  double breakage = 0;    ///< lost by bonds that broke
  double parting = 0;     ///< left in shear springs when contacts end; negative where a law gave back too much
  double removed = 0;     ///< taken along by removed particles, less what inserted ones brought
  double error = 0;
};

/// A running system. One virtual call covers many steps.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Runs `steps` steps, or fewer when `stop` becomes true (looked at after every step) or when time() has reached
  /// `until` [s] (a number of steps is exact, a time may be rounded: give one of the two); returns how many were done.
  /// Throws KernelFault when the physics breaks down; the state at the fault can still be read.
  virtual std::uint64_t advance(std::uint64_t steps, const std::atomic<bool>* stop = nullptr,
                                double until = std::numeric_limits<double>::infinity()) = 0;

  [[nodiscard]] virtual std::uint64_t step() const = 0;
  [[nodiscard]] virtual double time() const = 0;           ///< [s] step() * time step, or the sum of steps that adapt
  [[nodiscard]] virtual double previous_time() const = 0;  ///< [s] at step() - 1; 0 at the start
  /// Of the contacts as they stand after a step; without a limit before the first.
  [[nodiscard]] virtual CriticalStep critical_step() { return {}; }
  /// What looks at the contacts have found so far.
  [[nodiscard]] virtual ContactWatch watch() { return {}; }
  /// The periodic cell; none without one.
  [[nodiscard]] virtual std::optional<CellState> cell() { return std::nullopt; }
  /// Whether the last stage of the cell is over: advance() makes no further step.
  [[nodiscard]] virtual bool finished() { return false; }
  [[nodiscard]] virtual Snapshot snapshot(const SnapshotRequest& request = {}) = 0;
  [[nodiscard]] virtual StateHash hash() = 0;
  /// Everything that the further course depends on. ContractError between search_neighbours() and the next step.
  [[nodiscard]] virtual EngineState save() = 0;
  /// Goes on from a state that an engine of the same scene has saved, on whatever backend: all that can be read and all
  /// further steps have the same bits. Throws StateError when the state does not fit; the engine is then of no use.
  virtual void restore(const EngineState& state) = 0;
  [[nodiscard]] virtual EngineCounts counts() = 0;
  [[nodiscard]] virtual std::vector<BoundaryLoad> boundary_loads() = 0;  ///< as Scene::boundaries
  /// In ascending order of ids; not between a search and the next step: ContractError.
  [[nodiscard]] virtual std::vector<TouchingContact> touching_contacts() { return {}; }
  /// Of the contact of two particles, by their ids, or of a particle `second` with the boundary `first`, as in
  /// Scene::boundaries (of a mesh the contact with the largest force); none where they do not touch, or their law keeps
  /// no load history. ContractError as above.
  [[nodiscard]] virtual std::optional<ContactTractions> tractions(std::uint32_t /*first*/, std::uint32_t /*second*/,
                                                                  bool /*with_boundary*/, std::size_t /*points*/) {
    return std::nullopt;
  }
  /// Only of a scene with `energies`, and not between a search and the next step: ContractError.
  [[nodiscard]] virtual EnergyLedger energies() { return {}; }
  /// Vertices of boundary `index` (a mesh) where they stand now [m].
  [[nodiscard]] virtual std::vector<Real3> boundary_vertices(std::size_t index) = 0;
  [[nodiscard]] virtual std::vector<StageTime> stage_times() = 0;
  /// Makes the neighbour list anew, now, and counts the tests of a search in an extra pass. No result depends on it.
  /// Contact forces and boundary loads cannot be read until the next step: ContractError.
  virtual SearchReport search_neighbours() = 0;
  /// Adds particles to the run, between two steps; their ids continue after all before. Their velocities count as those
  /// of the middle of the last step. All others keep their contacts and history. What overlaps is not looked for.
  virtual void insert(const ParticleSet& particles) = 0;
  /// Particles that reach into the box between two corners [m].
  [[nodiscard]] virtual SphereList particles_in(const Real3& low, const Real3& high) = 0;
  /// For each sphere 1 where no boundary, as it stands now, comes nearer than its radius, else 0.
  [[nodiscard]] virtual std::vector<std::uint8_t> clear_of_boundaries(const SphereList& spheres) = 0;
  [[nodiscard]] virtual std::vector<MemoryItem> memory() = 0;
  [[nodiscard]] virtual std::string backend() const = 0;  ///< "host, 2 threads", "cuda, NVIDIA ..."
};

enum class BackendChoice { automatic, host, cuda };

struct EngineOptions {
  BackendChoice backend = BackendChoice::automatic;
  int threads = 0;  ///< 0: all cores
};

/// Chooses the backend and builds the engine. Throws BackendError when the choice cannot be met.
/// With `automatic`, why the host was taken is appended to `*reason` (may be null).
[[nodiscard]] std::unique_ptr<Engine> make_engine(const Scene& scene, const EngineOptions& options,
                                                  std::string* reason = nullptr);

/// One line about each backend of this executable, and whether it can run here.
struct BackendStatus {
  std::string name;
  bool compiled = false, usable = false;
  std::string detail;
};
[[nodiscard]] std::vector<BackendStatus> backend_status();

}  // namespace scree
