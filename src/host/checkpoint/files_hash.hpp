#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/checkpoint/checkpoint_file.hpp"
#include "scree/case.hpp"
#include "scree/scene.hpp"

namespace scree {

/// A hash of the data from files that scene_hash() does not cover: tables of motions, shapes, surfaces of regions, and
/// the grid of a fluid. It covers the contents after reading, so a file may move or be converted to another format.
/// `scene` must belong to the case. Throws CaseError if a file cannot be read.
[[nodiscard]] std::string files_hash(const Case& input, const Scene& scene);

/// Hashes of the modes of the shapes in Scene::clump_shapes, separated by commas; "-" for a shape that does not deform.
/// A hash covers the displacements of the nodes, rounded to a thousandth so that it does not depend on the compiler.
/// Empty if no grain deforms, or if the text would be too long because there are thousands of shapes.
[[nodiscard]] std::string modes_hashes(const Scene& scene);

/// A sentence if the particles of the start, the meshes, or the data of files_hash() differ from those of a checkpoint
/// from `file`; otherwise nothing. A checkpoint of an older version without a files_hash is assumed to fit.
[[nodiscard]] std::optional<std::string> changed_files(const Checkpoint& checkpoint, const std::string& file,
                                                       const Case& input, const Scene& scene);

/// The paths in the case of the files that files_hash() covers.
[[nodiscard]] std::vector<std::string> hashed_files(const Case& input);

}  // namespace scree
