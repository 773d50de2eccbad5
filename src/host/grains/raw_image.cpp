#include <algorithm>

#include "host/case/io/json.hpp"
#include "host/grains/voxel_image.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::grains {
namespace {

/// Reads the values of the header by their keys. Each error names the key.
class RawHeader {
 public:
  RawHeader(const Json& json, const std::string& name) : json_(json), name_(name) {
    if (!json.is_object()) fail("must be an object with the keys " + quoted_list(keys));
    for (const auto& [key, value] : json.items()) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
        fail("there is no key \"" + key + "\"; " + suggestion(key, keys));
      }
    }
  }

  [[nodiscard]] std::string text(const std::string& key, const std::string& otherwise) const {
    if (!json_.contains(key)) {
      if (otherwise.empty()) fail(key + ": is missing");
      return otherwise;
    }
    if (!json_[key].is_string() || json_[key].get<std::string>().empty()) fail(key + ": must be a text");
    return json_[key].get<std::string>();
  }

  [[nodiscard]] std::string one_of(const std::string& key, const std::string& first, const std::string& second) const {
    const std::string value = text(key, first);
    if (value != first && value != second) fail(key + ": must be " + first + " or " + second + ", got " + value);
    return value;
  }

  [[nodiscard]] std::array<std::uint32_t, 3> size() const {
    std::array<std::uint32_t, 3> size{};
    if (!json_.contains("size")) fail("size: is missing");
    const Json& list = json_["size"];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!list.is_array() || list.size() != 3 || !list[axis].is_number_unsigned() ||
          list[axis].get<std::uint64_t>() > 0xffffffffU) {
        fail("size: must be three whole numbers, the voxels along x, y and z");
      }
      size[axis] = list[axis].get<std::uint32_t>();
    }
    return size;
  }

  [[nodiscard]] Real3 spacing() const {
    if (!json_.contains("spacing")) return {1, 1, 1};
    const Json& value = json_["spacing"];
    if (value.is_number()) return {value.get<double>(), value.get<double>(), value.get<double>()};
    Real3 spacing{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!value.is_array() || value.size() != 3 || !value[axis].is_number()) {
        fail("spacing: must be one number or a list of three numbers");
      }
      spacing[axis] = value[axis].get<double>();
    }
    return spacing;
  }

  [[nodiscard]] std::uint64_t skip() const {
    if (!json_.contains("skip")) return 0;
    if (!json_["skip"].is_number_unsigned()) fail("skip: must be a number of bytes");
    return json_["skip"].get<std::uint64_t>();
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw CaseError(name_, message); }

  static inline const std::vector<std::string> keys = {"file", "size", "type", "spacing", "endian", "encoding", "skip"};
  const Json& json_;
  const std::string& name_;
};

}  // namespace

VoxelImage parse_raw_header(const std::string& content, const std::filesystem::path& folder, const std::string& name) {
  constexpr std::size_t longest = 65'536;
  if (content.size() > longest) throw CaseError(name, "is too long for the header of an image");
  Json json;
  std::vector<InputProblem> problems;
  if (!try_parse_json(content, json, problems))
    throw CaseError(name, "is not JSON: the header of raw voxels is needed");
  if (!problems.empty()) throw CaseError(name, problems.front().text());
  const RawHeader header(json, name);
  VoxelLayout layout;
  layout.size = header.size();
  layout.spacing = header.spacing();
  layout.type = header.text("type", "");
  layout.big_endian = header.one_of("endian", "little", "big") == "big";
  layout.gzip = header.one_of("encoding", "raw", "gzip") == "gzip";
  layout.skip = header.skip();
  const std::string file = header.text("file", "");
  if (folder.empty()) throw CaseError(name, "file: no other file is read here");
  return decode_voxels(layout, read_image_bytes(folder / file), (folder / file).string());
}

}  // namespace scree::grains
