#pragma once

#include <optional>
#include <vector>

/// Heat of particles: the settings of a case, the values that an engine starts from, and what an engine reports.
/// docs/theory.md has the equations.
namespace scree {

/// Thermal properties of a material.
struct Thermal {
  double conductivity = 0;             ///< [W/(m K)]
  double heat_capacity = 0;            ///< [J/(kg K)] at constant pressure
  std::optional<double> emissivity{};  ///< [-] needed for radiation
  std::optional<double>
      young_modulus{};  ///< [Pa] true modulus of a material that is softened in the run; none: the same
};

/// A gas at rest between the particles. It conducts heat where two surfaces are nearer than the film is thick.
struct GasFilm {
  double conductivity = 0;  ///< [W/(m K)]
  double thickness = 0.4;   ///< [-] over the radius of a sphere, or over the harmonic mean of two radii
  double least_gap = 0;  ///< [m] roughness, or mean free path: surfaces that are nearer count as having this distance
};

/// Radiation between particles that are near each other, and to boundaries with a temperature.
struct Radiation {
  double range = 1.5;  ///< [-] largest distance of the centres over the sum of the radii; at a boundary over the radius
};

/// Temperatures of particles.
struct HeatSettings {
  double temperature = 293.15;           ///< [K] at the start, for entries of `particles` that give no temperature
  std::optional<GasFilm> gas{};          ///< none: heat goes through contacts alone
  std::optional<Radiation> radiation{};  ///< none: no radiation
  double dissipation = 0;                ///< [-] share of the work lost by friction and in dashpots that becomes heat
};

/// Values for an ordered pair of materials.
struct ThermalPair {
  double per_radius = 0;      ///< [W/(m K)] conductance of a contact over the radius of its circle, 4 / (1/k1 + 1/k2)
  double radius_factor = 1;   ///< [-] contact radius with the true moduli over that with the moduli of the run
  double share_of_first = 0;  ///< [-] part of the heat of a contact that the body of the first material gets
};

/// The thermal data of a scene.
struct SceneHeat {
  HeatSettings settings;
  std::vector<ThermalPair> pairs;  ///< [n_materials * n_materials] as Scene::pairs; zero if a material is not thermal
};

/// Heat of all particles at a moment. Heats [J] are sums since the start of the run, positive into the particles: heat
/// = start + boundaries + dissipation + inserted - removed, to rounding.
struct HeatReport {
  double mean_temperature = 0;     ///< [K] weighted by the heat capacities; 0 without particles
  double capacity = 0;             ///< [J/K] of all particles
  double heat = 0;                 ///< [J] above 0 K
  double start = 0;                ///< [J] at the start of the run
  double dissipation = 0;          ///< [J] from friction and dashpots
  double inserted = 0;             ///< [J] of particles of inlets
  double removed = 0;              ///< [J] of particles that left
  std::vector<double> flow{};      ///< [n_boundaries] [W] from each boundary, in the last step
  std::vector<double> supplied{};  ///< [n_boundaries] [J] from each boundary
};

}  // namespace scree
