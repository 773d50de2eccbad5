#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/checkpoint/checkpoint_file.hpp"
#include "scree/case.hpp"
#include "scree/scene.hpp"

namespace scree {

/// A hash of the data that a run takes from files after its start: tables of motions, shapes, and surfaces of regions
/// of inlets. scene_hash() has the other data. It is a hash of the contents as they are read, so a file may move or be
/// converted to another format. `scene` is that of the case. Throws CaseError for a file that cannot be read.
[[nodiscard]] std::string files_hash(const Case& input, const Scene& scene);

/// Hashes of the modes of each shape of Scene::clump_shapes, to which the amplitudes of grains belong: of the
/// displacements of nodes, separated by commas; "-" for shapes that do not deform. Displacements are rounded to a
/// thousandth first, so that the hash is that of another compiler, too. Empty if nothing deforms, or for thousands of
/// shapes.
[[nodiscard]] std::string modes_hashes(const Scene& scene);

/// A sentence if the particles of the start, the meshes, or the data of files_hash() differ from those of a checkpoint
/// from `file`. A checkpoint of an older version may have no files_hash, and is then assumed to fit.
[[nodiscard]] std::optional<std::string> changed_files(const Checkpoint& checkpoint, const std::string& file,
                                                       const Case& input, const Scene& scene);

/// The paths in the case of the files that files_hash() covers.
[[nodiscard]] std::vector<std::string> hashed_files(const Case& input);

}  // namespace scree
