#pragma once

#include <string>
#include <vector>

#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// A number for each triangle of a surface.
struct SurfaceField {
  std::string name;
  std::vector<double> values;
};

/// The fields of the facets of a mesh in frames at `time` [s]: mean pressure and shear since the interval of `loads`
/// began, and the sums since the start of the run, per area. Facets without area have zeros. A mesh that is repeated in
/// a periodic cell has the same values in all copies.
[[nodiscard]] std::vector<SurfaceField> facet_fields(const SceneBoundary& boundary, const FacetLoads& loads,
                                                     double time);

}  // namespace scree
