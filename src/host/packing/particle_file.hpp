#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scree/case.hpp"

namespace scree::packing {

/// A column of names.
struct NameColumn {
  std::vector<std::string> names;    ///< each once, in the order of the lines
  std::vector<std::size_t> line;     ///< where each one stands first
  std::vector<std::uint32_t> index;  ///< into names, of each particle
};

/// Particles of a CSV file, in the order of their lines.
struct ParticleTable {
  std::vector<Real3> position;              ///< [m]
  std::vector<double> radius;               ///< [m]
  std::vector<Real3> velocity;              ///< [m/s] empty when the file has no vx, vy, vz
  std::vector<Real3> angular_velocity;      ///< [rad/s] empty when the file has no wx, wy, wz
  std::vector<QuaternionWxyz> orientation;  ///< empty when the file has no qw, qx, qy, qz
  std::vector<double> temperature;          ///< [K] empty when the file has no such column
  std::vector<double> film;                 ///< [-] liquid over the volume of the particle; likewise
  std::vector<std::size_t> line;            ///< where each one stands, from 1
  std::optional<NameColumn> material;       ///< if the file has this column
  std::optional<NameColumn> group;          ///< likewise; an empty name is that of no group
};

/// How lengths of a file become metres. Velocities and all other values stay as they are.
struct FileLengths {
  double scale = 1;   ///< [-] factor for places and radii
  Real3 translate{};  ///< [m] shift of the scaled places
};

/// Reads particles from a CSV file: a header line with x, y, z and radius or diameter and, if wanted, vx, vy, vz, wx,
/// wy, wz, qw, qx, qy, qz, temperature, film, material and group in any order; then one particle per line. Lines that
/// are empty or start with '#' are skipped. Throws CaseError (path: file name) with every faulty line up to a limit.
[[nodiscard]] ParticleTable read_particles(const std::filesystem::path& file, const FileLengths& lengths = {});

/// The same from text; `name` is the path of the error.
[[nodiscard]] ParticleTable parse_particles(const std::string& content, const std::string& name,
                                            const FileLengths& lengths = {});

}  // namespace scree::packing
