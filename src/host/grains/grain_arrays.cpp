#include "host/grains/grain_arrays.hpp"

#include <fstream>

#include "host/text/input_file.hpp"

namespace scree::grains {
namespace {

constexpr std::size_t longest_text = 8000;  ///< [bytes] of an attribute; a header has at most 64 KiB

}  // namespace

void GrainWriter::text(const std::string& name, const std::string& value) {
  plan_.attributes.emplace_back(name, value.substr(0, longest_text));
}

void GrainWriter::array(const std::string& path, const void* values, std::size_t rows, std::size_t columns,
                        ValueType type, const std::string& unit) {
  const Hdf5Plan::Array array{path, unit, type, rows, columns};
  std::string bytes(array.bytes(), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), values, bytes.size());
  arrays_.emplace(path, std::pair{array, std::move(bytes)});
}

std::string GrainWriter::bytes() {
  for (const auto& [path, array] : arrays_) plan_.arrays.push_back(array.first);
  const Hdf5Layout layout = lay_out(plan_);
  std::string all = layout.head;
  all.resize(layout.bytes, '\0');
  std::size_t at = 0;
  for (const auto& [path, array] : arrays_) {
    std::copy(array.second.begin(), array.second.end(), all.begin() + static_cast<std::ptrdiff_t>(layout.offset[at++]));
  }
  return all;
}

std::pair<std::string, std::uint64_t> head_of(const std::filesystem::path& file, std::uint64_t most) {
  if (const auto problem = input_file_problem(file, "a template of a grain")) throw StateError(*problem);
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  const auto end = in.tellg();
  if (!in || end < 0) throw StateError("cannot be read");
  const auto size = static_cast<std::uint64_t>(end);
  std::string bytes(std::min(size, most), '\0');
  in.seekg(0);
  if (!in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) throw StateError("cannot be read");
  return {std::move(bytes), size};
}

std::string attribute_of(const Hdf5Plan& plan, const std::string& name) {
  for (const auto& [known, text] : plan.attributes) {
    if (known == name) return text;
  }
  throw StateError("is no template of a grain: it has no attribute \"" + name + "\"");
}

Hdf5Plan plan_of(std::string_view begin, std::uint64_t file_bytes) {
  Hdf5Plan plan;
  try {
    plan = read_plan(begin.substr(0, longest_head), file_bytes);
  } catch (const StateError&) { throw StateError("is not a template of a grain, or is damaged"); }
  const std::string format = attribute_of(plan, "format");
  if (format != rigid_format && format != format_with_modes) {
    throw StateError("is no template of a grain of this version");
  }
  return plan;
}

GrainReader::GrainReader(const std::filesystem::path& file) : content_(head_of(file, ~std::uint64_t{0}).first) {
  plan_ = plan_of(content_, content_.size());
  offset_ = lay_out(plan_).offset;
}

}  // namespace scree::grains
