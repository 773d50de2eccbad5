#include <algorithm>

#include "host/measure/cell_meters.hpp"
#include "host/output/vtkhdf.hpp"
#include "host/output/vtkhdf_parts.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

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
    file.add_dataset(path, vtkhdf::numbers(velocity), 3, stored);
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
    file.add_dataset(path, vtkhdf::numbers(particles.fluctuation), 3, stored);
  } else {
    std::vector<Real3> position;
    for (std::size_t i = 0; i < particles.id.size(); ++i) {
      position.push_back(unwrapped_position(particles, i, cell));
    }
    file.add_dataset(path, vtkhdf::numbers(position), 3, ElementType::float64);
  }
}

void add_field(Hdf5File& file, const std::string& field, const Snapshot& particles, ElementType stored,
               const std::optional<CellState>& cell) {
  const std::string path = "/VTKHDF/PointData/" + field;
  const auto add_vectors = [&](const std::vector<Real3>& values) {
    expect_length(field, values.size(), particles);
    file.add_dataset(path, vtkhdf::numbers(values), 3, stored);
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
  vtkhdf::add_header(hdf, particles.time);
  vtkhdf::add_step(hdf, particles.step);
  if (!stage.empty()) { hdf.add_text("/VTKHDF/FieldData/Stage", stage); }
  if (cell) { vtkhdf::add_periodic_cell(hdf, *cell); }
  hdf.add_dataset("/VTKHDF/Points", vtkhdf::numbers(particles.position), 3, ElementType::float64);
  vtkhdf::add_vertex_cells(hdf, particles.position.size());
  for (const auto& field : fields) { add_field(hdf, field, particles, stored, cell); }
  hdf.save();
}

}  // namespace scree
