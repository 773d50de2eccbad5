#include "host/output/broken_particle_writer.hpp"

#include "host/measure/state_measures.hpp"
#include "host/text/csv.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

constexpr const char* broken_particle_header =
    "time[s],step,id,material,x[m],y[m],z[m],radius[m],mass[kg],stress[Pa],strength[Pa],fragments,first_fragment";

}  // namespace

BrokenParticleWriter::BrokenParticleWriter(const std::filesystem::path& folder, const Scene& scene,
                                           std::optional<std::uint64_t> resumed_at)
    : scene_(scene), table_(folder / "broken_particles.csv", broken_particle_header) {
  if (resumed_at) { table_.continue_before(*resumed_at + 1, true); }
}

void BrokenParticleWriter::write(const std::vector<BrokenParticle>& broken, const Engine& engine) {
  const std::string moment = number_text(engine.time()) + "," + std::to_string(engine.step());
  for (const BrokenParticle& one : broken) {
    const std::uint32_t material = scene_.case_material(one.parent.material);
    std::string row = moment + "," + std::to_string(one.parent.id) + "," +
                      csv::quoted(material < scene_.material_names.size() ? scene_.material_names[material] : "");
    for (const double x : one.parent.position) { row += "," + number_text(x); }
    const double mass = sphere_mass(scene_.materials.at(one.parent.material).density, one.parent.radius);
    for (const double value : {one.parent.radius, mass, one.stress, one.strength}) { row += "," + number_text(value); }
    row += "," + std::to_string(one.fragments) + "," + std::to_string(one.first);
    table_.add(row);
  }
  table_.append();
}

}  // namespace scree
