#include "host/output/vtkhdf.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <numeric>
#include <span>

#include <nlohmann/json.hpp>

#include "host/measure/cell_meters.hpp"
#include "host/output/atomic_file.hpp"
#include "host/output/cylinder_cells.hpp"
#include "host/output/hdf5_file.hpp"
#include "host/text/text.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

constexpr std::uint8_t vtk_vertex = 1, vtk_line = 3, vtk_triangle = 5;

std::span<const double> numbers(const std::vector<Real3>& vectors) {
  return {vectors.empty() ? nullptr : vectors.front().data(), 3 * vectors.size()};
}

/// One piece of cells that all have `corners` corners.
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

void add_header(Hdf5File& file, double time, const char* type = "UnstructuredGrid") {
  file.add_group("/VTKHDF");
  file.add_attribute("/VTKHDF", "Version", std::array<std::int64_t, 2>{1, 0});
  file.add_attribute("/VTKHDF", "Type", type);
  file.add_group("/VTKHDF/PointData");
  file.add_group("/VTKHDF/CellData");
  file.add_group("/VTKHDF/FieldData");
  file.add_dataset("/VTKHDF/FieldData/TimeValue", std::array<double, 1>{time}, 1, ElementType::float64);
}

/// Cells of a cylindrical grid, and what tells of the grid itself; the number of pieces of each of its cells.
std::size_t add_cylinder(Hdf5File& file, const FieldTable& table) {
  const CylinderCells cells = cylinder_cells(table);
  file.add_dataset("/VTKHDF/Points", numbers(cells.points), 3, ElementType::float64);
  add_cells(file, cells.points.size(), cells.connectivity, cells.corners, cells.cell_type);
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

/// Each row of a field so many times.
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

void expect_length(const std::string& field, std::size_t length, const Snapshot& particles) {
  SCREE_EXPECT(length == particles.position.size(), "the snapshot does not hold the field " + field);
}

/// Members of clumps tell of their clump; single spheres have the clump -1, no turn, and their own velocity.
void add_clump_field(Hdf5File& file, const std::string& field, const Snapshot& particles, ElementType stored) {
  const std::string path = "/VTKHDF/PointData/" + field;
  const std::size_t n = particles.id.size();
  std::vector<std::int64_t> clump(n, -1);
  std::vector<double> orientation(4 * n, 0.0);
  std::vector<Real3> velocity = particles.velocity;
  for (std::size_t i = 0; i < n; ++i) { orientation[4 * i] = 1; }
  std::size_t i = 0;
  std::vector<const SnapshotClump*> by_member;
  for (const SnapshotClump& c : particles.clumps) { by_member.push_back(&c); }
  std::sort(by_member.begin(), by_member.end(), [](const auto* a, const auto* b) { return a->first < b->first; });
  for (const SnapshotClump* c : by_member) {
    while (i < n && particles.id[i] < c->first) { ++i; }
    for (; i < n && particles.id[i] < c->first + c->members; ++i) {
      clump[i] = static_cast<std::int64_t>(c->id);
      std::copy(c->orientation.begin(), c->orientation.end(), orientation.begin() + static_cast<std::ptrdiff_t>(4 * i));
      velocity[i] = c->velocity;
    }
  }
  if (field == "clump") {
    file.add_regular_dataset(path, clump);
  } else if (field == "orientation") {
    file.add_dataset(path, orientation, 4, stored);
  } else {
    file.add_dataset(path, numbers(velocity), 3, stored);
  }
}

/// What particles have only in a periodic cell. Unwrapped positions are as exact as positions are.
void add_cell_field(Hdf5File& file, const std::string& field, const Snapshot& particles, ElementType stored,
                    const CellState& cell) {
  const std::string path = "/VTKHDF/PointData/" + field;
  expect_length(field, particles.image.size(), particles);
  if (field == "image") {
    file.add_dataset(path, particles.image.data(), 3 * particles.image.size(), 3, ElementType::int32);
  } else if (field == "fluctuation_velocity") {
    expect_length(field, particles.fluctuation.size(), particles);
    file.add_dataset(path, numbers(particles.fluctuation), 3, stored);
  } else {
    std::vector<Real3> position;
    for (std::size_t i = 0; i < particles.id.size(); ++i) {
      position.push_back(unwrapped_position(particles, i, cell));
    }
    file.add_dataset(path, numbers(position), 3, ElementType::float64);
  }
}

void add_field(Hdf5File& file, const std::string& field, const Snapshot& particles, ElementType stored,
               const std::optional<CellState>& cell) {
  const std::string path = "/VTKHDF/PointData/" + field;
  const auto add_vectors = [&](const std::vector<Real3>& values) {
    expect_length(field, values.size(), particles);
    file.add_dataset(path, numbers(values), 3, stored);
  };
  const auto add_integers = [&](const std::vector<std::uint32_t>& values) {
    expect_length(field, values.size(), particles);
    file.add_dataset(path, values);
  };
  const auto add_numbers = [&](const std::vector<double>& values, ElementType type) {
    expect_length(field, values.size(), particles);
    file.add_dataset(path, values, 1, type);
  };
  if (field == "velocity") {
    add_vectors(particles.velocity);
  } else if (field == "angular_velocity") {
    add_vectors(particles.angular_velocity);
  } else if (field == "force") {
    add_vectors(particles.force);
  } else if (field == "radius") {
    add_numbers(particles.radius, stored);
  } else if (field == "temperature") {
    add_numbers(particles.temperature, ElementType::float64);
  } else if (field == "dissipated_energy") {
    add_numbers(particles.dissipated, ElementType::float64);
  } else if (field == "film") {
    add_numbers(particles.film, ElementType::float64);
  } else if (field == "damage") {
    add_numbers(particles.damage, stored);
  } else if (field == "material") {
    add_integers(particles.material);
  } else if (field == "id") {
    add_integers(particles.id);
  } else if (field == "fragment") {
    add_integers(particles.fragment);
  } else if (field == "group") {
    add_integers(particles.group);
  } else if (field == "clump" || field == "orientation" || field == "clump_velocity") {
    add_clump_field(file, field, particles, stored);
  } else if (needs_cell(field)) {
    SCREE_EXPECT(cell.has_value(), "the field " + field + " is one of a periodic cell");
    add_cell_field(file, field, particles, stored, *cell);
  } else if (field == "coordination_number") {
    add_integers(particles.coordination);
  } else {
    throw ContractError("write_particle_frame: unknown field " + field);
  }
}

/// Edges and origin of the periodic cell.
void add_cell(Hdf5File& hdf, const CellState& cell) {
  const std::vector<Real3> edges(cell.edges.begin(), cell.edges.end());
  hdf.add_dataset("/VTKHDF/FieldData/cell", numbers(edges), 3, ElementType::float64);
  hdf.add_dataset("/VTKHDF/FieldData/cell_origin", cell.origin, 3, ElementType::float64);
}

/// A cell of type vertex for each of `n` points.
void add_vertex_cells(Hdf5File& hdf, std::size_t n) {
  std::vector<std::int64_t> connectivity(n);
  std::iota(connectivity.begin(), connectivity.end(), 0);
  add_cells(hdf, n, connectivity, 1, vtk_vertex);
}

void add_triangles(Hdf5File& hdf, const TriangleMesh& mesh, const std::vector<Real3>& vertices) {
  SCREE_EXPECT(vertices.size() == mesh.vertices.size(), "as many vertices as the mesh has");
  hdf.add_dataset("/VTKHDF/Points", numbers(vertices), 3, ElementType::float64);
  std::vector<std::int64_t> connectivity;
  connectivity.reserve(3 * mesh.triangles.size());
  for (const auto& triangle : mesh.triangles) {
    connectivity.insert(connectivity.end(), triangle.begin(), triangle.end());
  }
  add_cells(hdf, vertices.size(), connectivity, 3, vtk_triangle);
}

}  // namespace

SnapshotRequest snapshot_request(const std::vector<std::string>& fields) {
  const auto has = [&](const char* name) { return std::find(fields.begin(), fields.end(), name) != fields.end(); };
  return {.force = has("force"),
          .coordination = has("coordination_number"),
          .damage = has("damage"),
          .fragment = has("fragment"),
          .group = has("group"),
          .temperature = has("temperature"),
          .dissipated = has("dissipated_energy"),
          .film = has("film")};
}

void write_particle_frame(const std::filesystem::path& file, const Snapshot& particles,
                          const std::vector<std::string>& fields, Precision precision,
                          const std::optional<CellState>& cell, const std::string& stage) {
  const auto stored = precision == Precision::double_ ? ElementType::float64 : ElementType::float32;
  Hdf5File hdf(file);
  add_header(hdf, particles.time);
  const std::array<std::int64_t, 1> step{static_cast<std::int64_t>(particles.step)};
  hdf.add_regular_dataset("/VTKHDF/FieldData/Step", step);
  if (!stage.empty()) { hdf.add_text("/VTKHDF/FieldData/Stage", stage); }
  if (cell) { add_cell(hdf, *cell); }
  hdf.add_dataset("/VTKHDF/Points", numbers(particles.position), 3, ElementType::float64);
  add_vertex_cells(hdf, particles.position.size());
  for (const auto& field : fields) { add_field(hdf, field, particles, stored, cell); }
  hdf.save();
}

void write_surface_frame(const std::filesystem::path& file, const TriangleMesh& mesh,
                         const std::vector<Real3>& vertices, double time, const std::vector<SurfaceField>& fields) {
  Hdf5File hdf(file);
  add_header(hdf, time);
  add_triangles(hdf, mesh, vertices);
  for (const SurfaceField& field : fields) {
    SCREE_EXPECT(field.values.size() == mesh.triangles.size(), "a value for each triangle");
    hdf.add_dataset("/VTKHDF/CellData/" + field.name, field.values, 1, ElementType::float64);
  }
  hdf.save();
}

void write_grain_frame(const std::filesystem::path& file, const GrainSurfaces& surfaces,
                       const std::vector<Real3>& traction, double time, Precision precision) {
  const auto stored = precision == Precision::double_ ? ElementType::float64 : ElementType::float32;
  const std::size_t triangles = surfaces.mesh.triangles.size();
  SCREE_EXPECT(surfaces.clump.size() == triangles && surfaces.amplitude.size() == triangles * surfaces.modes,
               "a grain and its amplitudes for each triangle");
  Hdf5File hdf(file);
  add_header(hdf, time);
  add_triangles(hdf, surfaces.mesh, surfaces.mesh.vertices);
  hdf.add_dataset("/VTKHDF/CellData/clump", surfaces.clump);
  if (surfaces.modes > 0) { hdf.add_dataset("/VTKHDF/CellData/amplitude", surfaces.amplitude, surfaces.modes, stored); }
  if (!traction.empty()) {
    SCREE_EXPECT(traction.size() == surfaces.mesh.vertices.size(), "a traction for each vertex");
    hdf.add_dataset("/VTKHDF/PointData/traction", numbers(traction), 3, stored);
  }
  hdf.save();
}

void write_node_frame(const std::filesystem::path& file, const std::vector<TouchingNode>& nodes, double time,
                      Precision precision) {
  const auto stored = precision == Precision::double_ ? ElementType::float64 : ElementType::float32;
  Hdf5File hdf(file);
  add_header(hdf, time);
  const auto columns = [&](auto value) {
    std::vector<decltype(value(nodes[0]))> column;
    column.reserve(nodes.size());
    for (const TouchingNode& node : nodes) { column.push_back(value(node)); }
    return column;
  };
  const auto number = [](bool value) { return static_cast<std::uint32_t>(value ? 1 : 0); };
  hdf.add_dataset("/VTKHDF/Points", numbers(columns([](const auto& n) { return n.point; })), 3, ElementType::float64);
  add_vertex_cells(hdf, nodes.size());
  const std::string data = "/VTKHDF/PointData/";
  hdf.add_dataset(data + "first", columns([](const auto& n) { return n.first; }));
  hdf.add_dataset(data + "second", columns([](const auto& n) { return n.second; }));
  hdf.add_dataset(data + "with_boundary", columns([&](const auto& n) { return number(n.with_boundary); }));
  hdf.add_dataset(data + "of_first", columns([&](const auto& n) { return number(n.of_first); }));
  hdf.add_dataset(data + "force", numbers(columns([](const auto& n) { return n.force; })), 3, stored);
  hdf.add_dataset(data + "normal", numbers(columns([](const auto& n) { return n.normal; })), 3, stored);
  hdf.add_dataset(data + "overlap", columns([](const auto& n) { return n.overlap; }), 1, stored);
  hdf.save();
}

void write_contact_frame(const std::filesystem::path& file, const ContactTable& contacts, Precision precision) {
  const auto stored = precision == Precision::double_ ? ElementType::float64 : ElementType::float32;
  Hdf5File hdf(file);
  add_header(hdf, contacts.time);
  hdf.add_regular_dataset("/VTKHDF/FieldData/Step",
                          std::array<std::int64_t, 1>{static_cast<std::int64_t>(contacts.step)});
  if (contacts.cell) { add_cell(hdf, *contacts.cell); }
  hdf.add_dataset("/VTKHDF/Points", numbers(contacts.ends), 3, ElementType::float64);
  std::vector<std::int64_t> connectivity(contacts.ends.size());
  std::iota(connectivity.begin(), connectivity.end(), 0);
  add_cells(hdf, contacts.ends.size(), connectivity, 2, vtk_line);
  const std::string data = "/VTKHDF/CellData/";
  hdf.add_dataset(data + "first", contacts.first);
  hdf.add_dataset(data + "second", contacts.second);
  hdf.add_regular_dataset(data + "with_boundary", contacts.with_boundary);
  hdf.add_regular_dataset(data + "bonded", contacts.bonded);
  hdf.add_dataset(data + "point", numbers(contacts.point), 3, ElementType::float64);
  hdf.add_dataset(data + "normal", numbers(contacts.normal), 3, stored);
  hdf.add_dataset(data + "normal_force", contacts.normal_force, 1, stored);
  hdf.add_dataset(data + "shear_force", numbers(contacts.shear_force), 3, stored);
  hdf.add_dataset(data + "spring", numbers(contacts.spring), 3, stored);
  hdf.add_dataset(data + "overlap", contacts.overlap, 1, stored);
  if (contacts.cell) {
    hdf.add_dataset(data + "cell_offset", contacts.cell_offset.data(), 3 * contacts.size(), 3, ElementType::int32);
  }
  hdf.save();
}

void write_field_frame(const std::filesystem::path& file, const FieldTable& table, Precision precision) {
  const auto stored = precision == Precision::double_ ? ElementType::float64 : ElementType::float32;
  Hdf5File hdf(file);
  add_header(hdf, table.time, table.cylinder ? "UnstructuredGrid" : "ImageData");
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
  hdf.add_regular_dataset(about + "Step", std::array<std::int64_t, 1>{static_cast<std::int64_t>(table.step)});
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

void write_file_series(const std::filesystem::path& file,
                       const std::vector<std::pair<std::string, double>>& name_and_time) {
  std::string text = "{\n  \"file-series-version\": \"1.0\",\n  \"files\": [";
  for (std::size_t i = 0; i < name_and_time.size(); ++i) {
    const auto& [name, time] = name_and_time[i];
    text += (i == 0 ? "\n" : ",\n");
    text += "    { \"name\": " + nlohmann::json(name).dump() + ", \"time\": " + number_text(time) + " }";
  }
  write_text_atomically(file, text + "\n  ]\n}\n");
}

std::optional<std::vector<std::pair<std::string, double>>> read_file_series(const std::filesystem::path& file) {
  std::ifstream in(file);
  const auto json = nlohmann::json::parse(in, nullptr, false);
  if (!json.is_object() || !json.contains("files") || !json["files"].is_array()) { return std::nullopt; }
  std::vector<std::pair<std::string, double>> entries;
  for (const auto& entry : json["files"]) {
    if (!entry.is_object() || !entry.contains("name") || !entry.contains("time")) { return std::nullopt; }
    if (!entry["name"].is_string() || !entry["time"].is_number()) { return std::nullopt; }
    entries.emplace_back(entry["name"].get<std::string>(), entry["time"].get<double>());
  }
  return entries;
}

}  // namespace scree
