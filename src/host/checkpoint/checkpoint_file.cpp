#include "host/checkpoint/checkpoint_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <utility>

#include "host/checkpoint/sealed_file.hpp"
#include "host/storage/atomic_file.hpp"
#include "host/storage/checksum.hpp"
#include "host/storage/hdf5_layout.hpp"
#include "host/text/input_file.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

constexpr std::uint64_t most_steps = std::uint64_t{1} << 53U;
constexpr std::string_view state_group = "state/", case_path = "case.json";

std::vector<std::pair<std::string, std::string>> attributes_of(const Checkpoint& checkpoint) {
  Checksum case_sum;
  case_sum.add(checkpoint.case_text);
  std::vector<std::pair<std::string, std::string>> attributes = {{"format", "scree checkpoint"},
                                                                 {"format_version", std::to_string(checkpoint_format)},
                                                                 {"scree_version", checkpoint.version},
                                                                 {"precision", checkpoint.precision},
                                                                 {"step", std::to_string(checkpoint.step)},
                                                                 {"time [s]", number_text(checkpoint.time)},
                                                                 {"particles", std::to_string(checkpoint.particles)},
                                                                 {"state_hash", checkpoint.state_hash},
                                                                 {"scene_hash", checkpoint.scene_hash},
                                                                 {"files_hash", checkpoint.files_hash},
                                                                 {"case_hash", case_sum.text()}};
  if (!checkpoint.modes_hashes.empty()) { attributes.emplace_back("modes_hashes", checkpoint.modes_hashes); }
  return attributes;
}

Hdf5Plan plan_of(const Checkpoint& checkpoint) {
  Hdf5Plan plan{attributes_of(checkpoint), {}};
  plan.arrays.push_back({std::string(case_path), "", ValueType::uint8, checkpoint.case_text.size(), 1});
  for (const StateArray& array : checkpoint.state.arrays) {
    plan.arrays.push_back({std::string(state_group) + array.name, array.unit, array.type, array.rows(), array.columns});
  }
  return plan;
}

/// Reads the numbers and texts of the head of a file. A correct checksum does not mean that they are possible: a forged
/// file can have one, too.
Checkpoint read_head(const Hdf5Plan& plan) {
  const auto find = [&](const char* name) {
    return std::find_if(plan.attributes.begin(), plan.attributes.end(), [&](const auto& a) { return a.first == name; });
  };
  const auto text_of = [&](const char* name) -> const std::string& {
    const auto found = find(name);
    if (found == plan.attributes.end()) { throw StateError(std::string("has no attribute \"") + name + "\""); }
    return found->second;
  };
  const auto number_of = [&](const char* name, auto& value) {
    const std::string& text = text_of(name);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      throw StateError(std::string("its ") + name + " is not a number");
    }
  };
  Checkpoint result;
  number_of("step", result.step);
  number_of("time [s]", result.time);
  number_of("particles", result.particles);
  if (result.step >= most_steps || !std::isfinite(result.time) || result.time < 0) {
    throw StateError("its step or time is impossible");
  }
  result.version = text_of("scree_version");
  result.precision = text_of("precision");
  result.state_hash = text_of("state_hash");
  result.scene_hash = text_of("scene_hash");
  if (find("files_hash") != plan.attributes.end()) { result.files_hash = text_of("files_hash"); }
  if (find("modes_hashes") != plan.attributes.end()) { result.modes_hashes = text_of("modes_hashes"); }
  for (const std::string* text :
       {&result.version, &result.precision, &result.state_hash, &result.scene_hash, &result.files_hash}) {
    const bool plain = std::all_of(text->begin(), text->end(), [](char c) { return c > ' ' && c < 127; });
    if (!plain || text->size() > 100) { throw StateError("its attributes are not those of a checkpoint"); }
  }
  return result;
}

/// Reads the plan of the HDF5 image. The file does not store the length of its head, so the number of bytes that are
/// read is doubled until the plan is complete.
Hdf5Plan read_plan_of(std::ifstream& in, std::uint64_t bytes) {
  constexpr std::uint64_t first = std::uint64_t{1} << 22U;  // headers usually take some kilobytes
  std::string begin;
  for (std::uint64_t size = std::min(bytes, first);; size = std::min(bytes, 2 * size)) {
    const std::size_t known = begin.size();
    begin.resize(size);
    if (!in.read(begin.data() + known, static_cast<std::streamsize>(size - known))) {
      throw StateError("cannot be read");
    }
    try {
      return read_plan(begin, bytes);
    } catch (const StateError&) {
      if (size == bytes) { throw; }
    }
  }
}

}  // namespace

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

void write_checkpoint(const std::filesystem::path& file, Checkpoint checkpoint) {
  auto& arrays = checkpoint.state.arrays;
  std::sort(arrays.begin(), arrays.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  const Hdf5Layout layout = lay_out(plan_of(checkpoint));
  try {  // a run whose checkpoint cannot be read would be lost
    static_cast<void>(read_plan(layout.head, layout.bytes));
  } catch (const StateError&) {
    throw OutputError(file.string() + ": is not written, because it could not be read again");
  }
  write_atomically(file, [&](const std::filesystem::path& temporary) {
    SealedFile out(temporary, file);
    out.add(layout.head.data(), layout.head.size());
    out.fill_up_to(layout.offset[0]);
    out.add(checkpoint.case_text.data(), checkpoint.case_text.size());
    for (std::size_t k = 0; k < arrays.size(); ++k) {
      SCREE_EXPECT(arrays[k].bytes.size() == arrays[k].rows() * arrays[k].row_bytes(), "arrays have whole rows");
      out.fill_up_to(layout.offset[k + 1]);
      out.add(arrays[k].bytes.data(), arrays[k].bytes.size());
      arrays[k].bytes = {};  // frees its memory for the run
    }
    out.fill_up_to(layout.bytes);
    out.finish();
  });
}

Checkpoint read_checkpoint(const std::filesystem::path& file) {
  if (const auto problem = input_file_problem(file, "a checkpoint")) {
    throw StateError(file.string() + ": " + *problem);
  }
  std::ifstream in(file, std::ios::binary);
  const std::uint64_t bytes = verify_seal(in, file);
  try {
    const Hdf5Plan plan = read_plan_of(in, bytes);
    Checkpoint result = read_head(plan);
    const Hdf5Layout layout = lay_out(plan);
    const auto read = [&](std::size_t k, void* target) {
      in.seekg(static_cast<std::streamoff>(layout.offset[k]));
      if (!in.read(static_cast<char*>(target), static_cast<std::streamsize>(plan.arrays[k].bytes()))) {
        throw StateError("cannot be read");
      }
    };
    for (std::size_t k = 0; k < plan.arrays.size(); ++k) {
      const Hdf5Plan::Array& of = plan.arrays[k];
      if (of.path == case_path && of.type == ValueType::uint8 && of.columns == 1) {
        result.case_text.resize(of.rows);
        read(k, result.case_text.data());
      } else if (of.path.starts_with(state_group)) {
        StateArray array{of.path.substr(state_group.size()), of.unit, of.type, of.columns,
                         std::vector<std::byte>(of.bytes())};
        read(k, array.bytes.data());
        result.state.arrays.push_back(std::move(array));
      } else {
        throw StateError("has an array \"" + of.path + "\", which does not belong to a checkpoint");
      }
    }
    return result;
  } catch (const StateError& error) { throw StateError(file.string() + ": " + error.what()); }
}

bool is_checkpoint(const std::filesystem::path& file) {
  if (input_file_problem(file, "a checkpoint")) { return false; }
  std::ifstream in(file, std::ios::binary);
  return in && has_seal(in);
}

}  // namespace scree
