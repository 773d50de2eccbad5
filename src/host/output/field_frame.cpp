#include <array>

#include "host/output/cylinder_cells.hpp"
#include "host/output/vtkhdf.hpp"
#include "host/output/vtkhdf_parts.hpp"

namespace scree {
namespace {

/// Adds the cells of a cylindrical grid, and attributes that describe the grid itself. Returns the number of pieces
/// into which each cell of the grid is cut.
std::size_t add_cylinder(Hdf5File& file, const FieldTable& table) {
  const CylinderCells cells = cylinder_cells(table);
  file.add_dataset("/VTKHDF/Points", vtkhdf::numbers(cells.points), 3, ElementType::float64);
  vtkhdf::add_cells(file, cells.points.size(), cells.connectivity, cells.corners, cells.cell_type);
  const CylinderPlace& place = *table.cylinder;
  std::array<std::int64_t, 3> count{};
  std::array<double, 9> axes{};
  for (std::size_t k = 0; k < 9; ++k) { axes[k] = place.axes[k / 3][k % 3]; }
  for (std::size_t k = 0; k < 3; ++k) { count[k] = static_cast<std::int64_t>(table.cells[k]); }
  file.add_attribute("/VTKHDF", "CylinderCells", count);
  file.add_attribute("/VTKHDF", "CylinderPieces", std::array<std::int64_t, 1>{static_cast<std::int64_t>(cells.pieces)});
  file.add_attribute("/VTKHDF", "CylinderLow", table.origin);
  file.add_attribute("/VTKHDF", "CylinderSpacing", table.spacing);
  file.add_attribute("/VTKHDF", "CylinderOrigin", place.origin);
  file.add_attribute("/VTKHDF", "CylinderAxes", axes);
  return cells.pieces;
}

/// The values of a field with each row `times` times, one behind the other.
std::vector<double> repeated(const FieldTable::Field& field, std::size_t times) {
  if (times == 1) { return field.values; }
  std::vector<double> result;
  result.reserve(field.values.size() * times);
  for (std::size_t i = 0; i < field.values.size(); i += field.columns) {
    for (std::size_t k = 0; k < times; ++k) {
      result.insert(result.end(), field.values.begin() + static_cast<std::ptrdiff_t>(i),
                    field.values.begin() + static_cast<std::ptrdiff_t>(i + field.columns));
    }
  }
  return result;
}

}  // namespace

void write_field_frame(const std::filesystem::path& file, const FieldTable& table, Precision precision) {
  const auto stored = precision == Precision::double_ ? ElementType::float64 : ElementType::float32;
  Hdf5File hdf(file);
  vtkhdf::add_header(hdf, table.time, table.cylinder ? "UnstructuredGrid" : "ImageData");
  const std::size_t pieces = table.cylinder ? add_cylinder(hdf, table) : 1;
  const auto [nx, ny, nz] = table.cells;
  if (!table.cylinder) {
    const auto last = [](std::size_t n) { return static_cast<std::int64_t>(n); };
    hdf.add_attribute("/VTKHDF", "WholeExtent", std::array<std::int64_t, 6>{0, last(nx), 0, last(ny), 0, last(nz)});
    hdf.add_attribute("/VTKHDF", "Origin", table.origin);
    hdf.add_attribute("/VTKHDF", "Spacing", table.spacing);
    hdf.add_attribute("/VTKHDF", "Direction", std::array<double, 9>{1, 0, 0, 0, 1, 0, 0, 0, 1});
  }
  const std::string about = "/VTKHDF/FieldData/";
  vtkhdf::add_step(hdf, table.step);
  hdf.add_regular_dataset(about + "Samples", std::array<std::int64_t, 1>{static_cast<std::int64_t>(table.samples)});
  hdf.add_dataset(about + "SampleTimes", table.sampled, 1, ElementType::float64);
  for (const FieldTable::Field& field : table.fields) {
    std::vector<std::uint64_t> size{nz, ny, nx};
    if (table.cylinder) { size = {table.size() * pieces}; }
    if (field.columns > 1) { size.push_back(field.columns); }
    hdf.add_grid_dataset("/VTKHDF/CellData/" + field.name, repeated(field, pieces), size, stored);
  }
  hdf.save();
}

}  // namespace scree
