#pragma once

#include "host/measure/probes.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Throws CaseError unless all columns of the series have names of their own, also without their units: programs read
/// columns by name. `probes` are those of the series; `has_kinds` as for series_columns().
void check_column_names(const Scene& scene, const Probes& probes, bool has_kinds);

}  // namespace scree
