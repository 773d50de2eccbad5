#include "host/scene/heat.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "host/geometry/real3.hpp"
#include "host/scene/contact_springs.hpp"
#include "host/scene/meetings.hpp"
#include "host/text/text.hpp"
#include "scree/elasticity.hpp"

namespace scree {
namespace {

/// [J/(s^1/2 m2 K)] Thermal effusivity.
double effusivity(const Material& material) {
  return std::sqrt(material.thermal->conductivity * material.density * material.thermal->heat_capacity);
}

/// [-] Contact radius with the true moduli over that with the moduli of the run: under the same force it is
/// proportional to the modulus to the power of -1/3.
double radius_factor(const Material& a, const Material& b, const MaterialPair& pair) {
  if (!a.thermal->young_modulus && !b.thermal->young_modulus) return 1;
  Material true_a = a, true_b = b;
  true_a.young_modulus = a.thermal->young_modulus.value_or(a.young_modulus);
  true_b.young_modulus = b.thermal->young_modulus.value_or(b.young_modulus);
  return std::cbrt(effective_moduli(a, b, pair).young / effective_moduli(true_a, true_b, MaterialPair{}).young);
}

ThermalPair thermal_pair(const Material& a, const Material& b, const MaterialPair& pair) {
  ThermalPair result;
  // A half space conducts 4 k a from a circle of radius a to infinity; the two half spaces are in series.
  result.per_radius = 4 / (1 / a.thermal->conductivity + 1 / b.thermal->conductivity);
  result.radius_factor = radius_factor(a, b, pair);
  result.share_of_first = effusivity(a) / (effusivity(a) + effusivity(b));
  return result;
}

/// [-] The surface of all spheres of a clump over the surface of the clump, estimated from evenly spread points on each
/// sphere.
double surface_excess(const ClumpShape& shape) {
  constexpr int looks = 400;
  const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
  double all = 0, free = 0;
  for (std::size_t i = 0; i < shape.radius.size(); ++i) {
    const double area = shape.radius[i] * shape.radius[i];
    int seen = 0;
    for (int k = 0; k < looks; ++k) {
      const double z = 1 - (2.0 * k + 1) / looks, across = std::sqrt(1 - z * z), angle = golden * k;
      const Real3 direction{across * std::cos(angle), across * std::sin(angle), z};
      const Real3 point = geometry::along(shape.position[i], shape.radius[i], direction);
      bool covered = false;
      for (std::size_t j = 0; j < shape.radius.size() && !covered; ++j) {
        covered = j != i && geometry::length(geometry::subtract(point, shape.position[j])) < shape.radius[j];
      }
      seen += covered ? 0 : 1;
    }
    all += area;
    free += area * seen / looks;
  }
  return free > 0 ? all / free : 1;
}

}  // namespace

void resolve_heat(const Case& input, Scene& scene) {
  if (!input.heat) return;
  SceneHeat heat{*input.heat, {}};
  const std::size_t n = scene.materials.size();
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      heat.pairs.push_back(thermal_pair(scene.materials[a], scene.materials[b], scene.pair(a, b)));
    }
  }
  scene.heat = std::move(heat);
  scene.energies = scene.energies || input.heat->dissipation > 0;
}

double heat_range(const Scene& scene) {
  if (!scene.heat) return 1;
  double range = 1;
  if (const auto& gas = scene.heat->settings.gas) range = std::max(range, 1.001 * (1 + gas->thickness) + 1e-6);
  if (const auto& radiation = scene.heat->settings.radiation) range = std::max(range, 1.001 * radiation->range + 1e-6);
  return range;
}

void warn_of_hot_clumps(const Scene& scene, std::vector<std::string>& warnings) {
  constexpr double noticed = 1.1;
  if (!scene.heat || !(scene.heat->settings.gas || scene.heat->settings.radiation)) { return; }
  std::vector<bool> used(scene.clump_shapes.size());
  for (const Clump& clump : scene.particles.clumps) { used[clump.shape] = true; }
  for (const SceneInlet& inlet : scene.inlets) {
    if (inlet.shape) { used[*inlet.shape] = true; }
  }
  for (std::size_t s = 0; s < used.size(); ++s) {
    const ClumpShape& shape = scene.clump_shapes[s];
    if (!used[s] || shape.grain) { continue; }
    const double excess = surface_excess(shape);
    if (excess < noticed) { continue; }
    warnings.push_back("heat: the spheres of the shape \"" + shape.name + "\" have " + short_number_text(excess, 2) +
                       " times the surface of the clump, and each of them radiates and conducts through the gas with "
                       "all of its own: these flows are up to so many times too large, between two clumps up to " +
                       short_number_text(excess * excess, 2) + " times; fewer spheres that overlap less are better");
  }
}

void check_heat_step(const Scene& scene, std::vector<std::string>& warnings) {
  if (!scene.heat) return;
  constexpr double neighbours = 12, overlap = 0.01;  // overlap over the radius
  const auto& [settings, pairs] = scene.heat.value();
  const std::vector<RadiusRange> radii = radii_by_material(scene);
  double hottest = settings.temperature;
  for (const double temperature : scene.particles.temperature) hottest = std::max(hottest, temperature);
  for (const SceneBoundary& boundary : scene.boundaries) {
    hottest = std::max(hottest, boundary.temperature.value_or(0));
  }
  for (const SceneStage& stage : scene.stages) {
    for (const SceneStagedBoundary& boundary : stage.boundaries) {
      hottest = std::max(hottest, boundary.temperature.value_or(0));
    }
  }
  double limit = std::numeric_limits<double>::infinity();
  std::size_t limiting = 0;
  for (std::size_t m = 0; m < scene.materials.size(); ++m) {
    if (m >= radii.size() || !radii[m].any()) continue;
    const double r = radii[m].smallest;
    double conductance = 0;
    for (std::size_t other = 0; other < scene.materials.size(); ++other) {
      const ThermalPair& pair = pairs[m * scene.materials.size() + other];
      conductance = std::max(conductance, pair.per_radius * pair.radius_factor * std::sqrt(0.5 * r * overlap * r));
    }
    if (settings.gas) {
      const double widest = settings.gas->thickness * r;
      conductance += std::numbers::pi * settings.gas->conductivity * r *
                     (1 + std::log(std::max(widest / settings.gas->least_gap, 1.0)));
    }
    if (settings.radiation) conductance += 4 * 5.67e-8 * std::pow(hottest, 3) * std::numbers::pi * r * r / 4;
    const double capacity = sphere_mass(scene.materials[m], r) * scene.materials[m].thermal->heat_capacity;
    const double own = capacity / (neighbours * conductance);
    if (own < limit) limit = own, limiting = m;
  }
  if (scene.time_step <= limit) return;
  warnings.push_back("heat: the time step of " + short_number_text(scene.time_step) + " s is above " +
                     short_number_text(limit) + " s, in which the smallest particles of \"" +
                     scene.material_names[limiting] +
                     "\" would follow the temperature of their neighbours; the run ends if that is so");
}

}  // namespace scree
