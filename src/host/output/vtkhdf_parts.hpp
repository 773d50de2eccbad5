#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "host/output/hdf5_file.hpp"
#include "scree/scene.hpp"
#include "scree/snapshot.hpp"

/// Parts that files in the VTKHDF format share.
namespace scree::vtkhdf {

/// Types of cells, by their numbers in VTK.
inline constexpr std::uint8_t vertex_type = 1, line_type = 3, triangle_type = 5;

/// [3 n] the components of n vectors, one vector behind the other.
[[nodiscard]] std::span<const double> numbers(const std::vector<Real3>& vectors);

/// The groups and attributes of a file of this type, and its time [s].
void add_header(Hdf5File& file, double time, const char* type = "UnstructuredGrid");

/// The number of the step that a file shows.
void add_step(Hdf5File& file, std::uint64_t step);

/// Edges and origin [m] of the periodic cell, as field data.
void add_periodic_cell(Hdf5File& file, const CellState& cell);

/// One piece of an unstructured grid with `points` points, whose cells all have `corners` corners. `connectivity`:
/// [n_cells * corners] indices of points.
void add_cells(Hdf5File& file, std::size_t points, std::span<const std::int64_t> connectivity, std::size_t corners,
               std::uint8_t cell_type);

/// A cell of type vertex for each of `n` points.
void add_vertex_cells(Hdf5File& file, std::size_t n);

/// The triangles of a mesh with these vertices [n_vertices] [m] in place of its own.
void add_triangles(Hdf5File& file, const TriangleMesh& mesh, const std::vector<Real3>& vertices);

}  // namespace scree::vtkhdf
