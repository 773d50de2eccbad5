#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scree/boundaries.hpp"
#include "scree/breakage.hpp"
#include "scree/domain.hpp"
#include "scree/fluid.hpp"
#include "scree/grain_contacts.hpp"
#include "scree/heat.hpp"
#include "scree/materials.hpp"
#include "scree/outputs.hpp"
#include "scree/particles.hpp"
#include "scree/run_settings.hpp"
#include "scree/shapes.hpp"
#include "scree/stages.hpp"
#include "scree/values.hpp"

/// The case file as C++ types, in SI units. Every struct mirrors one JSON object; its describe() list
/// (src/host/case/describe.hpp) drives reading, checking, writing and the schema. Defaults here are those of the file.
/// All of it is plain data. docs/case_file.md explains every value.
namespace scree {

/// How much energy impacts between parcels lose.
enum class ParcelRestitution {
  same,   ///< restitutions are those of the grains: a contact loses the same part of its energy
  scaled  ///< 1 - e^2 is multiplied by the scale: impacts lose as much energy per volume as those of the grains
};
/// Coarse graining. Each particle of the run is a parcel: it is `scale` times as large as the grains of the case and
/// represents scale^3 of them. All sizes, numbers and contact values of the case are those of the grains.
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
  std::uint64_t seed = 1;            ///< seed of all random choices
  std::optional<Parcels> parcels{};  ///< none: particles are grains
  Named<Material> materials;
  Named<Shape> shapes;  ///< of particles that are not spheres
  GrainContacts grain_contacts;
  std::vector<ContactRule> contacts;     ///< empty: one rule for all pairs, hertz_mindlin
  bool no_ratcheting = false;            ///< closed cycles of two spheres leave no shear force
  std::optional<HeatSettings> heat{};    ///< none: particles have no temperature
  std::optional<FluidSettings> fluid{};  ///< none: nothing is around the particles
  std::vector<ParticleGroup> particles;
  std::optional<Breakage> breakage{};  ///< none: spheres do not break
  /// a checkpoint, or a folder of checkpoints, that gives particles, contacts and cell; instead of `particles`
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
