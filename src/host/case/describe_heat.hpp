#pragma once

#include "host/case/describe.hpp"

namespace scree {

inline auto describe(Of<Thermal>) {
  return object(
      "What a material is for heat.",
      required("conductivity", &Thermal::conductivity, "W/(m K)", "Thermal conductivity of the solid.", above(0)),
      required("heat_capacity", &Thermal::heat_capacity, "J/(kg K)", "Specific heat capacity.", above(0)),
      field("emissivity", &Thermal::emissivity, "", "Of the surface; needed for radiation.", above_up_to(0, 1)),
      field("young_modulus", &Thermal::young_modulus, "Pa",
            "True modulus of a material that is softer in the run: circles of contact are as small as it makes them; "
            "left out: the same.",
            above(0)));
}

inline auto describe(Of<GasFilm>) {
  return object(
      "A gas at rest between surfaces that are near each other.",
      required("conductivity", &GasFilm::conductivity, "W/(m K)", "Of the gas.", above(0)),
      field("thickness", &GasFilm::thickness, "",
            "The gas conducts where surfaces are nearer than this, in radii of the particles.", above_up_to(0, 1)),
      required("least_gap", &GasFilm::least_gap, "m",
               "Roughness, or mean free path: nearer surfaces count as this far apart.", above(0)));
}

inline auto describe(Of<Radiation>) {
  return object(
      "Radiation between particles that are near each other, and with boundaries of given temperature.",
      field("range", &Radiation::range, "",
            "Largest distance of two centres, in sums of the radii; of a boundary in radii.", from_up_to(1, 3)));
}

inline auto describe(Of<HeatSettings>) {
  return object("Temperatures of the particles.",
                field("temperature", &HeatSettings::temperature, "K",
                      "At the start, of entries of \"particles\" without a temperature of their own.", above(0)),
                field("gas", &HeatSettings::gas, "", "Conduction through the gas; left out: through contacts alone."),
                field("radiation", &HeatSettings::radiation, "", "Radiation; left out: none."),
                field("dissipation", &HeatSettings::dissipation, "",
                      "Share of the work lost by friction and in dashpots that becomes heat.", from_up_to(0, 1)));
}

static_assert(lists_every_member<Thermal> && lists_every_member<GasFilm> && lists_every_member<Radiation> &&
              lists_every_member<HeatSettings>);

}  // namespace scree
