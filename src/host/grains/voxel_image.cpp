#include "host/grains/voxel_image.hpp"

#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "host/text/input_file.hpp"
#include "host/text/text.hpp"
#include "host/text/text_lines.hpp"
#include "scree/errors.hpp"

namespace scree::grains {
namespace {

constexpr double most_deflated = 1100;  ///< largest number of bytes that deflate makes of a compressed byte

struct VoxelType {
  std::size_t bytes;
  bool has_sign;
};

VoxelType type_of(const std::string& type, const std::string& name) {
  static const std::map<std::string, VoxelType> known = {
      {"int8", {1, true}},  {"uint8", {1, false}},  {"int16", {2, true}}, {"uint16", {2, false}},
      {"int32", {4, true}}, {"uint32", {4, false}}, {"int64", {8, true}}, {"uint64", {8, false}}};
  const auto found = known.find(type);
  if (found == known.end()) {
    throw CaseError(name, "labels are whole numbers of 8 to 64 bits (int8, uint8, ... uint64), got \"" + type + "\"");
  }
  return found->second;
}

/// Whether the stream has more output than expected, which shows a wrong type or size in the header.
bool has_more(z_stream& stream, std::string_view rest) {
  constexpr std::size_t block = std::size_t{1} << 30U;
  Bytef next = 0;
  int state = Z_OK;
  stream.next_out = &next;
  stream.avail_out = 1;
  while (state == Z_OK && stream.avail_out > 0) {
    const std::size_t in = std::min(block, rest.size());
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest.data()));
    stream.avail_in = static_cast<uInt>(in);
    state = inflate(&stream, Z_NO_FLUSH);
    rest.remove_prefix(in - stream.avail_in);
  }
  return stream.avail_out == 0;
}

std::string inflated(std::string_view packed, std::size_t bytes, const std::string& name) {
  if (static_cast<double>(bytes) > most_deflated * static_cast<double>(packed.size()) + 1000) {
    throw CaseError(name, "is truncated: " + std::to_string(packed.size()) + " compressed bytes cannot hold " +
                              std::to_string(bytes));
  }
  std::string out(bytes, '\0');
  z_stream stream{};
  constexpr int gzip_or_zlib = 15 + 32;
  if (inflateInit2(&stream, gzip_or_zlib) != Z_OK) throw CaseError(name, "cannot be decompressed");
  constexpr std::size_t block = std::size_t{1} << 30U;
  std::size_t read = 0, written = 0;
  int state = Z_OK;
  while (state == Z_OK && written < bytes) {
    const std::size_t in = std::min(block, packed.size() - read), room = std::min(block, bytes - written);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + read));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + written);
    stream.avail_out = static_cast<uInt>(room);
    state = inflate(&stream, Z_NO_FLUSH);
    read += in - stream.avail_in;
    written += room - stream.avail_out;
    if (state == Z_BUF_ERROR) break;
  }
  const bool is_longer = written == bytes && state == Z_OK && has_more(stream, packed.substr(read));
  inflateEnd(&stream);
  if (is_longer) {
    throw CaseError(name, "has bytes left over: its header says " + std::to_string(bytes) +
                              " bytes, but the decompressed data are longer; are type and sizes right?");
  }
  if (written < bytes) {
    throw CaseError(name, state == Z_DATA_ERROR ? "is damaged: its compressed data cannot be read"
                                                : "is truncated: " + std::to_string(written) + " of " +
                                                      std::to_string(bytes) + " bytes are there");
  }
  return out;
}

}  // namespace

std::string read_image_bytes(const std::filesystem::path& file) {
  if (const auto problem = input_file_problem(file, "an image file", true)) throw CaseError(file.string(), *problem);
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (error) throw CaseError(file.string(), "cannot be read");
  std::string content(static_cast<std::size_t>(size), '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (in.gcount() != static_cast<std::streamsize>(content.size())) throw CaseError(file.string(), "cannot be read");
  return content;
}

VoxelImage decode_voxels(const VoxelLayout& layout, std::string_view bytes, const std::string& name) {
  const VoxelType type = type_of(layout.type, name);
  const double voxels = static_cast<double>(layout.size[0]) * layout.size[1] * layout.size[2];
  if (!(voxels >= 1 && voxels <= most_voxels)) {
    throw CaseError(name, "an image has from 1 to " + short_number_text(most_voxels) + " voxels, this one " +
                              short_number_text(voxels));
  }
  for (const double edge : layout.spacing) {
    if (!(edge > 0 && edge <= 1e30)) throw CaseError(name, "spacing: must be > 0, got " + number_text(edge));
  }
  if (layout.skip > std::numeric_limits<std::uint64_t>::max() / 2) throw CaseError(name, "skip: is too large");
  const auto count = static_cast<std::size_t>(voxels);
  const std::uint64_t needed = layout.skip + count * type.bytes;
  std::string unpacked;
  if (layout.gzip) {
    unpacked = inflated(bytes, needed, name);
    bytes = unpacked;
  } else if (bytes.size() != needed) {
    throw CaseError(name, std::string(bytes.size() < needed ? "is truncated" : "has bytes left over") + ": " +
                              std::to_string(count) + " voxels of type " + layout.type + " need " +
                              std::to_string(needed) + " bytes, there are " + std::to_string(bytes.size()));
  }
  VoxelImage image{layout.size, layout.spacing, {}};
  image.label.resize(count);
  const char* at = bytes.data() + layout.skip;
  for (std::size_t n = 0; n < count; ++n, at += type.bytes) {
    std::uint64_t value = 0;
    for (std::size_t k = 0; k < type.bytes; ++k) {
      value = (value << 8U) | static_cast<unsigned char>(at[layout.big_endian ? k : type.bytes - 1 - k]);
    }
    const bool is_negative = type.has_sign && (value >> (8 * type.bytes - 1)) != 0;
    if (is_negative || value > std::numeric_limits<std::uint32_t>::max()) {
      throw CaseError(name, "voxel " + std::to_string(n) + ": a label must be from 0 to 4294967295");
    }
    image.label[n] = static_cast<std::uint32_t>(value);
  }
  if (layout.mirrored) {
    const auto row = static_cast<std::ptrdiff_t>(layout.size[0]);
    for (auto row_begin = image.label.begin(); row_begin != image.label.end(); row_begin += row) {
      std::reverse(row_begin, row_begin + row);
    }
  }
  return image;
}

VoxelImage read_voxel_image(const std::filesystem::path& file) {
  const std::string kind = geometry::lower_case(file.extension().string()), name = file.string();
  const std::filesystem::path folder = file.parent_path().empty() ? "." : file.parent_path();
  if (kind == ".nrrd" || kind == ".nhdr") return parse_nrrd(read_image_bytes(file), folder, name);
  if (kind == ".json") return parse_raw_header(read_image_bytes(file), folder, name);
  throw CaseError(name, "an image of grains ends in .nrrd, .nhdr or .json");
}

std::map<std::uint32_t, LabelExtent> labels_of(const VoxelImage& image) {
  std::map<std::uint32_t, LabelExtent> all;
  std::size_t at = 0;
  std::uint32_t last = 0;
  LabelExtent* found = nullptr;  // neighbours mostly have the same label
  for (std::uint32_t k = 0; k < image.size[2]; ++k) {
    for (std::uint32_t j = 0; j < image.size[1]; ++j) {
      for (std::uint32_t i = 0; i < image.size[0]; ++i, ++at) {
        const std::uint32_t label = image.label[at];
        if (label == 0) continue;
        const std::array<std::uint32_t, 3> place = {i, j, k};
        if (found == nullptr || label != last) {
          last = label;
          found = &all.try_emplace(label, LabelExtent{0, place, place}).first->second;
        }
        ++found->count;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          found->low[axis] = std::min(found->low[axis], place[axis]);
          found->high[axis] = std::max(found->high[axis], place[axis]);
        }
      }
    }
  }
  return all;
}

}  // namespace scree::grains
