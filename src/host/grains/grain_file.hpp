#pragma once

#include <filesystem>

#include "host/grains/make_grain.hpp"

namespace scree::grains {

/// Writes a template as an HDF5 file, whole or not at all. Equal templates give equal bytes. Throws OutputError if the
/// file cannot be written.
void write_grain(const GrainTemplate& grain, const std::filesystem::path& file);

/// Reads a file of write_grain() to the same bits. Throws StateError with the name of the file if it is not a template,
/// is damaged, or has numbers that break a rule of GrainShape.
[[nodiscard]] GrainTemplate read_grain(const std::filesystem::path& file);

/// Whether the header of a file is the header of a template. False if the file cannot be read.
[[nodiscard]] bool is_grain(const std::filesystem::path& file);

}  // namespace scree::grains
