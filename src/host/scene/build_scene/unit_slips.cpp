#include "host/scene/build_scene/unit_slips.hpp"

#include <cmath>
#include <numbers>

#include "host/geometry/real3.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

/// A warning such as "PATH: 2.5 kg/m3 is lighter than foam; if it is meant in g/cm3, write 2500".
std::string slip(const std::string& path, double value, const std::string& unit, const std::string& doubt,
                 const std::string& other_unit, double in_si) {
  const std::string behind = unit.empty() ? "" : " " + unit;
  return path + ": " + short_number_text(value) + behind + " " + doubt + "; if it is meant in " + other_unit +
         ", write " + short_number_text(in_si, 4);
}

void look_at_material(const std::string& name, const Material& material, std::vector<std::string>& warnings) {
  const std::string path = "materials." + name + ".";
  if (material.density < 10) {
    warnings.push_back(
        slip(path + "density", material.density, "kg/m3", "is lighter than foam", "g/cm3", 1000 * material.density));
  }
  if (material.young_modulus < 1000) {
    warnings.push_back(slip(path + "young_modulus", material.young_modulus, "Pa", "is softer than jelly", "GPa",
                            1e9 * material.young_modulus));
  }
  if (material.friction > 3 && material.friction < 90) {
    warnings.push_back(slip(path + "friction", material.friction, "", "is large for a coefficient", "degrees",
                            std::tan(material.friction * std::numbers::pi / 180)));
  }
}

/// Looks for amplitudes that may be in millimetres or degrees, and for phases that may be in degrees.
void look_at_motions(const std::string& path, const std::vector<Motion>& motions, std::vector<std::string>& warnings) {
  constexpr double turn = 2 * std::numbers::pi;
  constexpr double fast = 30;  // [m/s] far above the speed of any vibrator
  for (std::size_t m = 0; m < motions.size(); ++m) {
    const auto* const swing = std::get_if<Oscillation>(&motions[m].kind);
    if (swing == nullptr) { continue; }
    const std::string own = path + "." + std::to_string(m) + ".";
    const auto look_at_angle = [&](const std::string& key, double angle) {
      if (std::fabs(angle) <= turn) { return; }
      warnings.push_back(
          slip(own + key, angle, "rad", "is more than a whole turn", "degrees", angle * std::numbers::pi / 180));
    };
    look_at_angle("phase", swing->phase);
    if (swing->axis) {
      look_at_angle("amplitude", swing->amplitude);
      continue;
    }
    const double speed = turn * swing->frequency * std::fabs(swing->amplitude);
    if (!(speed > fast)) { continue; }
    warnings.push_back(slip(own + "amplitude", swing->amplitude, "m",
                            "makes " + short_number_text(speed, 3) + " m/s at this frequency", "mm",
                            1e-3 * swing->amplitude));
  }
}

}  // namespace

void warn_of_unit_slips(const Case& input, std::vector<std::string>& warnings) {
  for (const auto& [name, material] : input.materials) { look_at_material(name, material, warnings); }
  for (const auto& [name, boundary] : input.boundaries) {
    look_at_motions("boundaries." + name + ".motion", boundary.motion, warnings);
  }
  for (std::size_t k = 0; k < input.stages.size(); ++k) {
    for (const auto& [name, change] : input.stages[k].boundaries) {
      if (!change.motion) { continue; }
      look_at_motions("stages." + std::to_string(k) + ".boundaries." + name + ".motion", *change.motion, warnings);
    }
  }
  const double pull = geometry::length(input.gravity);
  if (pull > 9700 && pull < 9900) {
    warnings.push_back("gravity: " + short_number_text(pull) +
                       " m/s2 is a thousand times that of the earth; if it is meant in mm/s2, divide by 1000");
  }
  if (input.heat && input.heat->temperature < 100) {
    warnings.push_back(slip("heat.temperature", input.heat->temperature, "K", "is very cold", "degrees Celsius",
                            input.heat->temperature + 273.15));
  }
  if (input.fluid && input.fluid->density > 300 && input.fluid->viscosity < 2e-5) {  // dense gases have more
    warnings.push_back(slip("fluid.viscosity", input.fluid->viscosity, "Pa s", "is low for a liquid",
                            "m2/s (kinematic)", input.fluid->viscosity * input.fluid->density));
  }
  for (std::size_t k = 0; k < input.contacts.size(); ++k) {
    const auto& liquid = input.contacts[k].liquid;
    if (!liquid || !(liquid->surface_tension > 1)) { continue; }
    warnings.push_back(slip("contacts." + std::to_string(k) + ".liquid.surface_tension", liquid->surface_tension, "N/m",
                            "is more than that of mercury", "mN/m", 1e-3 * liquid->surface_tension));
  }
}

}  // namespace scree
