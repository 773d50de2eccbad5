#include "host/output/particle_fields.hpp"
#include "host/output/vtkhdf.hpp"
#include "host/output/vtkhdf_parts.hpp"

namespace scree {

void write_particle_frame(const std::filesystem::path& file, const Snapshot& particles,
                          const std::vector<std::string>& fields, Precision precision,
                          const std::optional<CellState>& cell, const std::string& stage) {
  Hdf5File hdf(file);
  vtkhdf::add_header(hdf, particles.time);
  vtkhdf::add_step(hdf, particles.step);
  if (!stage.empty()) { hdf.add_text("/VTKHDF/FieldData/Stage", stage); }
  if (cell) { vtkhdf::add_periodic_cell(hdf, *cell); }
  hdf.add_dataset("/VTKHDF/Points", vtkhdf::numbers(particles.position), 3, ElementType::float64);
  vtkhdf::add_vertex_cells(hdf, particles.position.size());
  for (const auto& field : fields) { add_particle_field(hdf, field, particles, precision, cell); }
  hdf.save();
}

}  // namespace scree
