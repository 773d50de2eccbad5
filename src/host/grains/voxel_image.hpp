#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "host/grains/solid.hpp"

namespace scree::grains {

/// An image of grains: each voxel has the label of its grain, or 0 outside all grains.
struct VoxelImage {
  std::array<std::uint32_t, 3> size{};
  Real3 spacing{1, 1, 1};            ///< [file unit] edges of a voxel
  std::vector<std::uint32_t> label;  ///< [size[0] * size[1] * size[2]] x varies fastest
};
inline constexpr double most_voxels = 2'147'483'648;  ///< 2^31: 8 GiB of labels

/// The layout of the voxels of an image according to its header.
struct VoxelLayout {
  std::array<std::uint32_t, 3> size{};
  Real3 spacing{1, 1, 1};
  std::string type;  ///< "uint16", "int32", ...
  bool big_endian = false;
  bool gzip = false;
  bool mirrored = false;   ///< the axes are left-handed, so the order of voxels along the first axis is reversed
  std::uint64_t skip = 0;  ///< [bytes] of decompressed data before the voxels
};

/// Reads an image of labels: NRRD (.nrrd, or .nhdr with a data file; encodings raw and gzip, integers of 8 to 64 bits
/// in both byte orders), or raw voxels with a header in JSON (.json): { "file", "size": [x, y, z], "type", "spacing",
/// "endian", "encoding", "skip" }. Throws CaseError (path: file name) if the file is none of these, is truncated or too
/// long, or has labels that are negative or above 2^32 - 1.
[[nodiscard]] VoxelImage read_voxel_image(const std::filesystem::path& file);

// Parsers of headers. Each throws CaseError with the path `name`. A data file that a header names is read from
// `folder`, and refused if `folder` is empty.

[[nodiscard]] VoxelImage parse_nrrd(const std::string& content, const std::filesystem::path& folder,
                                    const std::string& name);
[[nodiscard]] VoxelImage parse_raw_header(const std::string& content, const std::filesystem::path& folder,
                                          const std::string& name);

/// Decodes voxels. Throws CaseError (path: `name`) if the bytes do not fit the layout or a label is out of range.
[[nodiscard]] VoxelImage decode_voxels(const VoxelLayout& layout, std::string_view bytes, const std::string& name);

/// All bytes of an input file. Throws CaseError (path: the file) if it cannot be read.
[[nodiscard]] std::string read_image_bytes(const std::filesystem::path& file);

/// The number and the bounds of the voxels of one label.
struct LabelExtent {
  std::uint64_t count = 0;
  std::array<std::uint32_t, 3> low{}, high{};  ///< first and last voxel along each axis
};
/// The extents of all labels except 0, in ascending order of the labels.
[[nodiscard]] std::map<std::uint32_t, LabelExtent> labels_of(const VoxelImage& image);

/// The grain of one label. Its distances from the voxels are smoothed without shrinking the grain (smoothed() in
/// voxel_field.hpp); volume and inertia are extrapolated from a grid. Lengths of the image are multiplied by `scale`;
/// the centre of the first voxel is the origin. Only the largest piece of the label is used. Adds lines to `warnings`
/// about other pieces, grains that touch a face of the image, and volumes or necks that smoothing has changed. Throws
/// CaseError (path: `name`) if the label has too few voxels or its voxels are too flat.
[[nodiscard]] SolidPointer make_voxel_solid(const VoxelImage& image, const LabelExtent& extent, std::uint32_t label,
                                            double scale, const std::string& name, std::vector<std::string>& warnings);
inline constexpr std::uint64_t fewest_voxels = 30;

}  // namespace scree::grains
