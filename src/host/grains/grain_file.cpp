#include "host/grains/grain_file.hpp"

#include <algorithm>
#include <cstring>

#include "host/checkpoint/hdf5_reader.hpp"
#include "host/output/hdf5_file.hpp"
#include "scree/errors.hpp"

namespace scree::grains {
namespace {

constexpr const char* format_text = "scree grain 1";
constexpr std::size_t longest_text = 8000;  ///< [bytes] of an attribute: headers of HDF5 hold 64 KiB

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

class Writer {
 public:
  explicit Writer(Hdf5File& file) : file_(file) {}

  void text(const std::string& name, const std::string& value) {
    file_.add_attribute("/", name, value.empty() ? std::string(1, '\0') : value.substr(0, longest_text));
  }
  void array(const std::string& path, const void* values, std::size_t count, std::size_t columns, ElementType type,
             const std::string& unit) {
    file_.add_dataset(path, values, count, columns, type);
    file_.add_attribute(path, "unit", unit);
  }
  void real(const std::string& path, double value, const std::string& unit) {
    array(path, &value, 1, 1, ElementType::float64, unit);
  }
  template <std::size_t n>
  void reals(const std::string& path, const std::array<double, n>& value, const std::string& unit) {
    array(path, value.data(), n, 1, ElementType::float64, unit);
  }
  void rows(const std::string& path, const std::vector<Real3>& value, const std::string& unit) {
    array(path, value.data(), 3 * value.size(), 3, ElementType::float64, unit);
  }

 private:
  Hdf5File& file_;
};

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : name_(file.string()), file_(file) {
    if (!file_.has_attribute("/", "format") || file_.text_attribute("/", "format") != format_text) {
      refuse("is no template of a grain of this version");
    }
  }

  [[noreturn]] void refuse(const std::string& why) const { throw StateError(name_ + ": " + why); }

  [[nodiscard]] std::string text(const std::string& name) const { return file_.text_attribute("/", name); }

  /// The numbers of a dataset; `rows` of them unless that is 0.
  template <class Number>
  [[nodiscard]] std::vector<Number> array(const std::string& path, ValueType type, std::size_t columns,
                                          std::size_t rows = 0) const {
    const Hdf5Reader::Shape shape = file_.shape(path);
    if (shape.type != type || shape.columns != columns || (rows > 0 && shape.rows != rows)) {
      refuse("is damaged: " + path + " is not as it was written");
    }
    const StateArray bytes = file_.read(path);
    std::vector<Number> values(bytes.bytes.size() / sizeof(Number));
    if (!values.empty()) std::memcpy(values.data(), bytes.bytes.data(), values.size() * sizeof(Number));
    return values;
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
  std::string name_;
  Hdf5Reader file_;
};

void write_report(const GrainReport& report, Writer& out) {
  out.text("source", report.source);
  out.text("mass_method", report.mass_method);
  out.text("warnings", one_text(report.warnings));
  out.real("/report/node_distance", report.node_distance, "m");
  out.real("/report/surface_rms", report.surface_rms, "m");
  out.real("/report/surface_max", report.surface_max, "m");
  out.real("/report/grid_volume", report.grid_volume, "m3");
  out.reals("/report/grid_inertia", report.grid_inertia, "m5");
  out.real("/report/node_area", report.node_area, "m2");
  out.array("/report/area", report.area ? &*report.area : nullptr, report.area ? 1 : 0, 1, ElementType::float64, "m2");
}

GrainReport read_report(const Reader& in) {
  GrainReport report;
  report.source = in.text("source");
  report.mass_method = in.text("mass_method");
  report.warnings = lines_of(in.text("warnings"));
  report.node_distance = in.real("/report/node_distance");
  report.surface_rms = in.real("/report/surface_rms");
  report.surface_max = in.real("/report/surface_max");
  report.grid_volume = in.real("/report/grid_volume");
  in.reals("/report/grid_inertia", report.grid_inertia);
  report.node_area = in.real("/report/node_area");
  const auto area = in.array<double>("/report/area", ValueType::float64, 1);
  if (!area.empty()) report.area = area.front();
  return report;
}

}  // namespace

void write_grain(const GrainTemplate& grain, const std::filesystem::path& file) {
  const GrainShape& shape = grain.shape;
  Hdf5File hdf(file);
  Writer out(hdf);
  out.text("format", format_text);
  out.text("name", shape.name);
  out.text("hash", shape.hash);
  for (const char* group : {"/grid", "/nodes", "/surface", "/mass", "/source", "/report"}) hdf.add_group(group);
  out.array("/grid/phi", shape.phi.data(), shape.phi.size(), 1, ElementType::float32, "m");
  hdf.add_attribute("/grid/phi", "order", "phi[(k * size[1] + j) * size[0] + i], x is fastest");
  out.reals("/grid/origin", shape.origin, "m");
  out.array("/grid/size", shape.size.data(), 3, 1, ElementType::uint32, "1");
  out.real("/grid/spacing", shape.spacing, "m");
  out.rows("/nodes/position", shape.node, "m");
  out.rows("/nodes/normal", shape.node_normal, "1");
  out.array("/nodes/area", shape.node_area.data(), shape.node_area.size(), 1, ElementType::float64, "m2");
  out.array("/surface/triangle", shape.triangle.data(), 3 * shape.triangle.size(), 3, ElementType::uint32, "1");
  out.real("/mass/volume", shape.volume, "m3");
  out.reals("/mass/inertia", shape.inertia, "m5");
  out.real("/mass/bounding_radius", shape.bounding_radius, "m");
  out.real("/mass/equivalent_radius", shape.equivalent_radius, "m");
  out.reals("/source/center", shape.center, "m");
  out.reals("/source/to_source", shape.to_source, "1");
  write_report(grain.report, out);
  hdf.save();
}

GrainTemplate read_grain(const std::filesystem::path& file) {
  const Reader in(file);
  GrainTemplate grain;
  GrainShape& shape = grain.shape;
  shape.name = in.text("name");
  shape.hash = in.text("hash");
  const auto size = in.array<std::uint32_t>("/grid/size", ValueType::uint32, 1, 3);
  std::copy(size.begin(), size.end(), shape.size.begin());
  shape.phi = in.array<float>("/grid/phi", ValueType::float32, 1);
  in.reals("/grid/origin", shape.origin);
  shape.spacing = in.real("/grid/spacing");
  shape.node = in.array<Real3>("/nodes/position", ValueType::float64, 3);
  shape.node_normal = in.array<Real3>("/nodes/normal", ValueType::float64, 3);
  shape.node_area = in.array<double>("/nodes/area", ValueType::float64, 1);
  shape.triangle = in.array<std::array<std::uint32_t, 3>>("/surface/triangle", ValueType::uint32, 3);
  shape.volume = in.real("/mass/volume");
  in.reals("/mass/inertia", shape.inertia);
  shape.bounding_radius = in.real("/mass/bounding_radius");
  shape.equivalent_radius = in.real("/mass/equivalent_radius");
  in.reals("/source/center", shape.center);
  in.reals("/source/to_source", shape.to_source);
  grain.report = read_report(in);
  if (const auto fault = fault_of(shape)) in.refuse("is damaged: " + *fault);
  if (hash_of(shape) != shape.hash) in.refuse("is damaged: its numbers do not have the hash that it says");
  return grain;
}

bool is_grain(const std::filesystem::path& file) {
  try {
    const Reader in(file);
    return true;
  } catch (const StateError&) { return false; }
}

}  // namespace scree::grains
