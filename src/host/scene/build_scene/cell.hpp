#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The cell that `domain.periodic` describes, with its deformation; none without.
[[nodiscard]] std::optional<PeriodicCell> make_cell(const Case& input, std::vector<InputProblem>& problems);

/// Adds problems where the case asks of the cell of a start what this cell cannot do.
void check_deformation(const Domain& domain, const PeriodicCell& cell, std::vector<InputProblem>& problems);

/// Gives a cell the velocity gradient or the stages of a case.
void set_deformation(const Domain& domain, PeriodicCell& cell);

/// An entry of `domain.control`.
struct ControlEntry {
  std::string name;      ///< one without a name is "stage 0" and so on, by its number, as in the series
  std::size_t last = 0;  ///< index of its last stage in PeriodicCell::stages
};
[[nodiscard]] std::vector<ControlEntry> entries_of_control(const Domain& domain);

/// Whether this is a later round of a stage that is repeated: messages name the first one only.
[[nodiscard]] bool comes_again(const CellStage& stage);

/// Checks, once the particles are placed, that no two particles can touch through two images (see least_cell_width),
/// and that no group turns in a cell that deforms.
void check_cell(const Case& input, const Scene& scene, std::vector<InputProblem>& problems);

/// Whether no particle of such a reach [m] can touch two images of another; else the problem is added.
[[nodiscard]] bool is_wide_enough(const Case& input, const PeriodicCell& cell, double reach,
                                  std::vector<InputProblem>& problems);

/// Adds a warning for each goal of stress that is a tension, where nothing holds particles together. Adds a problem
/// where a stage waits for a fraction of goals that are all 0.
void look_at_goals_of_stress(const Scene& scene, std::vector<std::string>& warnings,
                             std::vector<InputProblem>& problems);

/// Adds a warning where the first stage of the control waits for a void ratio that the cell has at the start.
void warn_of_reached_void_ratio(const Scene& scene, std::vector<std::string>& warnings);

/// Adds a warning where gravity acts but there is nothing that particles could come to rest on.
void warn_of_endless_fall(const Scene& scene, std::vector<std::string>& warnings);

/// The largest reach of a particle from its centre [m]: interaction range times radius, or bounding radius of clumps.
[[nodiscard]] double largest_reach(const Scene& scene);
/// Whether the cell may ever change its shape.
[[nodiscard]] bool deforms(const PeriodicCell& cell);

/// Warns of a stage of the cell that cannot reach its strain at its given rates before the run ends.
void warn_of_short_control(const Scene& scene, double duration, std::vector<std::string>& warnings);

}  // namespace scree
