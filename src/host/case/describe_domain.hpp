#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "host/case/describe_goals.hpp"
#include "host/case/describe_groups.hpp"
#include "host/case/frame_fields.hpp"
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

/// Along which axes a cell repeats.
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
                field("origin", &PeriodicDomain::origin, "m", "Corner from which the edges go out; it does not move."),
                field("axes", &PeriodicDomain::axes, "",
                      "Along which the cell repeats; with fewer than all three the cell is a box.",
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

/// The six members of a struct with one value for each component of the cell; at least one is given. `each(key,
/// member)` describes one of them.
template <class Six, class Each>
auto describe_components(std::string_view text, const Each& each) {
  return object(text, each("xx", &Six::xx), each("yy", &Six::yy), each("zz", &Six::zz), each("yz", &Six::yz),
                each("xz", &Six::xz), each("xy", &Six::xy))
      .with_some_key();
}
/// In the order of cell_component_names.
template <class Six>
std::array<std::optional<double>, n_cell_components> components_of(
    const Six& values) requires std::same_as<decltype(values.xx), std::optional<double>> {
  return {values.xx, values.yy, values.zz, values.yz, values.xz, values.xy};
}

inline auto describe(Of<StressMultiples>) {
  return describe_components<StressMultiples>("Multiples of other stresses.", [](std::string_view key, auto member) {
    return field(key, member, "", "This times the measured stress is added.", from_up_to(-10, 10));
  });
}

inline auto describe(Of<StrainMultiples>) {
  return describe_components<StrainMultiples>("Multiples of other strains.", [](std::string_view key, auto member) {
    return field(key, member, "", "This times the other strain is added.", from_up_to(-10, 10));
  });
}

inline auto describe(Of<ComponentControl>) {
  return object("What one component of the cell is made to do; a number, or rows [time since the stage began, value].",
                field("strain_rate", &ComponentControl::strain_rate, "1/s",
                      "Of xx, yy, zz the rate of logarithmic strain, of xy the velocity along x by y, and so on."),
                field("strain", &ComponentControl::strain, "", "Strain since the stage began."),
                field("stress", &ComponentControl::stress, "Pa", "Stress, positive in tension."),
                field("follows", &ComponentControl::follows, "",
                      "Multiples of the strains of other components, which make up the strain of this one: with -0.5 "
                      "of zz for both xx and yy the volume stays."),
                field("reverse_at_stress", &ComponentControl::reverse_at_stress, "Pa",
                      "The strain rate changes its sign whenever the stress has come this far either way.", above(0)),
                field("plus", &ComponentControl::plus, "",
                      "Multiples of other measured stresses: they are added to the goal of stress, or to the stress "
                      "that reverses the strain rate."))
      .with_exactly_one({"strain_rate", "strain", "stress", "follows"});
}
inline void check(const ComponentControl& component, Complaints& complaints) {
  if (component.reverse_at_stress && !component.strain_rate) {
    complaints.add("reverse_at_stress", "needs \"strain_rate\", of which it changes the sign");
  } else if (component.reverse_at_stress && most_of(*component.strain_rate) == 0) {
    complaints.add("reverse_at_stress", "has no effect, since the strain rate is 0");
  }
  if (component.plus && !component.stress && !component.reverse_at_stress) {
    complaints.add("plus", "needs \"stress\" or \"reverse_at_stress\", to which it adds");
  }
}

inline auto describe(Of<StageStrains>) {
  return describe_components<StageStrains>("Any of these strains.", [](std::string_view key, auto member) {
    return field(key, member, "", "Magnitude of this strain since the stage began.", above(0));
  });
}

inline auto describe(Of<StageStresses>) {
  return describe_components<StageStresses>("Any of these stresses.", [](std::string_view key, auto member) {
    return field(key, member, "Pa", "This stress passes the value, from the side on which it was at first.");
  });
}

inline auto describe(Of<VoidRatioCondition>) {
  return object("Void ratio of the whole cell, as in the series.",
                field("above", &VoidRatioCondition::above, "", "It is at least this.", above(0)),
                field("below", &VoidRatioCondition::below, "", "It is at most this.", above(0)))
      .with_exactly_one({"above", "below"});
}

inline auto describe(Of<SolidFractionCondition>) {
  return object("Volume of the particles over that of the whole cell.",
                field("above", &SolidFractionCondition::above, "", "It is at least this.", between(0, 1)),
                field("below", &SolidFractionCondition::below, "", "It is at most this.", between(0, 1)))
      .with_exactly_one({"above", "below"});
}

inline auto describe(Of<StageEnd>) {
  return object(
             "What ends a stage: its duration, a strain, a stress, reversals of strain rates, a void ratio, or stress "
             "error and unbalanced force together.",
             field("duration", &StageEnd::duration, "s", "Time since the stage began.", above(0)),
             field("strain", &StageEnd::strain, "", "One of these strains is reached."),
             field("stress", &StageEnd::stress, "", "One of these stresses is passed."),
             field("reversals", &StageEnd::reversals, "",
                   "Strain rates have changed their signs this often because of \"reverse_at_stress\".", at_least(1)),
             field("stress_error", &StageEnd::stress_error, "",
                   "All stresses are this near to their goals, as a fraction of the largest goal of stress.", above(0)),
             field("unbalanced_force", &StageEnd::unbalanced_force, "",
                   "Mean force on a particle over mean contact force is at most this.", above(0)),
             field("void_ratio", &StageEnd::void_ratio, "", "The void ratio is large, or small, enough."),
             field("solid_fraction", &StageEnd::solid_fraction, "", "The solid fraction is large, or small, enough."))
      .with_some_key();
}
inline auto describe(Of<ControlStage>) {
  const auto component = [](std::string_view key, auto member) {
    return field(key, member, "", "Component of the cell; left out: a strain rate of 0.");
  };
  return object(
      "One stage of the control of a periodic cell.", field("name", &ControlStage::name, "", "For the reader."),
      component("xx", &ControlStage::xx), component("yy", &ControlStage::yy), component("zz", &ControlStage::zz),
      component("yz", &ControlStage::yz), component("xz", &ControlStage::xz), component("xy", &ControlStage::xy),
      field("inertial_number", &ControlStage::inertial_number, "",
            "Limit of the strain rates that the program chooses for stresses.", above(0)),
      field("until", &ControlStage::until, "", "When it ends; left out: with the run. For the last stage only."));
}
/// In the order of cell_component_names.
inline std::array<const std::optional<ComponentControl>*, n_cell_components> components_of(const ControlStage& stage) {
  return {&stage.xx, &stage.yy, &stage.zz, &stage.yz, &stage.xz, &stage.xy};
}
/// The conditions on the volume of the cell that are given.
inline std::vector<std::string> keys_of_volume(const StageEnd& end) {
  std::vector<std::string> keys;
  if (end.void_ratio) keys.emplace_back("void_ratio");
  if (end.solid_fraction) keys.emplace_back("solid_fraction");
  return keys;
}
/// Whether a component can come to a strain.
inline bool can_reach(const std::optional<ComponentControl>& component, double strain) {
  if (!component) return false;
  if (component->strain_rate) return most_of(*component->strain_rate) > 0;
  return !component->strain || most_of(*component->strain) >= strain;
}
/// Complains of a component that follows itself, one without a control, or one that follows others too.
inline void check_follows(const ControlStage& stage, Complaints& complaints) {
  const auto components = components_of(stage);
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    if (!*components[k] || !(*components[k])->follows) continue;
    const auto multiples = components_of(*(*components[k])->follows);
    for (std::size_t j = 0; j < n_cell_components; ++j) {
      if (!multiples[j]) continue;
      const std::string path = std::string(cell_component_names[k]) + ".follows." + cell_component_names[j];
      if (j == k) {
        complaints.add(path, "is the component itself; it can follow only others");
      } else if (!*components[j]) {
        complaints.add(path, "has no control, so there is nothing to follow");
      } else if ((*components[j])->follows) {
        complaints.add(path, "follows others itself; name those here");
      }
    }
  }
}
inline void check(const ControlStage& stage, Complaints& complaints) {
  const auto components = components_of(stage);
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    const auto& component = *components[k];
    if (!component || !component->plus || !components_of(*component->plus)[k]) continue;
    const std::string name = cell_component_names[k];
    complaints.add(std::string(name).append(".plus.").append(name),
                   "is the stress of the component itself; only other stresses can be added");
  }
  check_follows(stage, complaints);
  if (!stage.until) return;
  const bool reverses =
      std::any_of(components.begin(), components.end(), [](const auto* c) { return *c && (*c)->reverse_at_stress; });
  if (stage.until->reversals && !reverses) {
    complaints.add("until.reversals", "needs a component with \"reverse_at_stress\"");
  }
  if (stage.until->strain) {
    const auto strains = components_of(*stage.until->strain);
    for (std::size_t k = 0; k < n_cell_components; ++k) {
      if (!strains[k] || can_reach(*components[k], *strains[k])) continue;
      complaints.add(std::string("until.strain.") + cell_component_names[k],
                     std::string("is never reached by what is asked for of \"") + cell_component_names[k] + "\", got " +
                         number_text(*strains[k]));
    }
  }
  const bool any_stress =
      std::any_of(components.begin(), components.end(), [](const auto* c) { return *c && (*c)->stress; });
  if (stage.until->stress_error && !any_stress) {
    complaints.add("until.stress_error", "needs a component with a goal of stress");
  }
  const bool any_normal = std::any_of(components.begin(), components.begin() + 3, [](const auto* c) { return *c; });
  for (const std::string& key : keys_of_volume(*stage.until)) {
    if (any_normal) continue;
    complaints.add("until." + key, "is never reached, since the stage controls none of \"xx\", \"yy\" and \"zz\"");
  }
}

inline auto describe(Of<Domain>) {
  return object("Where particles may be.",
                nested("remove_outside", "box", &Domain::remove_outside, "m",
                       "Particles whose centre leaves this box are removed."),
                field("outlets", &Domain::outlets, "", "Planes that count and remove particles, by name."),
                field("delete_in", &Domain::delete_in, "", "Regions that count and remove particles, by name."),
                field("periodic", &Domain::periodic, "", "A cell that repeats without end."),
                field("velocity_gradient", &Domain::velocity_gradient, "1/s",
                      "Constant rate at which the cell deforms: rows of L_ij = d v_i / d x_j."),
                field("control", &Domain::control, "", "What strains and stresses of the cell do, stage by stage."));
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
  for (std::size_t s = 0; s < domain.control.size(); ++s) {
    const auto components = components_of(domain.control[s]);
    for (std::size_t k = 0; k < n_cell_components; ++k) {
      const auto& [i, j] = cell_component_axes[k];
      if (!*components[k] || (periodic[i] && periodic[j])) continue;
      complaints.add("control." + std::to_string(s) + "." + cell_component_names[k],
                     "is not possible, since the cell does not repeat along " + axis_names()[periodic[i] ? j : i]);
    }
    const auto walls = std::find(periodic.begin(), periodic.end(), false);
    if (walls == periodic.end() || !domain.control[s].until) continue;
    for (const std::string& key : keys_of_volume(*domain.control[s].until)) {
      complaints.add("control." + std::to_string(s) + ".until." + key,
                     "is not possible, since the cell does not repeat along " +
                         axis_names()[static_cast<std::size_t>(walls - periodic.begin())] +
                         ", where walls decide on the volume; a stage of \"stages\" can wait for a \"measure\" of it");
    }
  }
}

inline void check(const Domain& domain, Complaints& complaints) {
  if (domain.velocity_gradient && !domain.control.empty()) {
    complaints.add("velocity_gradient", "is not allowed with \"control\", whose stages give it");
  }
  for (std::size_t s = 0; s + 1 < domain.control.size(); ++s) {
    if (domain.control[s].until) continue;
    complaints.add("control." + std::to_string(s) + ".until",
                   "is missing; without it the stage never ends, and those after it never begin");
  }
  const char* const removes = domain.remove_outside       ? "remove_outside"
                              : !domain.outlets.empty()   ? "outlets"
                              : !domain.delete_in.empty() ? "delete_in"
                                                          : nullptr;
  for (std::size_t s = 0; removes != nullptr && s < domain.control.size(); ++s) {
    if (!domain.control[s].until) continue;
    for (const std::string& key : keys_of_volume(*domain.control[s].until)) {
      complaints.add("control." + std::to_string(s) + ".until." + key,
                     std::string("is not possible with \"domain.") + removes +
                         "\", since the particles of the start count; a stage of \"stages\" can wait for a "
                         "\"measure\" of it");
    }
  }
  if (domain.periodic) check_deformation(domain, periodic_axes(*domain.periodic), complaints);
}

/// Paths of regions that are faces, but not those of inlets.
inline std::vector<std::string> faces_beside_inlets(const Case& input) {
  std::vector<std::string> paths;
  const auto look = [&](const std::string& path, const std::optional<Region>& region) {
    if (region && std::holds_alternative<FaceRegion>(*region)) paths.push_back(path + ".face");
  };
  for (std::size_t i = 0; i < input.particles.size(); ++i) {
    const ParticleGroup& entry = input.particles[i];
    if (entry.fill) look("particles." + std::to_string(i) + ".fill", entry.fill->region);
  }
  const auto of_probes = [&](const std::string& path, const auto& probes) {
    for (const auto& [name, probe] : probes) {
      std::visit(
          [&, &probe_name = name]<class P>(const P& kind) {
            if constexpr (requires { kind.region; }) look(path + probe_name + ".region", kind.region);
          },
          probe.kind);
    }
  };
  if (input.output.series) of_probes("output.series.probes.", input.output.series->probes);
  return paths;
}

/// Paths of what only a periodic cell has: regions that are the cell, and fields of frames.
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
  if (!input.output.series) return paths;
  for (const auto& [name, probe] : input.output.series->probes) {
    std::visit(
        [&, &probe_name = name]<class P>(const P& kind) {
          if constexpr (requires { kind.region; }) look("output.series.probes." + probe_name + ".region", kind.region);
        },
        probe.kind);
  }
  return paths;
}

static_assert(lists_every_member<Outlet> && lists_every_member<PeriodicDomain> &&
              lists_every_member<ComponentControl> && lists_every_member<StressMultiples> &&
              lists_every_member<StrainMultiples> && lists_every_member<StageStrains> &&
              lists_every_member<StageStresses> && lists_every_member<VoidRatioCondition> &&
              lists_every_member<SolidFractionCondition> && lists_every_member<StageEnd> &&
              lists_every_member<ControlStage> && lists_every_member<Domain>);

}  // namespace scree
