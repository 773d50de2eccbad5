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

/// The placed particles of an entry of "particles", or of one part of its mixture.
struct PlacedGroup {
  std::size_t entry = 0;  ///< index in Case::particles
  std::size_t part = 0;   ///< index in the mixture
  ParticleKind kind;      ///< its material is empty if the lines of a file name their materials
  std::string path;       ///< "particles.0"
  std::uint32_t material = 0;
  std::optional<std::uint32_t> shape;  ///< none: spheres
  double around = 1;                   ///< [-] radius of the ball about a clump over its equivalent radius
  SizeDistribution sizes;              ///< [m] of spheres, or of the balls about clumps
  packing::Spheres spheres;
  // The next five come from a file. Each is empty if the file does not have it.
  std::vector<Real3> velocity, angular_velocity;  ///< [m/s], [rad/s]
  std::vector<QuaternionWxyz> orientation;        ///< of clumps
  std::vector<double> temperature, film;          ///< [K], [-]
  std::vector<std::size_t> line;                  ///< number of the line in the file
  std::vector<std::uint32_t> material_of;         ///< index in Scene::materials
  std::vector<std::uint32_t> group_of;     ///< index in Scene::groups; also of membranes with a group of the ends
  std::optional<MembraneLattice> lattice;  ///< of a membrane

  [[nodiscard]] std::size_t size() const { return spheres.radius.size(); }
};

/// The orientation of the principal axes of clump `i` of a group; none if the case gives no orientation, so that it is
/// random.
[[nodiscard]] std::optional<QuaternionWxyz> given_orientation(const Case& input, const std::vector<ClumpShape>& shapes,
                                                              const PlacedGroup& group, std::size_t i);

/// Reads the file of an entry into its group. Returns what a note should say about the file; mostly nothing. Throws
/// CaseError with an empty path for a problem of the file.
[[nodiscard]] std::string read_file_particles(const Case& input, PlacedGroup& group);

/// References to the shapes of a case.
struct Shapes {
  const std::vector<ClumpShape>& clumps;  ///< also of level-set grains, as one ball around each
  const std::vector<GrainShape>& grains;
};

/// Reports particles with given places that overlap each other, or spheres that are there already (`standing`), by more
/// than is allowed. Grains overlap by the depth of their nodes. A clump or a grain with a random orientation counts as
/// the ball around it, and so do those that are there already.
void find_deep_overlaps(const Case& input, const Shapes& shapes, const packing::Spheres& standing,
                        const std::vector<PlacedGroup>& groups, const std::optional<PeriodicCell>& cell,
                        std::vector<InputProblem>& problems);

/// The particles of all groups in the order of ids. Adds a problem if there are more particles than ids.
[[nodiscard]] ParticleSet joined(const Case& input, const std::vector<ClumpShape>& shapes,
                                 const std::vector<PlacedGroup>& groups, std::vector<InputProblem>& problems);

}  // namespace scree
