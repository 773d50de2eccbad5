#pragma once

#include "host/case/describe.hpp"

namespace scree {

inline auto describe(Of<Thermal>) {
  return object(
      "Thermal properties of a material.",
      required("conductivity", &Thermal::conductivity, "W/(m K)", "Thermal conductivity of the solid.", above(0)),
      required("heat_capacity", &Thermal::heat_capacity, "J/(kg K)", "Specific heat capacity.", above(0)),
      field("emissivity", &Thermal::emissivity, "", "Emissivity of the surface; needed for radiation.",
            above_up_to(0, 1)),
      field("young_modulus", &Thermal::young_modulus, "Pa",
            "True Young's modulus of a material that is softer in the run: heat flows through contact circles as small "
            "as the true modulus makes them; left out: the modulus of the run.",
            above(0)));
}

inline auto describe(Of<GasFilm>) {
  return object(
      "A gas at rest between surfaces that are near each other.",
      required("conductivity", &GasFilm::conductivity, "W/(m K)", "Thermal conductivity of the gas.", above(0)),
      field("thickness", &GasFilm::thickness, "",
            "Largest gap through which the gas conducts, over the radius of the particles.", above_up_to(0, 1)),
      required("least_gap", &GasFilm::least_gap, "m",
               "Roughness, or mean free path of the gas: smaller gaps count as this gap.", above(0)));
}

inline auto describe(Of<Radiation>) {
  return object(
      "Radiation between particles that are near each other, and with boundaries of given temperature.",
      field(
          "range", &Radiation::range, "",
          "Largest distance of two centres over the sum of the radii, or of a centre from a boundary over the radius.",
          from_up_to(1, 3)));
}

inline auto describe(Of<HeatSettings>) {
  return object(
      "Heat of the particles: conduction through contacts and gas, and radiation.",
      field("temperature", &HeatSettings::temperature, "K",
            "Temperature at the start, for entries of \"particles\" that give none.", above(0)),
      field("gas", &HeatSettings::gas, "", "Conduction through a gas; left out: heat flows through contacts alone."),
      field("radiation", &HeatSettings::radiation, "", "Radiation; left out: none."),
      field("dissipation", &HeatSettings::dissipation, "",
            "Share of the work lost by friction and in dashpots that becomes heat.", from_up_to(0, 1)));
}

static_assert(lists_every_member<Thermal> && lists_every_member<GasFilm> && lists_every_member<Radiation> &&
              lists_every_member<HeatSettings>);

}  // namespace scree
