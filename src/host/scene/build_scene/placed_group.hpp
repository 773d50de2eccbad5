#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "host/case/particle_kinds.hpp"
#include "host/packing/fill.hpp"
#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The particles of an entry of "particles", or those of one part of its mixture, as they are placed.
struct PlacedGroup {
  std::size_t entry = 0;  ///< index in Case::particles
  std::size_t part = 0;   ///< of the mixture
  ParticleKind kind;      ///< without a material where a file names one in each line
  std::string path;       ///< "particles.0"
  std::uint32_t material = 0;
  std::optional<std::uint32_t> shape;  ///< none: spheres
  double around = 1;                   ///< [-] radius of the ball about a clump over its equivalent radius
  SizeDistribution sizes;              ///< [m] of spheres, or of the balls about clumps
  packing::Spheres spheres;
  std::vector<Real3> velocity, angular_velocity;     ///< of a file; may be empty
  std::vector<QuaternionWxyz> orientation;           ///< of a file of clumps; may be empty
  std::vector<double> temperature, film;             ///< [K] [-] of a file that has them; may be empty
  std::vector<std::size_t> line;                     ///< of a file
  std::vector<std::uint32_t> material_of, group_of;  ///< of a file that names them; may be empty
  std::optional<MembraneLattice> lattice;            ///< of a membrane, whose rings at the ends may have a group_of

  [[nodiscard]] std::size_t size() const { return spheres.radius.size(); }
};

/// The orientation of the principal axes of clump `i` of a group. None where the case gives no orientation: it is
/// random then.
[[nodiscard]] std::optional<QuaternionWxyz> given_orientation(const Case& input, const std::vector<ClumpShape>& shapes,
                                                              const PlacedGroup& group, std::size_t i);

/// Reads the file of an entry into its group. Throws CaseError (empty path) that says what is wrong with the file.
void read_file_particles(const Case& input, PlacedGroup& group);

/// The shapes of a case. Refers to them.
struct Shapes {
  const std::vector<ClumpShape>& clumps;  ///< of level-set grains too: one ball about each
  const std::vector<GrainShape>& grains;
};

/// Reports spheres of files and lattices, and clumps and grains whose orientation is given, that overlap each other or
/// spheres that are `standing` already by more than is allowed. Grains overlap by the depth of their nodes. A clump or
/// a grain that is turned by chance counts as the ball about it, and so does one that is standing.
void find_deep_overlaps(const Case& input, const Shapes& shapes, const packing::Spheres& standing,
                        const std::vector<PlacedGroup>& groups, const std::optional<PeriodicCell>& cell,
                        std::vector<InputProblem>& problems);

/// The particles of all groups in the order of ids. A problem if they are more than ids can tell apart.
[[nodiscard]] ParticleSet joined(const Case& input, const std::vector<ClumpShape>& shapes,
                                 const std::vector<PlacedGroup>& groups, std::vector<InputProblem>& problems);

}  // namespace scree
