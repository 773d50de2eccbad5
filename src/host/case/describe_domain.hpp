#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "host/case/describe_control.hpp"
#include "host/case/describe_groups.hpp"
#include "host/case/frame_fields.hpp"
#include "host/case/probe_region.hpp"
#include "host/geometry/real3.hpp"
#include "scree/cell.hpp"

namespace scree {

inline auto describe(Of<Outlet>) {
  return object(
      "A plane that counts and removes each particle whose centre crosses it.",
      required("point", &Outlet::point, "m", "A point of the plane."),
      required("normal", &Outlet::normal, "", "Direction out of the domain; its length does not count.", direction()));
}

// --- periodic cell -----------------------------------------------------------------------------------------------

/// The two axes of each component, in the order of cell_component_names.
inline constexpr std::array<std::array<std::size_t, 2>, n_cell_components> cell_component_axes{
    {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}}};

/// Whether a cell repeats along x, y, z.
inline std::array<bool, 3> periodic_axes(const PeriodicDomain& cell) {
  std::array<bool, 3> periodic{};
  for (std::size_t k = 0; k < 3; ++k) {
    periodic[k] = std::find(cell.axes.begin(), cell.axes.end(), axis_names()[k]) != cell.axes.end();
  }
  return periodic;
}

inline auto describe(Of<PeriodicDomain>) {
  return object("A cell that repeats without end.",
                field("size", &PeriodicDomain::size, "m", "Lengths of a box along the axes.", above(0)),
                field("edges", &PeriodicDomain::edges, "m", "The three edge vectors of any parallelepiped."),
                field("origin", &PeriodicDomain::origin, "m", "Corner from which the edges start; it does not move."),
                field("axes", &PeriodicDomain::axes, "",
                      "Axes along which the cell repeats; with fewer than three axes the cell must be a box.",
                      one_of(axis_names()).at_least_items(1)))
      .with_exactly_one({"size", "edges"});
}
inline void check(const PeriodicDomain& cell, Complaints& complaints) {
  for (std::size_t i = 0; i < cell.axes.size(); ++i) {
    if (std::count(cell.axes.begin(), cell.axes.begin() + static_cast<std::ptrdiff_t>(i), cell.axes[i]) == 0) continue;
    complaints.add("axes." + std::to_string(i), "\"" + cell.axes[i] + "\" is listed twice");
  }
  if (!cell.edges) return;
  if (periodic_axes(cell) != std::array{true, true, true}) {
    complaints.add("edges", "are possible only where the cell repeats along x, y and z; give \"size\"");
    return;
  }
  constexpr double flattest = 1e-6;  // volume over that of a box with such edges
  const auto& [a, b, c] = *cell.edges;
  const double volume = geometry::dot(a, geometry::cross(b, c));
  const double box = geometry::length(a) * geometry::length(b) * geometry::length(c);
  if (!(std::fabs(volume) > flattest * box) || !std::isfinite(box)) {
    complaints.add("edges", "enclose no volume: they must be three vectors that do not lie in one plane");
  } else if (volume < 0) {
    complaints.add("edges", "are left-handed: exchange two of them, or turn one round");
  }
}

inline auto describe(Of<Domain>) {
  return object("The space of the particles: outlets, and a periodic cell.",
                nested("remove_outside", "box", &Domain::remove_outside, "m",
                       "Particles whose centre leaves this box are removed."),
                field("outlets", &Domain::outlets, "", "Planes that count and remove particles, by name."),
                field("delete_in", &Domain::delete_in, "", "Regions that count and remove particles, by name."),
                field("periodic", &Domain::periodic, "", "A cell that repeats without end."),
                field("velocity_gradient", &Domain::velocity_gradient, "1/s",
                      "Constant rate at which the cell deforms: rows of L_ij = d v_i / d x_j."),
                field("control", &Domain::control, "", "Control of strains and stresses of the cell, stage by stage."));
}

/// Complains about deformations that involve an axis along which the cell does not repeat, and about conditions on the
/// volume of a cell that does not repeat on all sides.
inline void check_deformation(const Domain& domain, const std::array<bool, 3>& periodic, Complaints& complaints) {
  for (std::size_t i = 0; domain.velocity_gradient && i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double rate = (*domain.velocity_gradient)[i][j];
      if (rate == 0 || (periodic[i] && periodic[j])) continue;
      complaints.add("velocity_gradient." + std::to_string(i) + "." + std::to_string(j),
                     "must be 0, since the cell does not repeat along " + axis_names()[periodic[i] ? j : i] + ", got " +
                         number_text(rate));
    }
  }
  visit_control(domain, [&](const std::string& path, const ControlStage& stage) {
    const auto components = components_of(stage);
    for (std::size_t k = 0; k < n_cell_components; ++k) {
      const auto& [i, j] = cell_component_axes[k];
      if (!*components[k] || (periodic[i] && periodic[j])) continue;
      complaints.add(path + "." + cell_component_names[k],
                     "is not possible, since the cell does not repeat along " + axis_names()[periodic[i] ? j : i]);
    }
    const auto walls = std::find(periodic.begin(), periodic.end(), false);
    if (walls == periodic.end() || !stage.until) return;
    for (const std::string& key : keys_of_volume(*stage.until)) {
      complaints.add(path + ".until." + key,
                     "is not possible, since the cell does not repeat along " +
                         axis_names()[static_cast<std::size_t>(walls - periodic.begin())] +
                         ", where walls decide on the volume; a stage of \"stages\" can wait for a \"measure\" of it");
    }
  });
}

inline void check(const Domain& domain, Complaints& complaints) {
  if (domain.velocity_gradient && !domain.control.empty()) {
    complaints.add("velocity_gradient", "is not allowed with \"control\", whose stages give it");
  }
  for (std::size_t s = 0; s + 1 < domain.control.size(); ++s) {
    if (domain.control[s].until || domain.control[s].repeat) continue;
    complaints.add("control." + std::to_string(s) + ".until",
                   "is missing; without it the stage never ends, and those after it never begin");
  }
  const char* const removes = domain.remove_outside       ? "remove_outside"
                              : !domain.outlets.empty()   ? "outlets"
                              : !domain.delete_in.empty() ? "delete_in"
                                                          : nullptr;
  visit_control(domain, [&](const std::string& path, const ControlStage& stage) {
    if (removes == nullptr || !stage.until) return;
    for (const std::string& key : keys_of_volume(*stage.until)) {
      complaints.add(path + ".until." + key,
                     std::string("is not possible with \"domain.") + removes +
                         "\", since the particles of the start count; a stage of \"stages\" can wait for a "
                         "\"measure\" of it");
    }
  });
  if (domain.periodic) check_deformation(domain, periodic_axes(*domain.periodic), complaints);
}

/// Paths of all regions of the kind `face` that do not belong to inlets.
inline std::vector<std::string> faces_beside_inlets(const Case& input) {
  std::vector<std::string> paths;
  const auto look = [&](const std::string& path, const std::optional<Region>& region) {
    if (region && std::holds_alternative<FaceRegion>(*region)) paths.push_back(path + ".face");
  };
  for (std::size_t i = 0; i < input.particles.size(); ++i) {
    const ParticleGroup& entry = input.particles[i];
    if (entry.fill) look("particles." + std::to_string(i) + ".fill", entry.fill->region);
  }
  visit_probes(input, [&](const std::string& path, const ProbeOutput& probe) {
    if (const Region* region = region_of(probe)) look(path + ".region", *region);
  });
  return paths;
}

/// Paths of values that need a periodic cell: regions of the kind `cell`, and some fields of frames.
inline std::vector<std::string> uses_of_cell(const Case& input) {
  std::vector<std::string> paths;
  const auto look = [&](const std::string& path, const std::optional<Region>& region) {
    if (region && std::holds_alternative<CellRegion>(*region)) paths.push_back(path + ".cell");
  };
  for (std::size_t i = 0; i < input.particles.size(); ++i) {
    const ParticleGroup& entry = input.particles[i];
    const std::string path = "particles." + std::to_string(i);
    if (entry.fill) look(path + ".fill", entry.fill->region);
    if (entry.inlet) look(path + ".inlet.region", entry.inlet->region);
  }
  for (std::size_t k = 0; k < input.stages.size(); ++k) {
    for (const auto& [name, staged] : input.stages[k].groups) {
      if (staged.join) look("stages." + std::to_string(k) + ".groups." + name + ".join.region", staged.join->region);
    }
  }
  for (auto& path : paths_of_frame_fields(input, FieldNeeds::cell)) paths.push_back(std::move(path));
  visit_probes(input, [&](const std::string& path, const ProbeOutput& probe) {
    if (const Region* region = region_of(probe)) look(path + ".region", *region);
  });
  return paths;
}

static_assert(lists_every_member<Outlet> && lists_every_member<PeriodicDomain> && lists_every_member<Domain>);

}  // namespace scree
