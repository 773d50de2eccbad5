#include "host/grains/grain_file.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <utility>

#include "host/checkpoint/hdf5_layout.hpp"
#include "host/output/atomic_file.hpp"
#include "host/text/input_file.hpp"
#include "scree/errors.hpp"

namespace scree::grains {
namespace {

constexpr const char* format_text = "scree grain 1";
constexpr std::size_t longest_text = 8000;                       ///< [bytes] of an attribute: headers hold 64 KiB
constexpr std::uint64_t longest_head = std::uint64_t{1} << 18U;  ///< [bytes] all that is no number

static_assert(sizeof(Real3) == 3 * sizeof(double));

std::string one_text(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += (all.empty() ? "" : "\n") + line;
  return all;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// Collects attributes and arrays, then lays the file out by hand as checkpoints are: the HDF5 library is not safe
/// against damaged files.
class Writer {
 public:
  void text(const std::string& name, const std::string& value) {
    plan_.attributes.emplace_back(name, value.substr(0, longest_text));
  }
  void array(const std::string& path, const void* values, std::size_t rows, std::size_t columns, ValueType type,
             const std::string& unit) {
    const Hdf5Plan::Array array{path, unit, type, rows, columns};
    std::string bytes(array.bytes(), '\0');
    if (!bytes.empty()) std::memcpy(bytes.data(), values, bytes.size());
    arrays_.emplace(path, std::pair{array, std::move(bytes)});
  }
  void real(const std::string& path, double value, const std::string& unit) {
    array(path, &value, 1, 1, ValueType::float64, unit);
  }
  template <std::size_t n>
  void reals(const std::string& path, const std::array<double, n>& value, const std::string& unit) {
    array(path, value.data(), n, 1, ValueType::float64, unit);
  }
  void rows(const std::string& path, const std::vector<Real3>& value, const std::string& unit) {
    array(path, value.data(), value.size(), 3, ValueType::float64, unit);
  }

  /// The whole file.
  [[nodiscard]] std::string bytes() {
    for (const auto& [path, array] : arrays_) plan_.arrays.push_back(array.first);
    const Hdf5Layout layout = lay_out(plan_);
    std::string all = layout.head;
    all.resize(layout.bytes, '\0');
    std::size_t at = 0;
    for (const auto& [path, array] : arrays_) {
      std::copy(array.second.begin(), array.second.end(),
                all.begin() + static_cast<std::ptrdiff_t>(layout.offset[at++]));
    }
    return all;
  }

 private:
  Hdf5Plan plan_;
  std::map<std::string, std::pair<Hdf5Plan::Array, std::string>> arrays_;  ///< in the order of their paths
};

/// The first bytes of a file, and its length. Throws StateError.
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

/// The plan of a template. Throws StateError for any other file.
Hdf5Plan plan_of(std::string_view begin, std::uint64_t file_bytes) {
  Hdf5Plan plan;
  try {
    plan = read_plan(begin.substr(0, longest_head), file_bytes);
  } catch (const StateError&) { throw StateError("is no template of a grain, or it is damaged"); }
  if (attribute_of(plan, "format") != format_text) throw StateError("is no template of a grain of this version");
  return plan;
}

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : content_(head_of(file, ~std::uint64_t{0}).first) {
    plan_ = plan_of(content_, content_.size());
    offset_ = lay_out(plan_).offset;
  }

  [[nodiscard]] std::string text(const std::string& name) const { return attribute_of(plan_, name); }

  /// The numbers of a dataset; `rows` of them unless that is 0.
  template <class Number>
  [[nodiscard]] std::vector<Number> array(const std::string& path, ValueType type, std::size_t columns,
                                          std::size_t rows = 0) const {
    for (std::size_t at = 0; at < plan_.arrays.size(); ++at) {
      const Hdf5Plan::Array& array = plan_.arrays[at];
      if (array.path != path || array.type != type || array.columns != columns || (rows > 0 && array.rows != rows)) {
        continue;
      }
      std::vector<Number> values(array.bytes() / sizeof(Number));
      if (!values.empty()) std::memcpy(values.data(), content_.data() + offset_[at], array.bytes());
      return values;
    }
    throw StateError("is damaged: " + path + " is not as it was written");
  }
  [[nodiscard]] double real(const std::string& path) const {
    return array<double>(path, ValueType::float64, 1, 1).front();
  }
  template <std::size_t n>
  void reals(const std::string& path, std::array<double, n>& value) const {
    const auto all = array<double>(path, ValueType::float64, 1, n);
    std::copy(all.begin(), all.end(), value.begin());
  }

 private:
  std::string content_;
  Hdf5Plan plan_;
  std::vector<std::uint64_t> offset_;
};

void write_report(const GrainReport& report, Writer& out) {
  out.text("source", report.source);
  out.text("mass_method", report.mass_method);
  out.text("warnings", one_text(report.warnings));
  out.real("report/node_distance", report.node_distance, "m");
  out.real("report/surface_rms", report.surface_rms, "m");
  out.real("report/surface_max", report.surface_max, "m");
  out.real("report/grid_volume", report.grid_volume, "m3");
  out.reals("report/grid_inertia", report.grid_inertia, "m5");
  out.real("report/node_area", report.node_area, "m2");
  out.array("report/area", report.area ? &*report.area : nullptr, report.area ? 1 : 0, 1, ValueType::float64, "m2");
}

GrainReport read_report(const Reader& in) {
  GrainReport report;
  report.source = in.text("source");
  report.mass_method = in.text("mass_method");
  report.warnings = lines_of(in.text("warnings"));
  report.node_distance = in.real("report/node_distance");
  report.surface_rms = in.real("report/surface_rms");
  report.surface_max = in.real("report/surface_max");
  report.grid_volume = in.real("report/grid_volume");
  in.reals("report/grid_inertia", report.grid_inertia);
  report.node_area = in.real("report/node_area");
  const auto area = in.array<double>("report/area", ValueType::float64, 1);
  if (!area.empty()) report.area = area.front();
  return report;
}

}  // namespace

void write_grain(const GrainTemplate& grain, const std::filesystem::path& file) {
  const GrainShape& shape = grain.shape;
  Writer out;
  out.text("format", format_text);
  out.text("name", shape.name);
  out.text("hash", shape.hash);
  out.text("order of grid/phi", "phi[(k * size[1] + j) * size[0] + i], x is fastest");
  out.array("grid/phi", shape.phi.data(), shape.phi.size(), 1, ValueType::float32, "m");
  out.reals("grid/origin", shape.origin, "m");
  out.array("grid/size", shape.size.data(), 3, 1, ValueType::uint32, "1");
  out.real("grid/spacing", shape.spacing, "m");
  out.rows("nodes/position", shape.node, "m");
  out.rows("nodes/normal", shape.node_normal, "1");
  out.array("nodes/area", shape.node_area.data(), shape.node_area.size(), 1, ValueType::float64, "m2");
  out.array("surface/triangle", shape.triangle.data(), shape.triangle.size(), 3, ValueType::uint32, "1");
  out.real("mass/volume", shape.volume, "m3");
  out.reals("mass/inertia", shape.inertia, "m5");
  out.real("mass/bounding_radius", shape.bounding_radius, "m");
  out.real("mass/equivalent_radius", shape.equivalent_radius, "m");
  out.reals("source/center", shape.center, "m");
  out.reals("source/to_source", shape.to_source, "1");
  write_report(grain.report, out);
  write_text_atomically(file, out.bytes());
}

namespace {

GrainTemplate read_whole(const std::filesystem::path& file) {
  const Reader in(file);
  GrainTemplate grain;
  GrainShape& shape = grain.shape;
  shape.name = in.text("name");
  shape.hash = in.text("hash");
  const auto size = in.array<std::uint32_t>("grid/size", ValueType::uint32, 1, 3);
  std::copy(size.begin(), size.end(), shape.size.begin());
  shape.phi = in.array<float>("grid/phi", ValueType::float32, 1);
  in.reals("grid/origin", shape.origin);
  shape.spacing = in.real("grid/spacing");
  shape.node = in.array<Real3>("nodes/position", ValueType::float64, 3);
  shape.node_normal = in.array<Real3>("nodes/normal", ValueType::float64, 3);
  shape.node_area = in.array<double>("nodes/area", ValueType::float64, 1);
  shape.triangle = in.array<std::array<std::uint32_t, 3>>("surface/triangle", ValueType::uint32, 3);
  shape.volume = in.real("mass/volume");
  in.reals("mass/inertia", shape.inertia);
  shape.bounding_radius = in.real("mass/bounding_radius");
  shape.equivalent_radius = in.real("mass/equivalent_radius");
  in.reals("source/center", shape.center);
  in.reals("source/to_source", shape.to_source);
  grain.report = read_report(in);
  if (const auto fault = fault_of(shape)) throw StateError("is damaged: " + *fault);
  if (hash_of(shape) != shape.hash) throw StateError("is damaged: its numbers do not have the hash that it says");
  return grain;
}

}  // namespace

GrainTemplate read_grain(const std::filesystem::path& file) {
  try {
    return read_whole(file);
  } catch (const StateError& error) { throw StateError(file.string() + ": " + error.what()); }
}

bool is_grain(const std::filesystem::path& file) {
  try {
    const auto [begin, size] = head_of(file, longest_head);
    static_cast<void>(plan_of(begin, size));
    return true;
  } catch (const StateError&) { return false; }
}

}  // namespace scree::grains
