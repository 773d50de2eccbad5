#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The cell that `domain.periodic` describes, with its deformation; none if the case has no such key.
[[nodiscard]] std::optional<PeriodicCell> make_cell(const Case& input, std::vector<InputProblem>& problems);

/// Adds a problem for each deformation of the case that the cell of a start cannot make.
void check_deformation(const Domain& domain, const PeriodicCell& cell, std::vector<InputProblem>& problems);

/// Gives a cell the velocity gradient or the stages of a case.
void set_deformation(const Domain& domain, PeriodicCell& cell);

/// An entry of `domain.control`.
struct ControlEntry {
  std::string name;      ///< an entry without a name is called "stage 0" and so on, by its number, as in the series
  std::size_t last = 0;  ///< index of its last stage in PeriodicCell::stages
};
[[nodiscard]] std::vector<ControlEntry> entries_of_control(const Domain& domain);

/// Whether this is a later round of a repeated stage. Messages name only the first round.
[[nodiscard]] bool comes_again(const CellStage& stage);

/// Checks that no two particles can touch through two images (see least_cell_width), that goals of stress have a
/// solution, and that no group turns in a cell that deforms. Needs the particles.
void check_cell(const Case& input, const Scene& scene, std::vector<InputProblem>& problems);

/// Whether the cell is so wide that no particle with this reach [m] can touch two images of another one. Adds a problem
/// if it is not.
[[nodiscard]] bool is_wide_enough(const Case& input, const PeriodicCell& cell, double reach,
                                  std::vector<InputProblem>& problems);

/// Adds a warning for each goal of stress that is a tension, if nothing holds particles together. Adds a problem for a
/// stage that waits for a stress error but has only goals of 0.
void look_at_goals_of_stress(const Scene& scene, std::vector<std::string>& warnings,
                             std::vector<InputProblem>& problems);

/// Adds a warning if the first stage of the control waits for a void ratio that the cell has at the start already.
void warn_of_reached_void_ratio(const Scene& scene, std::vector<std::string>& warnings);

/// Adds a warning if gravity acts but particles have nothing to come to rest on.
void warn_of_endless_fall(const Scene& scene, std::vector<std::string>& warnings);

/// [m] The largest reach of a particle from its centre: interaction range times radius (for clumps, bounding radius).
[[nodiscard]] double largest_reach(const Scene& scene);
/// Whether the cell may ever change its shape.
[[nodiscard]] bool deforms(const PeriodicCell& cell);

/// Adds a warning for the first stage of the cell that cannot reach its strain at its rates before the run ends, after
/// `duration` [s].
void warn_of_short_control(const Scene& scene, double duration, std::vector<std::string>& warnings);

}  // namespace scree
