#include "host/writers/series_writer.hpp"

#include <numbers>

#include "host/text.hpp"
#include "host/writers/frame_writer.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

constexpr std::array axes{"x", "y", "z"};

std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\n\r") == std::string::npos) { return name; }
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"') { text += '"'; }
    text += c == '\n' || c == '\r' ? ' ' : c;
  }
  return text + '"';
}

double squared(const Real3& vector) { return vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]; }

void append_vector(std::string& row, const Real3& vector) {
  for (const double component : vector) { row += "," + number_text(component); }
}

}  // namespace

double kinetic_energy(const Snapshot& particles, const Scene& scene) {
  double energy = 0;
  for (std::size_t i = 0; i < particles.position.size(); ++i) {
    const double radius = particles.radius[i];
    const double density = scene.materials[particles.material[i]].density;
    const double mass = density * (4.0 / 3.0 * std::numbers::pi) * (radius * radius * radius);
    const double inertia = 0.4 * mass * (radius * radius);
    energy += 0.5 * mass * squared(particles.velocity[i]) + 0.5 * inertia * squared(particles.angular_velocity[i]);
  }
  return energy;
}

std::string series_header(const Scene& scene, const std::vector<std::string>& probe_columns) {
  std::string header = "time[s],step,particles,contacts,wall_contacts,kinetic_energy[J]";
  if (!scene.inlets.empty()) { header += ",inserted"; }
  for (const auto& name : scene.outlet_names) {
    header += "," + quoted("removed_" + name) + "," + quoted("removed_mass_" + name + "[kg]");
  }
  for (const auto& boundary : scene.boundaries) {
    for (const char* axis : axes) {
      header += "," + quoted(std::string("force_") + axis + "_" + boundary.name + "[N]");
    }
    for (const char* axis : axes) {
      header += "," + quoted(std::string("torque_") + axis + "_" + boundary.name + "[N m]");
    }
  }
  if (scene.energies) {
    header +=
        ",kinetic_translation[J],kinetic_rotation[J],elastic[J],work_gravity[J],work_boundaries[J],work_groups[J],lost_friction[J],lost_viscous[J],"
        "lost_damping[J],lost_breakage[J],lost_parting[J],lost_removed[J],energy_error[J]";
  }
  for (const auto& column : probe_columns) { header += "," + quoted(column); }
  return header;
}

SeriesWriter::SeriesWriter(const std::filesystem::path& folder, const SeriesOutput& output, const Scene& scene,
                           const std::filesystem::path& case_folder)
    : scene_(scene),
      schedule_(output.every, scene.time_step),
      probes_(output, scene, case_folder),
      file_(folder / "series.csv") {
  file_.append(series_header(scene, probes_.columns()));
}

void SeriesWriter::write(Engine& engine) {
  if (last_step_ == engine.step()) { return; }
  const Snapshot particles = engine.snapshot();
  expect_finite(particles);
  const EngineCounts counts = engine.counts();
  const auto loads = engine.boundary_loads();
  SCREE_EXPECT(
      counts.removed.size() == scene_.outlet_names.size() && counts.removed_mass.size() == counts.removed.size(),
      "one count and one mass per outlet name");
  SCREE_EXPECT(loads.size() == scene_.boundaries.size(), "one load per boundary");
  std::string row = number_text(engine.time()) + "," + std::to_string(engine.step()) + "," +
                    std::to_string(counts.particles) + "," + std::to_string(counts.contacts) + "," +
                    std::to_string(counts.wall_contacts) + "," + number_text(kinetic_energy(particles, scene_));
  if (!scene_.inlets.empty()) { row += "," + std::to_string(counts.inserted); }
  for (std::size_t i = 0; i < counts.removed.size(); ++i) {
    row += "," + std::to_string(counts.removed[i]) + "," + number_text(counts.removed_mass[i]);
  }
  for (const auto& load : loads) {
    append_vector(row, load.force);
    append_vector(row, load.torque);
  }
  if (scene_.energies) {
    const EnergyLedger e = engine.energies();
    for (const double energy : {e.kinetic_translation, e.kinetic_rotation, e.elastic, e.gravity, e.boundaries, e.groups, e.friction, e.viscous,
                                e.damping, e.breakage, e.parting, e.removed, e.error}) {
      row += "," + number_text(energy);
    }
  }
  if (!probes_.empty()) {
    for (const double value : probes_.measure(engine, scene_)) { row += "," + number_text(value); }
  }
  file_.append(row);
  last_step_ = engine.step();
}

}  // namespace scree
