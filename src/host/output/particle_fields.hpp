#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/output/hdf5_file.hpp"
#include "scree/cell.hpp"
#include "scree/run_settings.hpp"
#include "scree/scene.hpp"
#include "scree/snapshot.hpp"

/// The fields of particles in frames, by their names: those of frame_field_names(). Each function throws ContractError
/// for another name.
namespace scree {

/// The parts of a snapshot that these fields need.
[[nodiscard]] SnapshotRequest snapshot_request(const std::vector<std::string>& fields);

/// All fields that frames of the runs of a scene can hold.
[[nodiscard]] std::vector<std::string> frame_fields_of(const Scene& scene);

/// [bytes] of a field in a frame, for each particle. A field that is compressed counts as nothing.
[[nodiscard]] std::uint64_t bytes_per_particle(const std::string& field, Precision precision);

/// Adds the values of all particles under /VTKHDF/PointData. Throws ContractError if the snapshot does not hold the
/// field, or if the field is one of a periodic cell and there is none; OutputError.
void add_particle_field(Hdf5File& file, const std::string& field, const Snapshot& particles, Precision precision,
                        const std::optional<CellState>& cell);

}  // namespace scree
