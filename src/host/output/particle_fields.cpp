#include "host/output/particle_fields.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "host/case/frame_fields.hpp"
#include "host/measure/cell_meters.hpp"
#include "host/output/vtkhdf_parts.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

struct ParticleField;

/// The source and the destination of the values of a field.
struct FieldPlace {
  Hdf5File& file;
  std::string path;
  const ParticleField& field;
  ElementType type;
  const Snapshot& particles;
  const CellState* cell;  ///< null: there is none
};

/// How a field lies in the file. Some numbers need more digits than the precision of the run has: heat and losses are
/// sums over many steps, and places must be as exact as Points.
enum class StoredAs { as_precision, float64, int32, uint32, compressed };

struct ParticleField {
  std::string_view name;
  std::size_t columns;
  StoredAs stored_as;
  void (*write)(const FieldPlace& to);
  bool SnapshotRequest::*request = nullptr;  ///< the part of a snapshot that it needs; null: all snapshots have it
};

void expect_length(const FieldPlace& to, std::size_t length) {
  SCREE_EXPECT(length == to.particles.position.size(),
               "the snapshot does not hold the field " + std::string(to.field.name));
}

void write_numbers(const FieldPlace& to, const std::vector<double>& values) {
  to.file.add_dataset(to.path, values, to.field.columns, to.type);
}
void write_numbers(const FieldPlace& to, const std::vector<Real3>& values) {
  to.file.add_dataset(to.path, vtkhdf::numbers(values), to.field.columns, to.type);
}
template <class Element>
void write_numbers(const FieldPlace& to, const std::vector<Element>& values) {
  to.file.add_dataset(to.path, values.data(), to.field.columns * values.size(), to.field.columns, to.type);
}

/// The values of an array of the snapshot.
template <auto array>
void write_array(const FieldPlace& to) {
  expect_length(to, (to.particles.*array).size());
  write_numbers(to, to.particles.*array);
}

/// [n_particles] null: a single sphere.
std::vector<const SnapshotClump*> clump_of_each(const Snapshot& particles) {
  const std::size_t n = particles.id.size();
  std::vector<const SnapshotClump*> clumps(n, nullptr), by_member;
  for (const SnapshotClump& clump : particles.clumps) { by_member.push_back(&clump); }
  std::sort(by_member.begin(), by_member.end(), [](const auto* a, const auto* b) { return a->first < b->first; });
  std::size_t i = 0;
  for (const SnapshotClump* clump : by_member) {
    while (i < n && particles.id[i] < clump->first) { ++i; }
    for (; i < n && particles.id[i] < clump->first + clump->members; ++i) { clumps[i] = clump; }
  }
  return clumps;
}

// Members of clumps get the values of their clump. Single spheres get the clump -1, no turn, and their own velocity.

void write_clump(const FieldPlace& to) {
  std::vector<std::int64_t> ids;
  for (const auto* clump : clump_of_each(to.particles)) {
    ids.push_back(clump != nullptr ? std::int64_t{clump->id} : -1);
  }
  to.file.add_regular_dataset(to.path, ids);
}

void write_orientation(const FieldPlace& to) {
  std::vector<double> parts;
  for (const auto* clump : clump_of_each(to.particles)) {
    const std::array<double, 4> orientation = clump != nullptr ? clump->orientation : std::array<double, 4>{1, 0, 0, 0};
    parts.insert(parts.end(), orientation.begin(), orientation.end());
  }
  write_numbers(to, parts);
}

void write_clump_velocity(const FieldPlace& to) {
  std::vector<Real3> velocity = to.particles.velocity;
  const std::vector<const SnapshotClump*> clumps = clump_of_each(to.particles);
  for (std::size_t i = 0; i < clumps.size(); ++i) {
    if (clumps[i] != nullptr) { velocity[i] = clumps[i]->velocity; }
  }
  write_numbers(to, velocity);
}

void write_unwrapped_position(const FieldPlace& to) {
  expect_length(to, to.particles.image.size());
  std::vector<Real3> position;
  for (std::size_t i = 0; i < to.particles.id.size(); ++i) {
    position.push_back(unwrapped_position(to.particles, i, *to.cell));
  }
  write_numbers(to, position);
}

using Asked = SnapshotRequest;
constexpr std::array particle_fields = {
    ParticleField{"velocity", 3, StoredAs::as_precision, write_array<&Snapshot::velocity>},
    ParticleField{"angular_velocity", 3, StoredAs::as_precision, write_array<&Snapshot::angular_velocity>},
    ParticleField{"radius", 1, StoredAs::as_precision, write_array<&Snapshot::radius>},
    ParticleField{"material", 1, StoredAs::uint32, write_array<&Snapshot::material>},
    ParticleField{"id", 1, StoredAs::uint32, write_array<&Snapshot::id>},
    ParticleField{"force", 3, StoredAs::as_precision, write_array<&Snapshot::force>, &Asked::force},
    ParticleField{"coordination_number", 1, StoredAs::uint32, write_array<&Snapshot::coordination>,
                  &Asked::coordination},
    ParticleField{"damage", 1, StoredAs::as_precision, write_array<&Snapshot::damage>, &Asked::damage},
    ParticleField{"fragment", 1, StoredAs::uint32, write_array<&Snapshot::fragment>, &Asked::fragment},
    ParticleField{"group", 1, StoredAs::uint32, write_array<&Snapshot::group>, &Asked::group},
    ParticleField{"clump", 1, StoredAs::compressed, write_clump},
    ParticleField{"orientation", 4, StoredAs::as_precision, write_orientation},
    ParticleField{"clump_velocity", 3, StoredAs::as_precision, write_clump_velocity},
    ParticleField{"fluctuation_velocity", 3, StoredAs::as_precision, write_array<&Snapshot::fluctuation>},
    ParticleField{"image", 3, StoredAs::int32, write_array<&Snapshot::image>},
    ParticleField{"unwrapped_position", 3, StoredAs::float64, write_unwrapped_position},
    ParticleField{"temperature", 1, StoredAs::float64, write_array<&Snapshot::temperature>, &Asked::temperature},
    ParticleField{"dissipated_energy", 1, StoredAs::float64, write_array<&Snapshot::dissipated>, &Asked::dissipated},
    ParticleField{"film", 1, StoredAs::float64, write_array<&Snapshot::film>, &Asked::film}};

static_assert(std::equal(particle_fields.begin(), particle_fields.end(), frame_fields.begin(), frame_fields.end(),
                         [](const auto& ours, const auto& of_case) { return ours.name == of_case.name; }),
              "each field that a case can name is written");

const ParticleField& field_named(const std::string& name) {
  const auto* const found = std::find_if(particle_fields.begin(), particle_fields.end(),
                                         [&](const ParticleField& field) { return field.name == name; });
  if (found == particle_fields.end()) { throw ContractError("there is no field of particles with the name " + name); }
  return *found;
}

ElementType type_in_file(StoredAs stored_as, Precision precision) {
  switch (stored_as) {
    case StoredAs::float64: return ElementType::float64;
    case StoredAs::int32: return ElementType::int32;
    case StoredAs::uint32: return ElementType::uint32;
    case StoredAs::compressed: return ElementType::int64;
    case StoredAs::as_precision: break;
  }
  return precision == Precision::double_ ? ElementType::float64 : ElementType::float32;
}

}  // namespace

SnapshotRequest snapshot_request(const std::vector<std::string>& fields) {
  SnapshotRequest request;
  for (const std::string& name : fields) {
    if (const auto part = field_named(name).request) { request.*part = true; }
  }
  return request;
}

std::vector<std::string> frame_fields_of(const Scene& scene) {
  const auto has = [&](FieldNeeds needs) {
    switch (needs) {
      case FieldNeeds::cell: return scene.cell.has_value();
      case FieldNeeds::heat: return scene.heat.has_value();
      case FieldNeeds::losses: return scene.sums_losses;
      case FieldNeeds::films: return scene.has_films();
      case FieldNeeds::nothing: break;
    }
    return true;
  };
  std::vector<std::string> names;
  for (const FrameField& field : frame_fields) {
    if (has(field.needs)) { names.emplace_back(field.name); }
  }
  return names;
}

std::uint64_t bytes_per_particle(const std::string& field, Precision precision) {
  const ParticleField& found = field_named(field);
  if (found.stored_as == StoredAs::compressed) { return 0; }
  const ElementType type = type_in_file(found.stored_as, precision);
  return found.columns * (type == ElementType::float64 ? 8 : 4);
}

void add_particle_field(Hdf5File& file, const std::string& field, const Snapshot& particles, Precision precision,
                        const std::optional<CellState>& cell) {
  const ParticleField& found = field_named(field);
  SCREE_EXPECT(needs_of_field(field) != FieldNeeds::cell || cell.has_value(),
               "the field " + field + " is one of a periodic cell");
  found.write({file, "/VTKHDF/PointData/" + field, found, type_in_file(found.stored_as, precision), particles,
               cell ? &*cell : nullptr});
}

}  // namespace scree
