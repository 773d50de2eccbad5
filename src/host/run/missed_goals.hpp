#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scree/engine.hpp"
#include "scree/scene.hpp"

/// Goals of a case that a run has missed, in sentences for the user.
namespace scree {

class Servos;
class Stages;

/// All missed goals at the end of a run. `where` says where the run ended, such as "within time.duration".
[[nodiscard]] std::vector<std::string> missed_goals(const Scene& scene, Engine& engine, const Stages& stages,
                                                    const Servos& servos, const std::string& where);

/// Why a resumed run makes no step: its stages had ended.
[[nodiscard]] std::vector<std::string> ended_before(Engine& engine, const Stages& stages);

/// A stage of the cell that has not ended at the end of a run, although a strain, a stress or a balance should end it,
/// or stages come after it.
[[nodiscard]] std::optional<std::string> unfinished_cell_stage(const Scene& scene, const CellState& cell,
                                                               const std::string& where);

/// A sentence if a law that makes bonds has made none. `over` tells that the run has ended; until then bonds that form
/// whenever particles come near may still follow.
[[nodiscard]] std::optional<std::string> missing_bonds(const Scene& scene, const EngineCounts& counts, bool over);

/// The line for the log with the number of bonds in the first step, if a law makes bonds. It shows at once whether
/// "interaction_range" or "gap" has the intended effect.
[[nodiscard]] std::optional<std::string> bonds_at_start(const Scene& scene, const EngineCounts& counts);

}  // namespace scree
