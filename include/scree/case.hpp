#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scree/boundaries.hpp"
#include "scree/domain.hpp"
#include "scree/heat.hpp"
#include "scree/materials.hpp"
#include "scree/outputs.hpp"
#include "scree/particles.hpp"
#include "scree/rotation_schemes.hpp"
#include "scree/shapes.hpp"
#include "scree/stages.hpp"
#include "scree/values.hpp"

/// The case file as C++ types, in SI units. Every struct mirrors one JSON object; its describe() list
/// (src/host/case/describe.hpp) drives reading, checking, writing and the schema. Defaults here are those of the file.
/// All of it is plain data. docs/case_file.md explains every value.
namespace scree {

enum class Precision { mixed, double_ };

/// Duration and steps of a run.
struct TimeSettings {
  double duration = 0;                 ///< [s]
  std::optional<double> step;          ///< [s] none: chosen from stiffness and mass ("auto")
  std::optional<double> safety{};      ///< [-] automatic step as a fraction of the limit; none: 0.2, or 0.4 if adaptive
  bool adaptive = false;               ///< the step follows the present contacts
  std::uint64_t update_interval = 10;  ///< [steps] interval at which an adaptive step is chosen
};

/// Damping and integration of the motion of particles.
struct Integration {
  double damping = 0;                                ///< [-] Cundall's non-viscous damping
  bool damp_gravity = true;                          ///< this damping acts on gravity as well
  double viscous_damping = 0;                        ///< [1/s] rate c of a force -c m v and a torque -c I w
  RotationScheme rotation = RotationScheme::spiral;  ///< integrator for clumps
};

/// [m] a gap
struct VerletLength {
  double value = 0;
};
/// [-] a gap as a fraction of the smallest radius
struct VerletFraction {
  double value = 0;
};
using VerletDistance = std::variant<VerletLength, VerletFraction>;
/// How long neighbour lists are. Longer lists need fewer searches. No result depends on this.
struct Neighbours {
  std::optional<VerletDistance> verlet_distance;  ///< none: "auto"
  std::optional<double> target_interval;  ///< [steps] that a particle's list should last; none: by measured times
};

/// What impacts between parcels lose.
enum class ParcelRestitution {
  same,   ///< restitutions are those of the grains: a contact loses the same part of its energy
  scaled  ///< 1 - e^2 is multiplied by the scale: impacts lose as much energy per volume as those of the grains
};
/// Coarse graining: each particle of the run is a parcel, scale times as large as the grains of the case, which stands
/// for scale^3 of them. All sizes, numbers and contact values of the case are those of the grains.
struct Parcels {
  double scale = 1;  ///< [-] radius of a parcel over that of its grains
  ParcelRestitution restitution = ParcelRestitution::same;
};

/// A whole case file.
struct Case {
  std::string title;
  TimeSettings time;
  Real3 gravity{0, 0, -9.81};  ///< [m/s2]
  Precision precision = Precision::mixed;
  std::uint64_t seed = 1;            ///< of all random choices
  std::optional<Parcels> parcels{};  ///< none: particles are grains
  Named<Material> materials;
  Named<Shape> shapes;  ///< of particles that are not spheres
  GrainContacts grain_contacts;
  std::vector<ContactRule> contacts;   ///< empty: one rule for all pairs, hertz_mindlin
  bool no_ratcheting = false;          ///< closed cycles of two spheres leave no shear force
  std::optional<HeatSettings> heat{};  ///< none: particles have no temperature
  std::vector<ParticleGroup> particles;
  /// a checkpoint, or a folder of checkpoints, from which particles, contacts and cell come; instead of `particles`
  std::optional<std::string> start{};
  Named<GroupSettings> groups;
  Named<Boundary> boundaries;
  std::vector<RunStage> stages;  ///< in order; the run ends with the last one
  Domain domain;
  Integration integration;
  Neighbours neighbours;
  Output output;

  std::filesystem::path folder;  ///< start of relative paths: the folder of the case file; not part of the JSON
};

}  // namespace scree
