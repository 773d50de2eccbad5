#include <cmath>
#include <numbers>
#include <utility>

#include "host/measure/region_probe.hpp"

namespace scree {
namespace {

using namespace geometry;
using namespace probe;

class StressMeter final : public RegionProbe {
 public:
  using RegionProbe::RegionProbe;
  [[nodiscard]] MeasureNeeds needs() const override { return {.forces = false, .contacts = true, .held = true}; }
  [[nodiscard]] std::vector<std::string> columns() const override {
    auto names = tensor_names("contact", "[Pa]", false);
    for (auto& name : tensor_names("kinetic", "[Pa]", true)) names.push_back(std::move(name));
    return names;
  }
  void measure(const ProbeView& view, std::vector<double>& values) override {
    append_all(values, force_moments(view), 1 / volume(view));
    append_symmetric(values, momentum_flux(view, particles_inside(view)).sum, -1 / volume(view));
  }
};

/// I = rate d sqrt(density / pressure).
class InertialMeter final : public RegionProbe {
 public:
  using RegionProbe::RegionProbe;
  [[nodiscard]] std::vector<std::string> columns() const override {
    return {"inertial_number", "shear_rate[1/s]", "pressure[Pa]"};
  }
  void measure(const ProbeView& view, std::vector<double>& values) override {
    const Matrix3 moments = force_moments(view);
    const double pressure = -(moments[0][0] + moments[1][1] + moments[2][2]) / (3 * volume(view));
    const auto all = particles_inside(view);
    double mass = 0, solid = 0, diameter = 0;
    Real3 middle{}, momentum{};
    for (const auto& [i, position, velocity] : all) {
      const double r = view.now.radius[i], m = view.mass[i];
      mass += m;
      solid += 4.0 / 3.0 * std::numbers::pi * (r * r * r);
      diameter += 2 * r;
      middle = along(middle, m, position);
      momentum = along(momentum, m, velocity);
    }
    const double rate =
        all.size() < 4 ? unknown : shear_rate(view, all, scaled(middle, 1 / mass), scaled(momentum, 1 / mass));
    const double count = static_cast<double>(all.size());
    values.push_back(pressure > 0 ? rate * (diameter / count) * std::sqrt(mass / solid / pressure) : unknown);
    values.push_back(rate);
    values.push_back(pressure);
  }

 private:
  /// sqrt(2 D:D) of the deviator of the velocity gradient that fits the particles best.
  static double shear_rate(const ProbeView& view, const std::vector<Present>& all, const Real3& middle,
                           const Real3& drift) {
    Matrix3 spread{}, flux{};
    for (const auto& [i, position, velocity] : all) {
      const Real3 x = subtract(position, middle);
      add_dyad(spread, view.mass[i], x, x);
      add_dyad(flux, view.mass[i], subtract(velocity, drift), x);
    }
    const auto inverted = inverse(spread);
    if (!inverted) return unknown;
    Matrix3 gradient{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t k = 0; k < 3; ++k) gradient[i][j] += flux[i][k] * (*inverted)[k][j];
      }
    }
    const double dilation = (gradient[0][0] + gradient[1][1] + gradient[2][2]) / 3;
    double square = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        const double d = 0.5 * (gradient[i][j] + gradient[j][i]) - (i == j ? dilation : 0);
        square += d * d;
      }
    }
    return std::sqrt(2 * square);
  }
};

}  // namespace

std::unique_ptr<Probe> make_probe(const StressProbe& keys, const ProbePlace& place) {
  return std::make_unique<StressMeter>(place.region_or_cell(keys.region));
}
std::unique_ptr<Probe> make_probe(const InertialProbe& keys, const ProbePlace& place) {
  return std::make_unique<InertialMeter>(place.region_or_cell(keys.region));
}

}  // namespace scree
