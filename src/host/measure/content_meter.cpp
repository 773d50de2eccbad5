#include <utility>

#include "host/measure/region_probe.hpp"

namespace scree {
namespace {

using namespace geometry;
using namespace probe;

/// The content of a region, and its motion: see docs/output.md.
class ContentMeter final : public RegionProbe {
 public:
  ContentMeter(std::unique_ptr<packing::FillRegion> region, const Scene& scene)
      : RegionProbe(std::move(region)), has_heat_(scene.heat.has_value()), has_films_(scene.has_films()) {}

  [[nodiscard]] MeasureNeeds needs() const override {
    return {.forces = false, .contacts = false, .temperatures = has_heat_, .films = has_films_, .held = true};
  }
  [[nodiscard]] std::vector<std::string> columns() const override {
    std::vector<std::string> names{"particles", "mass[kg]"};
    for (const char* axis : axes) { names.push_back(std::string("position_") + axis + "[m]"); }
    for (const char* axis : axes) { names.push_back(std::string("velocity_") + axis + "[m/s]"); }
    names.emplace_back("granular_temperature[m2/s2]");
    if (has_heat_) { names.emplace_back("temperature[K]"); }
    if (has_films_) { names.emplace_back("film[m3]"); }
    return names;
  }

  void measure(const ProbeView& view, std::vector<double>& values) override {
    const std::vector<Present> all = particles_inside(view);
    double mass = 0;
    Real3 moment{}, momentum{};
    for (const auto& [i, position, velocity] : all) {
      mass += view.mass[i];
      moment = along(moment, view.mass[i], position);
      momentum = along(momentum, view.mass[i], velocity);
    }
    const double each = mass > 0 ? 1 / mass : unknown;
    const Real3 centre = scaled(moment, each), mean = scaled(momentum, each);
    values.push_back(static_cast<double>(all.size()));
    values.push_back(mass);
    values.insert(values.end(), centre.begin(), centre.end());
    values.insert(values.end(), mean.begin(), mean.end());
    const auto [flux, moved] = momentum_flux(view, all);
    values.push_back(moved > 0 ? (flux[0][0] + flux[1][1] + flux[2][2]) / (3 * moved) : unknown);
    if (has_heat_) { values.push_back(mean_temperature(view, all)); }
    if (has_films_) {
      double film = 0;
      for (const Present& particle : all) { film += view.now.film.at(particle.index); }
      values.push_back(film);
    }
  }

 private:
  /// [K] Weighted by the heat capacities.
  static double mean_temperature(const ProbeView& view, const std::vector<Present>& all) {
    double heat = 0, capacity = 0;
    for (const Present& particle : all) {
      const auto& thermal = view.scene.materials[view.now.material[particle.index]].thermal;
      const double own = thermal ? view.mass[particle.index] * thermal->heat_capacity : 0;
      heat += own * view.now.temperature.at(particle.index);
      capacity += own;
    }
    return capacity > 0 ? heat / capacity : unknown;
  }

  bool has_heat_, has_films_;
};

}  // namespace

std::unique_ptr<Probe> make_probe(const ContentProbe& keys, const ProbePlace& place) {
  return std::make_unique<ContentMeter>(keys.region ? place.region(*keys.region) : nullptr, place.scene());
}

}  // namespace scree
