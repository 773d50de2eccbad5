#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "host/measure/cell_meters.hpp"
#include "host/measure/measured_state.hpp"
#include "host/output/broken_kinds.hpp"
#include "host/output/rows_before.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"
#include "scree/simulation.hpp"

/// The columns of series.csv except those of probes. Header and rows follow from one list.
namespace scree {

/// The data that the columns of one row read. The engine is asked once for each part, and only for parts that some
/// column reads.
struct SeriesReadouts {
  const MeasuredState& state;
  const Scene& scene;
  double time = 0;            ///< [s]
  double kinetic_energy = 0;  ///< [J] in a periodic cell that of the velocities relative to the mean deformation
  std::uint64_t step = 0;
  std::uint64_t stage = 0;  ///< number of the stage of the run
  EngineCounts counts{};
  ContactWatch watch{};
  EnergyLedger energies{};
  HeatReport heat{};
  FilmReport films{};
  Real3 fluid_force{};  ///< [N]
  CellMeasures cell{};
  std::vector<double> pressures{};         ///< [n_membranes] [Pa]
  std::vector<FacetLoads> facets{};        ///< of the meshes with SceneBoundary::facet_loads, in their order
  const std::vector<InletReport>& inlets;  ///< [n_inlets] in the order of the case
  BreakageReport breakage{};               ///< so far
  BrokenKinds broken{};                    ///< so far, with broken_bonds.csv
  const RowBefore* before = nullptr;       ///< null: there is none, or it is not known

  /// `state` has loads, and in a periodic cell forces and contacts. Refers to `of`, `to` and `by_inlet`. Throws
  /// ContractError while contact forces are not known, or if the engine is not one of this scene.
  SeriesReadouts(Engine& engine, const MeasuredState& of, const Scene& to, std::size_t stage_number,
                 const std::vector<InletReport>& by_inlet);
};

/// Whole numbers stay whole numbers in the text.
using SeriesValue = std::variant<std::uint64_t, double>;

/// The allowed values of a column; another value is a fault. NaN means that there is nothing to measure. With
/// `known_later` it is allowed before the first step.
enum class AllowedValues { finite, finite_or_nan, known_later, all };

/// A column: its text in the header, and the source of its value in a row.
struct SeriesColumn {
  std::string name;
  std::string unit;  ///< empty: the value has none
  std::function<SeriesValue(const SeriesReadouts&)> value;
  AllowedValues allowed = AllowedValues::finite;
  std::string of{};  ///< path in the case of what the name of the column has in it; empty: all runs use this name

  /// Name and unit as a cell of the header: "time[s]".
  [[nodiscard]] std::string heading() const;
};

/// All columns of the runs of a scene, in the order of the file. check_column_names() refuses scenes in which two of
/// them have the same name. `has_kinds`: the run writes broken_bonds.csv, which tells the kinds of broken bonds.
[[nodiscard]] std::vector<SeriesColumn> series_columns(const Scene& scene, bool has_kinds = false);

/// Adds the columns of each boundary: its load, its wear if its facets are summed, and its motion if it is driven.
void add_load_columns(const Scene& scene, std::vector<SeriesColumn>& columns);
/// Adds the pressure of each membrane, and the volume that it encloses.
void add_membrane_columns(const Scene& scene, std::vector<SeriesColumn>& columns);
/// Adds the columns of the heat from each boundary.
void add_boundary_heat_columns(const Scene& scene, std::vector<SeriesColumn>& columns);

/// The headings of all columns, with commas between them.
[[nodiscard]] std::string headings_of(const std::vector<SeriesColumn>& columns);

/// The values of all columns, with commas between them. Throws KernelFault when a value is none of those allowed.
[[nodiscard]] std::string values_of(const std::vector<SeriesColumn>& columns, const SeriesReadouts& now);

}  // namespace scree
