#include <algorithm>
#include <cmath>
#include <cstring>

#include "host/geometry/mesh_io.hpp"
#include "host/geometry/real3.hpp"
#include "host/modes/given/given_modes.hpp"
#include "host/storage/hdf5_reader.hpp"
#include "host/text/text.hpp"
#include "host/text/text_lines.hpp"
#include "scree/errors.hpp"
#include "scree/grain_modes.hpp"

namespace scree::modes {
namespace {

constexpr double largest_value = 1e30;
constexpr std::size_t most_points = std::size_t{1} << 28U;

/// Reads datasets of an HDF5 file as tables of numbers.
class Tables {
 public:
  explicit Tables(const std::filesystem::path& file) try : name_(file.string()), in_(file), known_(in_.datasets("/")) {
  } catch (const StateError&) {
    throw CaseError(file.string(), "is neither a legacy VTK file whose name ends in .vtk nor an HDF5 file");
  }

  [[noreturn]] void fail(const std::string& message) const { throw CaseError(name_, message); }
  [[nodiscard]] bool has(const std::string& name) const {
    return std::find(known_.begin(), known_.end(), "/" + name) != known_.end();
  }

  struct Table {
    std::size_t rows = 0, columns = 0;
    std::vector<double> number;
  };
  [[nodiscard]] Table read(const std::string& name) const {
    if (!has(name)) fail("has no dataset \"" + name + "\"");
    StateArray array;
    try {
      array = in_.read("/" + name);
    } catch (const StateError&) {
      fail("its dataset \"" + name +
           "\" must be a list or a table of plain numbers, with one or two dimensions and without compression");
    }
    Table table{array.rows(), array.columns, std::vector<double>(array.rows() * array.columns)};
    for (std::size_t k = 0; k < table.number.size(); ++k) {
      table.number[k] = number_at(array, k);
      if (!(std::fabs(table.number[k]) <= largest_value)) {
        fail("its dataset \"" + name + "\" has a number that is not finite in row " +
             std::to_string(k / table.columns));
      }
    }
    return table;
  }
  /// A dataset of `length` or `or_length` numbers.
  [[nodiscard]] std::vector<double> list(const std::string& name, std::size_t length, std::size_t or_length) const {
    Table table = read(name);
    if (table.number.size() != length && table.number.size() != or_length) {
      fail("its dataset \"" + name + "\" must have " + std::to_string(length) + " numbers, has " +
           std::to_string(table.number.size()));
    }
    return std::move(table.number);
  }
  [[nodiscard]] std::vector<Real3> vectors(const std::string& name) const {
    const Table table = read(name);
    if (table.columns != 3) {
      fail("its dataset \"" + name + "\" must have three columns, has " + std::to_string(table.columns));
    }
    std::vector<Real3> all(table.rows);
    for (std::size_t k = 0; k < table.number.size(); ++k) all[k / 3][k % 3] = table.number[k];
    return all;
  }

 private:
  template <class Number>
  static double value_at(const StateArray& array, std::size_t k) {
    Number value{};
    std::memcpy(&value, array.bytes.data() + k * sizeof value, sizeof value);
    return static_cast<double>(value);
  }
  /// The k-th number. The reader keeps the bits of integers and drops their signs, which are restored here.
  static double number_at(const StateArray& array, std::size_t k) {
    switch (array.type) {
      case ValueType::float32: return value_at<float>(array, k);
      case ValueType::float64: return value_at<double>(array, k);
      case ValueType::uint8: return value_at<std::uint8_t>(array, k);
      case ValueType::uint32: return value_at<std::int32_t>(array, k);
      case ValueType::uint64: return value_at<std::int64_t>(array, k);
    }
    return 0;
  }

  std::string name_;
  Hdf5Reader in_;
  std::vector<std::string> known_;
};

Lattice read_lattice(const Tables& in) {
  Lattice lattice;
  const auto origin = in.list("origin", 3, 3), spacing = in.list("spacing", 3, 1), size = in.list("size", 3, 3);
  double points = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    lattice.origin[axis] = origin[axis];
    lattice.spacing[axis] = spacing[spacing.size() == 1 ? 0 : axis];
    if (!(lattice.spacing[axis] > 0)) in.fail("its spacing must be > 0, is " + number_text(lattice.spacing[axis]));
    points *= size[axis];
    if (!(size[axis] >= 2 && points <= static_cast<double>(most_points)) || size[axis] != std::floor(size[axis])) {
      in.fail("its size must be three whole numbers from 2, the points along x, y and z");
    }
    lattice.size[axis] = static_cast<std::uint32_t>(size[axis]);
  }
  return lattice;
}

geometry::VolumeMesh read_mesh_tables(const Tables& in) {
  constexpr std::uint64_t tetrahedron = 10, hexahedron = 12;
  geometry::VolumeMesh mesh;
  mesh.points = in.vectors("points");
  const auto cells = in.read("cells");
  if (cells.columns != 4 && cells.columns != 8) {
    in.fail("its dataset \"cells\" must have four columns (tetrahedra) or eight (hexahedra), has " +
            std::to_string(cells.columns));
  }
  std::vector<std::uint64_t> corners(cells.columns);
  for (std::size_t row = 0; row < cells.rows; ++row) {
    for (std::size_t k = 0; k < cells.columns; ++k) {
      const double corner = cells.number[row * cells.columns + k];
      if (!(corner >= 0 && corner < static_cast<double>(most_points)) || corner != std::floor(corner)) {
        in.fail("has a cell with point " + number_text(corner) + "; points are numbered from 0");
      }
      corners[k] = static_cast<std::uint64_t>(corner);
    }
    try {
      mesh.add_cell(cells.columns == 4 ? tetrahedron : hexahedron, corners);
    } catch (const CaseError& error) { in.fail(error.problems().front().message); }
  }
  return mesh;
}

void read_matrix(const Tables& in, const std::string& name, std::size_t n, std::vector<double>& matrix) {
  if (!in.has(name)) return;
  matrix = in.list(name, n * n, n * n);
  for (std::size_t a = 0; a < n; ++a) {
    if (!(matrix[a * n + a] > 0)) {
      in.fail("its dataset \"" + name + "\" must be above 0 on the diagonal, is " + number_text(matrix[a * n + a]) +
              " for mode " + std::to_string(a));
    }
    for (std::size_t b = 0; b < a; ++b) {
      double &lower = matrix[a * n + b], &upper = matrix[b * n + a];
      const double scale = std::sqrt(std::fabs(matrix[a * n + a] * matrix[b * n + b]));
      if (!(std::fabs(lower - upper) <= 1e-6 * scale)) {
        in.fail("its dataset \"" + name + "\" must be a symmetric matrix; entries " + std::to_string(a) + " " +
                std::to_string(b) + " and " + std::to_string(b) + " " + std::to_string(a) + " differ");
      }
      lower = upper = 0.5 * (lower + upper);
    }
  }
}

GivenModes read_hdf5(const std::filesystem::path& file) {
  const Tables in(file);
  GivenModes given;
  if (in.has("points")) {
    given.mesh = read_mesh_tables(in);
  } else if (in.has("origin")) {
    given.lattice = read_lattice(in);
  } else {
    in.fail("has neither a dataset \"origin\" (modes on a grid) nor \"points\" (modes on a mesh)");
  }
  given.displacement = in.vectors("displacement");
  const std::size_t points = given.lattice ? given.lattice->points() : given.mesh.points.size();
  if (given.displacement.empty() || points == 0 || given.displacement.size() % points != 0) {
    in.fail("its dataset \"displacement\" has " + std::to_string(given.displacement.size()) +
            " rows; it must have one for each point of each mode, and there are " + std::to_string(points) + " points");
  }
  given.count = given.displacement.size() / points;
  if (given.count <= most_modes) {
    read_matrix(in, "mass", given.count, given.mass);
    read_matrix(in, "stiffness", given.count, given.stiffness);
  }
  return given;
}

GivenModes read_vtk(const std::filesystem::path& file) {
  const std::string name = file.string();
  geometry::VolumeMeshFile read = geometry::parse_vtk(geometry::read_bytes(file, "a VTK file"), name);
  GivenModes given;
  given.mesh = std::move(read.mesh);
  given.count = read.vectors.size();
  if (given.count == 0) {
    throw CaseError(name, "has no vectors at its points; all data of points with three components are modes");
  }
  for (const Real3& point : given.mesh.points) {
    if (!geometry::is_finite(point)) throw CaseError(name, "has a point that is not finite");
  }
  for (geometry::PointVectors& vectors : read.vectors) {
    for (const Real3& value : vectors.value) {
      if (!geometry::is_finite(value)) {
        throw CaseError(name, "has a vector \"" + vectors.name + "\" that is not finite");
      }
    }
    given.name.push_back(std::move(vectors.name));
    given.displacement.insert(given.displacement.end(), vectors.value.begin(), vectors.value.end());
  }
  return given;
}

}  // namespace

GivenModes read_given_modes(const std::filesystem::path& file) {
  const bool is_vtk = geometry::lower_case(file.extension().string()) == ".vtk";
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) throw CaseError(file.string(), "there is no such file");
  GivenModes given = is_vtk ? read_vtk(file) : read_hdf5(file);
  if (given.count > most_modes) {
    throw CaseError(file.string(), "has " + std::to_string(given.count) + " modes, a grain can have at most " +
                                       std::to_string(most_modes));
  }
  if (!given.lattice && given.mesh.cells() == 0) {
    throw CaseError(file.string(), "has no solid cells: its mesh must have tetrahedra, hexahedra, wedges or pyramids");
  }
  return given;
}

}  // namespace scree::modes
