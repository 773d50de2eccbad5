#pragma once

#include <filesystem>

#include "host/grains/make_grain.hpp"

namespace scree::grains {

/// Writes a template as an HDF5 file, whole or not at all. Equal templates give equal bytes. Throws OutputError.
void write_grain(const GrainTemplate& grain, const std::filesystem::path& file);

/// Reads what write_grain() has written, to the same bits. Throws StateError (with the file) for a file that is none,
/// damaged, or whose numbers break a rule of GrainShape.
[[nodiscard]] GrainTemplate read_grain(const std::filesystem::path& file);

/// Whether a file says that it is a template. False for what cannot be read.
[[nodiscard]] bool is_grain(const std::filesystem::path& file);

}  // namespace scree::grains
