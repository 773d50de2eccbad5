#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "scree/values.hpp"

/// Reports of an engine about the whole run: its hash, counts, checks, energies, times and memory.
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
  std::uint64_t boundary_contacts = 0;          ///< touching particle-boundary contacts
  std::uint64_t searches = 0;                   ///< searches for neighbours so far
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

/// The time spent in one kind of launch ("pair contacts", "sort", ...) since the engine was made. Entries with the
/// names of copy_kinds, at the end, count copies. Their time is 0 here because it is part of the time of other kinds,
/// and they include the copies of all engines of the backend.
struct LaunchTime {
  std::string kind;
  double seconds = 0;       ///< wall time
  std::uint64_t calls = 0;  ///< number of launches
  /// lower bound of the memory traffic of all calls, from array sizes; 0 if it is not counted
  std::uint64_t bytes = 0;
};

/// Copies from the host to the backend, back, and within the memory of the backend.
inline constexpr std::array<const char*, 3> copy_kinds = {"copies to the backend", "copies from the backend",
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

/// A particle that an outlet or a region has removed. A clump counts as one particle.
struct RemovedParticle {
  std::uint64_t step = 0;      ///< number of steps made when it was removed
  double time = 0;             ///< [s] of that moment
  std::uint32_t id = 0;        ///< for a clump, the id of its first member
  std::uint32_t outlet = 0;    ///< index in Scene::outlet_names
  std::uint32_t material = 0;  ///< index in Scene::materials
  std::uint32_t group = 0;     ///< index in Scene::groups; 0 if the scene has none
  double mass = 0;             ///< [kg]
  Real3 position{};            ///< [m] of its centre, where it was removed
  Real3 velocity{};            ///< [m/s] mean of the step that took it there
  double temperature = 0;      ///< [K] before that step; 0 if the run has no heat
  double film = 0;             ///< [m3] liquid on it before that step, without its bridges; 0 if there are no films
};

/// The largest stable time step for the present contacts, and the particle that limits it.
struct CriticalStep {
  double value = std::numeric_limits<double>::infinity();  ///< [s] the step; infinite: nothing touches
  std::uint32_t particle = 0;                              ///< id of the limiting particle
  bool rotation = false;                                   ///< its rotation limits the step, else its translation
  double radius = 0;                                       ///< [m] its radius
  std::uint32_t material = 0;                              ///< its material
  std::uint32_t contacts = 0;                              ///< number of its contacts
  std::uint32_t partner = 0;  ///< the other side of its stiffest contact: id of a particle, or index of a boundary
  std::uint32_t partner_material = 0;  ///< material of the partner
  bool with_boundary = false;          ///< the partner is a boundary
};

/// Results of the regular checks of all contacts. The first check is in the first step; further checks follow every 200
/// steps, or whenever an adaptive step is chosen. A step here is the number of steps made before the check. The checks
/// do not depend on output, and checkpoints keep their results.
struct ContactWatch {
  double step = 0;                     ///< step of the last check
  double overlap = 0;                  ///< [-] largest overlap over the smaller radius; intact bonds do not count
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
  double error = 0;        ///< change of the sum that should be constant
  double fluid = 0;        ///< work of the fluid on the particles: drag and buoyancy
};

}  // namespace scree
