#include "host/output/vtkhdf.hpp"

#include <numeric>

#include "host/output/vtkhdf_parts.hpp"
#include "scree/errors.hpp"

namespace scree {

void write_surface_frame(const std::filesystem::path& file, const TriangleMesh& mesh,
                         const std::vector<Real3>& vertices, double time, const std::vector<SurfaceField>& fields) {
  Hdf5File hdf(file);
  vtkhdf::add_header(hdf, time);
  vtkhdf::add_triangles(hdf, mesh, vertices);
  for (const SurfaceField& field : fields) {
    SCREE_EXPECT(field.values.size() == mesh.triangles.size(), "a value for each triangle");
    hdf.add_dataset("/VTKHDF/CellData/" + field.name, field.values, 1, ElementType::float64);
  }
  hdf.save();
}

void write_grain_frame(const std::filesystem::path& file, const GrainSurfaces& surfaces,
                       const std::optional<std::vector<Real3>>& traction, double time, Precision precision) {
  const auto stored = precision == Precision::double_ ? ElementType::float64 : ElementType::float32;
  const std::size_t triangles = surfaces.mesh.triangles.size();
  SCREE_EXPECT(surfaces.clump.size() == triangles && surfaces.amplitude.size() == triangles * surfaces.modes,
               "a grain and its amplitudes for each triangle");
  Hdf5File hdf(file);
  vtkhdf::add_header(hdf, time);
  vtkhdf::add_triangles(hdf, surfaces.mesh, surfaces.mesh.vertices);
  hdf.add_dataset("/VTKHDF/CellData/clump", surfaces.clump);
  if (surfaces.modes > 0) { hdf.add_dataset("/VTKHDF/CellData/amplitude", surfaces.amplitude, surfaces.modes, stored); }
  if (traction) {
    SCREE_EXPECT(traction->size() == surfaces.mesh.vertices.size(), "a traction for each vertex");
    hdf.add_dataset("/VTKHDF/PointData/traction", vtkhdf::numbers(*traction), 3, stored);
  }
  hdf.save();
}

void write_node_frame(const std::filesystem::path& file, const std::vector<TouchingNode>& nodes, double time,
                      Precision precision) {
  const auto stored = precision == Precision::double_ ? ElementType::float64 : ElementType::float32;
  Hdf5File hdf(file);
  vtkhdf::add_header(hdf, time);
  const auto columns = [&](auto value) {
    std::vector<decltype(value(nodes[0]))> column;
    column.reserve(nodes.size());
    for (const TouchingNode& node : nodes) { column.push_back(value(node)); }
    return column;
  };
  const auto number = [](bool value) { return static_cast<std::uint32_t>(value ? 1 : 0); };
  hdf.add_dataset("/VTKHDF/Points", vtkhdf::numbers(columns([](const auto& n) { return n.point; })), 3,
                  ElementType::float64);
  vtkhdf::add_vertex_cells(hdf, nodes.size());
  const std::string data = "/VTKHDF/PointData/";
  hdf.add_dataset(data + "first", columns([](const auto& n) { return n.first; }));
  hdf.add_dataset(data + "second", columns([](const auto& n) { return n.second; }));
  hdf.add_dataset(data + "with_boundary", columns([&](const auto& n) { return number(n.with_boundary); }));
  hdf.add_dataset(data + "of_first", columns([&](const auto& n) { return number(n.of_first); }));
  hdf.add_dataset(data + "force", vtkhdf::numbers(columns([](const auto& n) { return n.force; })), 3, stored);
  hdf.add_dataset(data + "normal", vtkhdf::numbers(columns([](const auto& n) { return n.normal; })), 3, stored);
  hdf.add_dataset(data + "overlap", columns([](const auto& n) { return n.overlap; }), 1, stored);
  hdf.save();
}

void write_contact_frame(const std::filesystem::path& file, const ContactTable& contacts, Precision precision) {
  const auto stored = precision == Precision::double_ ? ElementType::float64 : ElementType::float32;
  Hdf5File hdf(file);
  vtkhdf::add_header(hdf, contacts.time);
  vtkhdf::add_step(hdf, contacts.step);
  if (contacts.cell) { vtkhdf::add_periodic_cell(hdf, *contacts.cell); }
  hdf.add_dataset("/VTKHDF/Points", vtkhdf::numbers(contacts.ends), 3, ElementType::float64);
  std::vector<std::int64_t> connectivity(contacts.ends.size());
  std::iota(connectivity.begin(), connectivity.end(), 0);
  vtkhdf::add_cells(hdf, contacts.ends.size(), connectivity, 2, vtkhdf::line_type);
  const std::string data = "/VTKHDF/CellData/";
  hdf.add_dataset(data + "first", contacts.first);
  hdf.add_dataset(data + "second", contacts.second);
  hdf.add_regular_dataset(data + "with_boundary", contacts.with_boundary);
  hdf.add_regular_dataset(data + "bonded", contacts.bonded);
  hdf.add_dataset(data + "point", vtkhdf::numbers(contacts.point), 3, ElementType::float64);
  hdf.add_dataset(data + "normal", vtkhdf::numbers(contacts.normal), 3, stored);
  hdf.add_dataset(data + "normal_force", contacts.normal_force, 1, stored);
  hdf.add_dataset(data + "shear_force", vtkhdf::numbers(contacts.shear_force), 3, stored);
  hdf.add_dataset(data + "spring", vtkhdf::numbers(contacts.spring), 3, stored);
  hdf.add_dataset(data + "overlap", contacts.overlap, 1, stored);
  if (contacts.couple) { hdf.add_dataset(data + "couple", vtkhdf::numbers(*contacts.couple), 3, stored); }
  if (contacts.cell) {
    hdf.add_dataset(data + "cell_offset", contacts.cell_offset.data(), 3 * contacts.size(), 3, ElementType::int32);
  }
  hdf.save();
}

}  // namespace scree
