#pragma once

#include "host/case/describe.hpp"
#include "host/text/text.hpp"

namespace scree {

inline auto describe(Of<DragLaw>) {
  return Words<DragLaw>{{{"stokes", DragLaw::stokes}, {"schiller_naumann", DragLaw::schiller_naumann}}};
}

inline auto describe(Of<Hindrance>) {
  return Words<Hindrance>{{{"none", Hindrance::none}, {"di_felice", Hindrance::di_felice}}};
}

inline auto describe(Of<FluidSurface>) {
  return object("The plane surface of a fluid.",
                required("point", &FluidSurface::point, "m", "A point of the surface."),
                field("normal", &FluidSurface::normal, "", "Direction out of the fluid; its length does not count.",
                      direction()));
}

inline auto describe(Of<FluidSettings>) {
  return object(
      "A fluid that drags and lifts the particles; they do not act on it.",
      required("density", &FluidSettings::density, "kg/m3", "Density of the fluid.", at_least(0)),
      required("viscosity", &FluidSettings::viscosity, "Pa s", "Dynamic viscosity of the fluid.", above(0)),
      field("velocity", &FluidSettings::velocity, "m/s", "Velocity of the fluid, the same everywhere; left out: 0."),
      field("velocity_table", &FluidSettings::velocity_table, "s, m/s",
            "Rows [time, x, y, z] of the velocity, linear in between; constant outside."),
      field("velocity_file", &FluidSettings::velocity_file, "",
            "CSV file of velocities on a regular grid, relative to the case file.", existing_file()),
      field("drag", &FluidSettings::drag, "", "Drag of a sphere."),
      field("hindrance", &FluidSettings::hindrance, "", "How the neighbours of a grain change its drag."),
      field("hindrance_width", &FluidSettings::hindrance_width, "m",
            "Size of the surroundings whose porosity counts; left out: four mean diameters.", above(0)),
      field("surface", &FluidSettings::surface, "", "Surface of the fluid; left out: it is everywhere."));
}
inline void check(const FluidSettings& fluid, Complaints& complaints) {
  const int given = (fluid.velocity ? 1 : 0) + (fluid.velocity_table.empty() ? 0 : 1) + (fluid.velocity_file ? 1 : 0);
  if (given > 1) { complaints.add("", R"(must have at most one of "velocity", "velocity_table" and "velocity_file")"); }
  if (fluid.hindrance_width && fluid.hindrance == Hindrance::none) {
    complaints.add("hindrance_width", "needs \"hindrance\"");
  }
  for (std::size_t k = 1; k < fluid.velocity_table.size(); ++k) {
    const double before = fluid.velocity_table[k - 1][0], time = fluid.velocity_table[k][0];
    if (time > before) { continue; }
    complaints.add("velocity_table." + std::to_string(k) + ".0",
                   "must be greater than the time before, " + number_text(before) + ", got " + number_text(time));
  }
}

static_assert(lists_every_member<FluidSurface> && lists_every_member<FluidSettings>);

}  // namespace scree
