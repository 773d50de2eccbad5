#include "host/checkpoint/checkpoint_file.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>

#include "host/checkpoint/checksum.hpp"
#include "host/checkpoint/hdf5_reader.hpp"
#include "host/input_file.hpp"
#include "host/text.hpp"
#include "host/writers/hdf5_file.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

constexpr unsigned format_version = 1;

/// The line behind the HDF5 image. Its length never changes.
std::string ending_line(unsigned version, std::uint64_t bytes, const std::string& checksum) {
  char line[100];
  std::snprintf(line, sizeof line, "\nscree checkpoint format %04u, %016llu bytes, checksum %s\n", version,
                static_cast<unsigned long long>(bytes), checksum.c_str());
  return line;
}

struct Ending {
  bool present = false;
  unsigned version = 0;
  std::uint64_t bytes = 0;  ///< of the image
  std::string line;
};

Ending read_ending(std::ifstream& in) {
  const std::size_t length = ending_line(0, 0, std::string(16, '0')).size();
  Ending ending;
  ending.line.resize(length);
  in.seekg(0, std::ios::end);
  const auto size = in.tellg();
  if (size < static_cast<std::streamoff>(length)) { return ending; }
  in.seekg(size - static_cast<std::streamoff>(length));
  in.read(ending.line.data(), static_cast<std::streamsize>(length));
  unsigned long long bytes = 0;
  ending.present = in && std::sscanf(ending.line.c_str(), "\nscree checkpoint format %4u, %16llu bytes, checksum ",
                                     &ending.version, &bytes) == 2 &&
                   ending.line.starts_with("\nscree checkpoint format ");
  ending.bytes = bytes;
  ending.present = ending.present && ending.bytes + length == static_cast<std::uint64_t>(size);
  return ending;
}

/// Throws StateError unless the file is a checkpoint with the checksum that it says.
void verify(const std::filesystem::path& file) {
  if (const auto problem = input_file_problem(file, "a checkpoint")) { throw StateError(file.string() + ": " + *problem); }
  std::ifstream in(file, std::ios::binary);
  if (!in) { throw StateError(file.string() + ": cannot be opened"); }
  const Ending ending = read_ending(in);
  if (!ending.present) { throw StateError(file.string() + ": is not a checkpoint of scree, or not all of it is there"); }
  if (ending.version != format_version) {
    throw FormatError(file.string() + ": is a checkpoint of format " + std::to_string(ending.version) +
                     ", this version of scree reads format " + std::to_string(format_version));
  }
  in.clear();
  in.seekg(0);
  Checksum sum;
  std::vector<char> piece(std::size_t{1} << 20U);
  for (std::uint64_t left = ending.bytes; left > 0;) {
    const auto size = std::min<std::uint64_t>(left, piece.size());
    if (!in.read(piece.data(), static_cast<std::streamsize>(size))) { break; }
    sum.add(piece.data(), size);
    left -= size;
  }
  if (ending_line(ending.version, ending.bytes, sum.text()) != ending.line) {
    throw StateError(file.string() + ": is damaged: its checksum is not the one that was written");
  }
}

ElementType element_type(ValueType type) {
  switch (type) {
    case ValueType::float32: return ElementType::float32;
    case ValueType::float64: return ElementType::float64;
    case ValueType::uint8: return ElementType::uint8;
    case ValueType::uint32: return ElementType::uint32;
    case ValueType::uint64: return ElementType::uint64;
  }
  throw ContractError("element_type: unknown type");
}

}  // namespace

std::string Checksum::text() const {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(value()));
  return digits;
}

std::string scene_hash(const Scene& scene) {
  Checksum sum;
  const ParticleSet& start = scene.particles;
  sum.add(start.position);
  sum.add(start.velocity);
  sum.add(start.angular_velocity);
  sum.add(start.radius);
  sum.add(start.material);
  for (const SceneBoundary& boundary : scene.boundaries) {
    sum.add(boundary.mesh.vertices);
    sum.add(boundary.mesh.triangles);
  }
  return sum.text();
}

void write_checkpoint(const std::filesystem::path& file, const Checkpoint& checkpoint) {
  Hdf5File hdf(file);
  hdf.add_attribute("/", "format", "scree checkpoint");
  hdf.add_attribute("/", "format_version", std::to_string(format_version));
  hdf.add_attribute("/", "scree_version", checkpoint.version);
  hdf.add_attribute("/", "precision", checkpoint.precision);
  hdf.add_attribute("/", "step", std::to_string(checkpoint.step));
  hdf.add_attribute("/", "time [s]", number_text(checkpoint.time));
  hdf.add_attribute("/", "particles", std::to_string(checkpoint.particles));
  hdf.add_attribute("/", "state_hash", checkpoint.state_hash);
  hdf.add_attribute("/", "scene_hash", checkpoint.scene_hash);
  Checksum case_sum;
  case_sum.add(checkpoint.case_text);
  hdf.add_attribute("/", "case_hash", case_sum.text());
  hdf.add_dataset("/case.json", checkpoint.case_text.data(), checkpoint.case_text.size(), 1, ElementType::uint8);
  hdf.add_group("/state");
  std::vector<std::string> groups;
  for (const StateArray& array : checkpoint.state.arrays) {
    const std::string group = array.name.substr(0, array.name.find('/'));
    if (group != array.name && std::find(groups.begin(), groups.end(), group) == groups.end()) {
      hdf.add_group("/state/" + group);
      groups.push_back(group);
    }
    const std::string path = "/state/" + array.name;
    hdf.add_dataset(path, array.bytes.data(), array.rows() * array.columns, array.columns, element_type(array.type));
    hdf.add_attribute(path, "unit", array.unit);
  }
  hdf.save([](std::string_view image) {
    Checksum sum;
    sum.add(image.data(), image.size());
    return ending_line(format_version, image.size(), sum.text());
  });
}

Checkpoint read_checkpoint(const std::filesystem::path& file) {
  verify(file);
  const Hdf5Reader hdf(file);
  Checkpoint result;
  result.step = std::stoull(hdf.text_attribute("/", "step"));
  result.time = std::stod(hdf.text_attribute("/", "time [s]"));
  result.particles = std::stoull(hdf.text_attribute("/", "particles"));
  result.version = hdf.text_attribute("/", "scree_version");
  result.precision = hdf.text_attribute("/", "precision");
  result.state_hash = hdf.text_attribute("/", "state_hash");
  result.scene_hash = hdf.text_attribute("/", "scene_hash");
  const StateArray text = hdf.read("/case.json");
  result.case_text.assign(reinterpret_cast<const char*>(text.bytes.data()), text.bytes.size());
  const std::string group = "/state/";
  for (const auto& path : hdf.datasets("/state")) {
    StateArray array = hdf.read(path);
    array.name = path.substr(group.size());
    result.state.arrays.push_back(std::move(array));
  }
  return result;
}

bool is_checkpoint(const std::filesystem::path& file) {
  if (input_file_problem(file, "a checkpoint")) { return false; }
  std::ifstream in(file, std::ios::binary);
  return in && read_ending(in).present;
}

std::string checkpoint_name(std::uint64_t step) {
  char name[40];
  std::snprintf(name, sizeof name, "step_%09llu.h5", static_cast<unsigned long long>(step));
  return name;
}

std::vector<std::pair<std::uint64_t, std::filesystem::path>> checkpoints_in(const std::filesystem::path& folder) {
  std::vector<std::pair<std::uint64_t, std::filesystem::path>> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    std::uint64_t step = 0;
    if (!name.starts_with("step_") || !name.ends_with(".h5")) { continue; }
    std::from_chars(name.data() + 5, name.data() + name.size(), step);
    if (checkpoint_name(step) == name) { found.emplace_back(step, entry.path()); }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::filesystem::path newest_checkpoint(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) { throw StateError("there is no file or folder \"" + path.string() + "\""); }
  if (!std::filesystem::is_directory(path, ignored)) { return path; }
  for (const auto& folder : {path, path / "checkpoints"}) {
    const auto present = checkpoints_in(folder);
    if (!present.empty()) { return present.back().second; }
  }
  throw StateError("there is no checkpoint in the folder \"" + path.string() + "\"");
}

}  // namespace scree
