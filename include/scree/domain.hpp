#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scree/motions.hpp"
#include "scree/regions.hpp"
#include "scree/time_table.hpp"
#include "scree/values.hpp"

/// The space of the particles, as in a case file: outlets, and a periodic cell with its control.
namespace scree {

/// A plane that counts and removes each particle whose centre crosses it in the direction of its normal.
struct Outlet {
  Real3 point{}, normal{0, 0, -1};
};
/// A region that counts and removes each particle whose centre is inside, between two times.
struct DeletionRegion {
  std::variant<BoxRegion, CylinderRegion, SphereRegion> region;
  double from = 0;                                         ///< [s]
  double until = std::numeric_limits<double>::infinity();  ///< [s]
};

/// A periodic cell. Exactly one of size and edges is given.
struct PeriodicDomain {
  std::optional<Real3> size{};                   ///< [m] lengths of a box along the axes
  std::optional<std::array<Real3, 3>> edges{};   ///< [m] edge vectors of any parallelepiped
  Real3 origin{};                                ///< [m] corner from which the edges start
  std::vector<std::string> axes{"x", "y", "z"};  ///< axes along which the cell repeats
};
/// [-] Factors of stresses.
struct StressMultiples {
  std::optional<double> xx{}, yy{}, zz{}, yz{}, xz{}, xy{};
};
/// [-] Factors of strains.
struct StrainMultiples {
  std::optional<double> xx{}, yy{}, zz{}, yz{}, xz{}, xy{};
};
/// The control of one component of the cell. Exactly one of strain_rate, strain, stress and follows is given.
struct ComponentControl {
  std::optional<GoalCourse> strain_rate{}, strain{},
      stress{};                               ///< [1/s], [-], [Pa]; times count from the start of the stage
  std::optional<StrainMultiples> follows{};   ///< multiples of the strains of other components
  std::optional<double> reverse_at_stress{};  ///< [Pa] magnitude of the stress at which a strain rate changes its sign
  /// [-] factors of the stresses of other components. The sum of factor times stress is added to the goal `stress`, or
  /// to the stress of `reverse_at_stress`
  std::optional<StressMultiples> plus{};
};
/// [-] Magnitudes of strains.
struct StageStrains {
  std::optional<double> xx{}, yy{}, zz{}, yz{}, xz{}, xy{};
};
/// [Pa] Stresses that end a stage when the measured stress passes them.
struct StageStresses {
  std::optional<double> xx{}, yy{}, zz{}, yz{}, xz{}, xy{};
};
/// [-] A limit of the void ratio of the whole cell. Exactly one is given.
struct VoidRatioCondition {
  std::optional<double> above{}, below{};
};
/// [-] A limit of the solid fraction of the whole cell. Exactly one is given.
struct SolidFractionCondition {
  std::optional<double> above{}, below{};
};
/// When a stage ends; see CellStage. At least one is given.
struct StageEnd {
  std::optional<double> duration{};          ///< [s]
  std::optional<StageStrains> strain{};      ///< [-] since the stage began
  std::optional<StageStresses> stress{};     ///< [Pa]
  std::optional<std::uint64_t> reversals{};  ///< changes of sign of strain rates
  std::optional<double> stress_error{};      ///< [-] fraction of the largest goal of stress
  std::optional<double> unbalanced_force{};  ///< [-] mean force on a particle over mean contact force
  std::optional<VoidRatioCondition> void_ratio{};
  std::optional<SolidFractionCondition> solid_fraction{};
};
/// One of the stages of a StageRepeat. Its members mean the same as those of ControlStage.
struct RepeatedStage {
  std::string name;
  std::optional<ComponentControl> xx{}, yy{}, zz{}, yz{}, xz{}, xy{};
  double inertial_number = 1e-3;    ///< [-] limit of the rates that the program chooses
  std::optional<StageEnd> until{};  ///< must be given
};
/// [-] Differences between the largest and the least strain within a round.
struct DoubleAmplitudes {
  std::optional<double> xx{}, yy{}, zz{}, yz{}, xz{}, xy{};
};
/// A condition that ends a repetition before all of its rounds are over.
struct RepeatEnd {
  std::optional<DoubleAmplitudes> double_amplitude{};
};
/// Stages that are run several times.
struct StageRepeat {
  std::uint64_t times = 1;            ///< number of rounds
  std::vector<RepeatedStage> stages;  ///< of a round
  std::optional<RepeatEnd> until{};
};
/// One stage of the control of a periodic cell, or several that are repeated. Components that are left out have a
/// strain rate of 0.
struct ControlStage {
  std::string name;
  std::optional<ComponentControl> xx{}, yy{}, zz{}, yz{}, xz{}, xy{};
  double inertial_number = 1e-3;        ///< [-] limit of the rates that the program chooses
  std::optional<StageEnd> until{};      ///< none: the end of the run
  std::optional<StageRepeat> repeat{};  ///< instead of all other members but the name
};
/// The space of the particles: removal, outlets and a periodic cell.
struct Domain {
  std::optional<BoxRegion> remove_outside;
  Named<Outlet> outlets;
  Named<DeletionRegion> delete_in;
  std::optional<PeriodicDomain> periodic{};
  std::optional<std::array<Real3, 3>> velocity_gradient{};  ///< [1/s] rows: L_ij = d v_i / d x_j
  std::vector<ControlStage> control{};                      ///< stages, in order; instead of velocity_gradient
};

}  // namespace scree
