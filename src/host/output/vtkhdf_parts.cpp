#include "host/output/vtkhdf_parts.hpp"

#include <array>
#include <numeric>

#include "scree/errors.hpp"

namespace scree::vtkhdf {

std::span<const double> numbers(const std::vector<Real3>& vectors) {
  return {vectors.empty() ? nullptr : vectors.front().data(), 3 * vectors.size()};
}

void add_header(Hdf5File& file, double time, const char* type) {
  file.add_group("/VTKHDF");
  file.add_attribute("/VTKHDF", "Version", std::array<std::int64_t, 2>{1, 0});
  file.add_attribute("/VTKHDF", "Type", type);
  file.add_group("/VTKHDF/PointData");
  file.add_group("/VTKHDF/CellData");
  file.add_group("/VTKHDF/FieldData");
  file.add_dataset("/VTKHDF/FieldData/TimeValue", std::array<double, 1>{time}, 1, ElementType::float64);
}

void add_step(Hdf5File& file, std::uint64_t step) {
  file.add_regular_dataset("/VTKHDF/FieldData/Step", std::array<std::int64_t, 1>{static_cast<std::int64_t>(step)});
}

void add_periodic_cell(Hdf5File& file, const CellState& cell) {
  const std::vector<Real3> edges(cell.edges.begin(), cell.edges.end());
  file.add_dataset("/VTKHDF/FieldData/cell", numbers(edges), 3, ElementType::float64);
  file.add_dataset("/VTKHDF/FieldData/cell_origin", cell.origin, 3, ElementType::float64);
}

void add_cells(Hdf5File& file, std::size_t points, std::span<const std::int64_t> connectivity, std::size_t corners,
               std::uint8_t cell_type) {
  const std::size_t cells = connectivity.size() / corners;
  std::vector<std::int64_t> offsets(cells + 1);
  for (std::size_t i = 0; i <= cells; ++i) { offsets[i] = static_cast<std::int64_t>(i * corners); }
  const auto add_count = [&](const char* name, std::size_t count) {
    const std::array<std::int64_t, 1> value{static_cast<std::int64_t>(count)};
    file.add_regular_dataset(name, value);
  };
  add_count("/VTKHDF/NumberOfPoints", points);
  add_count("/VTKHDF/NumberOfCells", cells);
  add_count("/VTKHDF/NumberOfConnectivityIds", connectivity.size());
  file.add_regular_dataset("/VTKHDF/Connectivity", connectivity);
  file.add_regular_dataset("/VTKHDF/Offsets", offsets);
  file.add_regular_dataset("/VTKHDF/Types", std::vector<std::uint8_t>(cells, cell_type));
}

void add_vertex_cells(Hdf5File& file, std::size_t n) {
  std::vector<std::int64_t> connectivity(n);
  std::iota(connectivity.begin(), connectivity.end(), 0);
  add_cells(file, n, connectivity, 1, vertex_type);
}

void add_triangles(Hdf5File& file, const TriangleMesh& mesh, const std::vector<Real3>& vertices) {
  SCREE_EXPECT(vertices.size() == mesh.vertices.size(), "as many vertices as the mesh has");
  file.add_dataset("/VTKHDF/Points", numbers(vertices), 3, ElementType::float64);
  std::vector<std::int64_t> connectivity;
  connectivity.reserve(3 * mesh.triangles.size());
  for (const auto& triangle : mesh.triangles) {
    connectivity.insert(connectivity.end(), triangle.begin(), triangle.end());
  }
  add_cells(file, vertices.size(), connectivity, 3, triangle_type);
}

}  // namespace scree::vtkhdf
