#include "host/commands/inlet_totals.hpp"

#include <algorithm>
#include <limits>

#include "host/case/particle_kinds.hpp"
#include "host/measure/state_measures.hpp"
#include "host/packing/random.hpp"
#include "host/packing/sizes.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

/// [kg] The mean mass of a particle of one kind; for clumps it follows from their equivalent radii.
double mean_mass(const ParticleKind& kind, const SceneInlet& inlet, const Scene& scene) {
  constexpr int drawn = 500;
  const packing::SizeSampler sampler(kind.radius.value_or(SizeDistribution(FixedSize{inlet.largest_particle()})));
  packing::Random random(0, 0);
  double sum = 0;
  for (int k = 0; k < drawn; ++k) { sum += sphere_mass(scene.materials[inlet.material].density, sampler.draw(random)); }
  return sum / drawn;
}

}  // namespace

std::vector<InletTotal> inlet_totals(const Case& input, const Scene& scene) {
  std::vector<InletTotal> totals;
  for (std::size_t first = 0; first < scene.inlets.size(); ++first) {
    const SceneInlet& inlet = scene.inlets[first];
    if (inlet.part > 0) { continue; }
    const Inlet& source = *input.particles[inlet.entry].inlet;
    const auto kinds = kinds_of(input, input.particles[inlet.entry]);
    double per_mass = 0, spheres_per_mass = 0, smallest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const SceneInlet& part = scene.inlets.at(first + k);
      const double one = mean_mass(kinds[k], part, scene);
      const std::size_t members = part.shape ? scene.clump_shapes[*part.shape].radius.size() : 1;
      per_mass += kinds[k].mass_fraction / one;
      spheres_per_mass += static_cast<double>(members) * kinds[k].mass_fraction / one;
      smallest = std::min(smallest, one);
    }
    const double open = std::max(0.0, std::min(source.until, input.time.duration) - source.from);
    double particles = source.rate ? *source.rate * open : *source.mass_flow * open * per_mass;
    if (source.count) { particles = std::min(particles, static_cast<double>(*source.count)); }
    if (source.mass) { particles = std::min(particles, *source.mass * per_mass); }
    totals.push_back({inlet.entry, particles, particles * spheres_per_mass / per_mass, smallest, open > 0});
  }
  return totals;
}

std::vector<std::string> empty_inlet_warnings(const std::vector<InletTotal>& totals) {
  std::vector<std::string> warnings;
  for (const InletTotal& total : totals) {
    if (total.particles >= 0.5) { continue; }
    const std::string why = total.is_open ? " until the end of the run: one has a mass of about " +
                                                short_number_text(total.mean_mass, 3) + " kg"
                                          : ", since it opens when the run is over";
    warnings.push_back("particles." + std::to_string(total.entry) + ".inlet: brings no particle" + why);
  }
  return warnings;
}

}  // namespace scree
