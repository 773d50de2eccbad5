#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/packing/particle_columns.hpp"
#include "scree/case.hpp"

namespace scree::packing {

/// A column of names in a particle file.
struct NameColumn {
  std::vector<std::string> names;    ///< each once, in the order of the lines
  std::vector<std::size_t> line;     ///< [n_names] line on which each name occurs first
  std::vector<std::uint32_t> index;  ///< [n_particles] index into `names`
};

/// Particles of a file, in the order of their lines.
struct ParticleTable {
  std::vector<Real3> position;              ///< [m]
  std::vector<double> radius;               ///< [m]
  std::vector<Real3> velocity;              ///< [m/s] empty when the file has no vx, vy, vz
  std::vector<Real3> angular_velocity;      ///< [rad/s] empty when the file has no wx, wy, wz
  std::vector<QuaternionWxyz> orientation;  ///< empty when the file has no qw, qx, qy, qz
  std::vector<double> temperature;          ///< [K] empty when the file has no such column
  std::vector<double> film;                 ///< [-] liquid over the volume of the particle; empty without this column
  std::vector<std::size_t> line;            ///< line of each particle, from 1
  std::optional<NameColumn> material;       ///< set if the file has this column
  std::optional<NameColumn> group;          ///< set if the file has this column; an empty name means no group
  /// In a table of a frame, materials may be numbers from 0 and groups from 1, in the order of the case; group 0 means
  /// no group. In a dump, materials are numbers from 1.
  ParticleSource source = ParticleSource::table;
  std::vector<std::string> passed_over;  ///< columns that say nothing about the start of a particle
  std::string remark;                    ///< what else the reader should know about the file; may be empty
};

/// Converts the lengths of a file to metres. Velocities and all other values are not converted.
struct FileLengths {
  double scale = 1;   ///< [-] factor for places and radii
  Real3 translate{};  ///< [m] shift of the scaled places
};

/// Reads particles from a CSV file, or from the last snapshot of a dump of LAMMPS (see dump_file.hpp). The header line
/// has x, y, z, radius or diameter and optionally vx, vy, vz, wx, wy, wz, qw, qx, qy, qz, temperature, film, material
/// and group, in any order; then one particle per line follows. It may also have the columns of a table of a frame
/// (Frame.to_dataframe() of the Python package); see ParticleColumns. A file without a header has the columns x, y, z
/// and radius. Lines that are empty or start with '#' are skipped. Throws CaseError (path: file name) with the first
/// ten faulty lines.
[[nodiscard]] ParticleTable read_particles(const std::filesystem::path& file, const FileLengths& lengths = {});

/// Parses the text of a particle file as read_particles() does; `name` is the path of the error.
[[nodiscard]] ParticleTable parse_particles(const std::string& content, const std::string& name,
                                            const FileLengths& lengths = {});

}  // namespace scree::packing
