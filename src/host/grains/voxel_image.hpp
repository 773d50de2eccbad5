#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "host/grains/solid.hpp"

namespace scree::grains {

/// An image of grains: each voxel has the number of its grain, or 0 where there is none.
struct VoxelImage {
  std::array<std::uint32_t, 3> size{};
  Real3 spacing{1, 1, 1};            ///< [file unit] edges of a voxel
  std::vector<std::uint32_t> label;  ///< [size[0] * size[1] * size[2]] x fastest
};
inline constexpr double most_voxels = 2'147'483'648;  ///< 2^31: 8 GiB of labels

/// What the header of an image says about its voxels.
struct VoxelLayout {
  std::array<std::uint32_t, 3> size{};
  Real3 spacing{1, 1, 1};
  std::string type;  ///< "uint16", "int32", ...
  bool big_endian = false;
  bool gzip = false;
  bool mirrored = false;   ///< the axes are left-handed: the voxels are put in the opposite order along the first axis
  std::uint64_t skip = 0;  ///< [bytes] before the voxels, once they are decompressed
};

/// Reads an image of labels: NRRD (.nrrd, or .nhdr beside its data; encodings raw and gzip, integers of 8 to 64 bits in
/// both byte orders), or raw voxels with a header in JSON (.json) beside them: { "file", "size": [x, y, z], "type",
/// "spacing", "endian", "encoding", "skip" }. Throws CaseError (path: file name) for a file that is none of these, is
/// truncated or too long, and for labels that are negative, fractions or above 2^32 - 1.
[[nodiscard]] VoxelImage read_voxel_image(const std::filesystem::path& file);

/// Parsers; `name` is the path of their CaseError. A data file that a header names is read from `folder`, and refused
/// where that is empty.
[[nodiscard]] VoxelImage parse_nrrd(const std::string& content, const std::filesystem::path& folder,
                                    const std::string& name);
[[nodiscard]] VoxelImage parse_raw_header(const std::string& content, const std::filesystem::path& folder,
                                          const std::string& name);

/// The voxels from bytes as the layout says. Throws CaseError (path: `name`).
[[nodiscard]] VoxelImage decode_voxels(const VoxelLayout& layout, std::string_view bytes, const std::string& name);

/// All bytes of an input file. Throws CaseError (path: the file).
[[nodiscard]] std::string read_image_bytes(const std::filesystem::path& file);

/// Voxels of one label.
struct LabelExtent {
  std::uint64_t count = 0;
  std::array<std::uint32_t, 3> low{}, high{};  ///< first and last voxel along each axis
};
/// All labels but 0, in ascending order.
[[nodiscard]] std::map<std::uint32_t, LabelExtent> labels_of(const VoxelImage& image);

/// The grain of one label: distances from its voxels, smoothed without shrinking it (smoothed() in voxel_field.hpp);
/// volume and inertia are extrapolated from a grid. Lengths are those of the image times `scale`; the centre of the
/// first voxel is the origin. Only the largest piece of the label is taken. Adds lines to `warnings` about other
/// pieces, a cut at the faces of the image, a volume that smoothing has changed, and necks that it has cut. Throws
/// CaseError (path: `name`) for a label that has too few voxels.
[[nodiscard]] SolidPointer make_voxel_solid(const VoxelImage& image, const LabelExtent& extent, std::uint32_t label,
                                            double scale, const std::string& name, std::vector<std::string>& warnings);
inline constexpr std::uint64_t fewest_voxels = 30;

}  // namespace scree::grains
