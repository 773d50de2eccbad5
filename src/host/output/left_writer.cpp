#include "host/output/left_writer.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/text/csv.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

/// Whether the case gives groups a name; then a first group without a name has all other particles.
bool has_groups(const Scene& scene) {
  return std::any_of(scene.groups.begin(), scene.groups.end(), [](const SceneGroup& g) { return !g.name.empty(); });
}

/// The columns. Those about groups, inlets, heat and films exist only in runs that have them.
std::string header_of(const Scene& scene) {
  std::string header =
      "time[s],step,id,outlet,material,mass[kg],diameter[m],x[m],y[m],z[m],"
      "velocity_x[m/s],velocity_y[m/s],velocity_z[m/s],inserted[s]";
  if (has_groups(scene)) { header += ",group"; }
  if (!scene.inlets.empty()) { header += ",inlet"; }
  if (scene.heat) { header += ",temperature[K]"; }
  if (scene.has_films()) { header += ",film[m3]"; }
  return header;
}

/// The name of an inlet, or the place of its entry in the case; empty for particles that no inlet has brought.
std::string name_of_inlet(const Scene& scene, std::uint64_t entry) {
  for (const SceneInlet& inlet : scene.inlets) {
    if (inlet.entry == entry) { return inlet.name.empty() ? "particles." + std::to_string(entry) : inlet.name; }
  }
  return "";
}

/// [m] of the sphere that has this mass [kg].
double diameter(double mass, double density) { return std::cbrt(6 * mass / (std::numbers::pi * density)); }

}  // namespace

LeftWriter::LeftWriter(const std::filesystem::path& folder, const Scene& scene, Insertions& insertions,
                       std::optional<std::uint64_t> resumed_at)
    : scene_(scene), insertions_(insertions), table_(folder / "left.csv", header_of(scene)) {
  // The rows of the step of the checkpoint were written before it.
  if (resumed_at) { table_.continue_before(*resumed_at + 1, true); }
}

void LeftWriter::write(Engine& engine) {
  insertions_.note(engine);
  for (const RemovedParticle& particle : engine.take_removed()) { table_.add(row_of(particle)); }
  table_.append();
}

std::string LeftWriter::row_of(const RemovedParticle& particle) const {
  const std::uint32_t material = scene_.case_material(particle.material);
  std::string row = number_text(particle.time) + "," + std::to_string(particle.step) + "," +
                    std::to_string(particle.id) + "," + csv::quoted(scene_.outlet_names.at(particle.outlet)) + "," +
                    csv::quoted(material < scene_.material_names.size() ? scene_.material_names[material] : "") + "," +
                    number_text(particle.mass) + "," +
                    number_text(diameter(particle.mass, scene_.materials.at(particle.material).density));
  for (const Real3* vector : {&particle.position, &particle.velocity}) {
    for (const double component : *vector) { row += "," + number_text(component); }
  }
  row += "," + number_text(insertions_.time_of(particle.id));
  if (has_groups(scene_)) { row += "," + csv::quoted(scene_.groups.at(particle.group).name); }
  if (!scene_.inlets.empty()) { row += "," + csv::quoted(name_of_inlet(scene_, insertions_.inlet_of(particle.id))); }
  if (scene_.heat) { row += "," + number_text(particle.temperature); }
  if (scene_.has_films()) { row += "," + number_text(particle.film); }
  return row;
}

void LeftWriter::restore(std::uint64_t removed) {
  notes_ = table_.kept().notes;
  if (insertions_.lacks_some()) {
    notes_.emplace_back(
        "left.csv: the checkpoint does not tell when the particles of inlets came in: \"nan\" stands for those of "
        "before this step");
  }
  if (table_.kept().rows < removed) {
    notes_.push_back("left.csv lacks " + std::to_string(removed - table_.kept().rows) + " of the " +
                     std::to_string(removed) + " particles that had left before this step");
  }
}

}  // namespace scree
