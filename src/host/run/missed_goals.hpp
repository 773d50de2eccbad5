#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scree/engine.hpp"
#include "scree/scene.hpp"

/// What a case asks for and a run has not brought about, in sentences for the user.
namespace scree {

class Servos;
class Stages;

/// All goals missed at the end of a run. `where` says where the run ended, such as "within time.duration".
[[nodiscard]] std::vector<std::string> missed_goals(const Scene& scene, Engine& engine, const Stages& stages,
                                                    const Servos& servos, const std::string& where);

/// Why a run that is resumed makes no step: its stages had come to their end.
[[nodiscard]] std::vector<std::string> ended_before(Engine& engine, const Stages& stages);

/// A stage of the cell that has not ended at the end of a run, although a strain, a stress or a balance should end it,
/// or stages come after it.
[[nodiscard]] std::optional<std::string> unfinished_cell_stage(const Scene& scene, const CellState& cell,
                                                               const std::string& where);

/// A law that makes bonds has made none. `over`: the run has ended; until then bonds that form whenever particles come
/// near may still follow.
[[nodiscard]] std::optional<std::string> missing_bonds(const Scene& scene, const EngineCounts& counts, bool over);

/// The line of the log with the number of bonds that the first step has found, if a law makes bonds: it shows at once
/// whether "interaction_range" or "gap" bonds what it should.
[[nodiscard]] std::optional<std::string> bonds_at_start(const Scene& scene, const EngineCounts& counts);

}  // namespace scree
