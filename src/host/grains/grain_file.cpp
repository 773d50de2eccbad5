#include "host/grains/grain_file.hpp"

#include <algorithm>

#include "host/grains/grain_arrays.hpp"
#include "host/storage/atomic_file.hpp"
#include "scree/errors.hpp"

namespace scree::grains {
namespace {

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

void write_report(const GrainReport& report, GrainWriter& out) {
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

GrainReport read_report(const GrainReader& in) {
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

void write_modes(const GrainModes& modes, GrainWriter& out) {
  const auto count = static_cast<std::uint32_t>(modes.count);
  out.text("source of modes", modes.source);
  out.text("order of modes/field", "field[mode * points + point], point as in grid/phi");
  out.array("modes/count", &count, 1, 1, ValueType::uint32, "1");
  out.array("modes/field", modes.field.data(), modes.field.size(), 3, ValueType::float32, "1");
  out.rows("modes/at_node", modes.at_node, "1");
  out.array("modes/mass", modes.mass.data(), modes.mass.size(), 1, ValueType::float64, "m3");
  out.array("modes/stiffness", modes.stiffness.data(), modes.stiffness.size(), 1, ValueType::float64, "m");
  out.array("modes/largest", modes.largest.data(), modes.largest.size(), 1, ValueType::float64, "m");
  out.real("modes/poisson_ratio", modes.poisson_ratio, "1");
  std::vector<std::array<double, 2>> table;
  for (const ModeKnot& knot : modes.table) table.push_back({knot.amplitude, knot.force});
  out.array("modes/table", table.data(), table.size(), 2, ValueType::float64, "m, m2");
  std::vector<double> coefficient;
  std::vector<std::uint32_t> degree, of_term;
  for (const ModeTerm& term : modes.terms) {
    coefficient.push_back(term.coefficient);
    degree.push_back(static_cast<std::uint32_t>(term.mode.size()));
    of_term.insert(of_term.end(), term.mode.begin(), term.mode.end());
  }
  out.array("modes/terms/coefficient", coefficient.data(), coefficient.size(), 1, ValueType::float64, "m^(3 - degree)");
  out.array("modes/terms/degree", degree.data(), degree.size(), 1, ValueType::uint32, "1");
  out.array("modes/terms/mode", of_term.data(), of_term.size(), 1, ValueType::uint32, "1");
}

GrainModes read_modes(const GrainReader& in) {
  GrainModes modes;
  modes.source = in.text("source of modes");
  modes.count = in.array<std::uint32_t>("modes/count", ValueType::uint32, 1, 1).front();
  modes.field = in.array<std::array<float, 3>>("modes/field", ValueType::float32, 3);
  modes.at_node = in.array<Real3>("modes/at_node", ValueType::float64, 3);
  modes.mass = in.array<double>("modes/mass", ValueType::float64, 1);
  modes.stiffness = in.array<double>("modes/stiffness", ValueType::float64, 1);
  modes.largest = in.array<double>("modes/largest", ValueType::float64, 1);
  modes.poisson_ratio = in.real("modes/poisson_ratio");
  for (const auto& [amplitude, force] : in.array<std::array<double, 2>>("modes/table", ValueType::float64, 2)) {
    modes.table.push_back({amplitude, force});
  }
  const auto coefficient = in.array<double>("modes/terms/coefficient", ValueType::float64, 1);
  const auto degree = in.array<std::uint32_t>("modes/terms/degree", ValueType::uint32, 1);
  const auto of_term = in.array<std::uint32_t>("modes/terms/mode", ValueType::uint32, 1);
  std::size_t at = 0;
  for (std::size_t k = 0; k < degree.size(); ++k) {
    if (degree.size() != coefficient.size() || degree[k] > of_term.size() - at) {
      throw StateError("is damaged: the arrays of the terms of the energy of its modes do not fit together");
    }
    const auto begin = of_term.begin() + static_cast<std::ptrdiff_t>(at);
    modes.terms.push_back({coefficient[k], {begin, begin + static_cast<std::ptrdiff_t>(degree[k])}});
    at += degree[k];
  }
  return modes;
}

}  // namespace

void write_grain(const GrainTemplate& grain, const std::filesystem::path& file) {
  const GrainShape& shape = grain.shape;
  GrainWriter out;
  out.text("format", shape.modes.count == 0 ? rigid_format : format_with_modes);
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
  if (shape.modes.count > 0) write_modes(shape.modes, out);
  write_report(grain.report, out);
  write_text_atomically(file, out.bytes());
}

namespace {

GrainTemplate read_whole(const std::filesystem::path& file) {
  const GrainReader in(file);
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
  if (in.text("format") == format_with_modes) shape.modes = read_modes(in);
  grain.report = read_report(in);
  if (const auto fault = fault_of(shape)) throw StateError("is damaged: " + *fault);
  if (hash_of(shape) != shape.hash)
    throw StateError("is damaged: its numbers do not have the hash that is stored in it");
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
