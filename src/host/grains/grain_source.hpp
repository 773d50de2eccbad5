#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/grains/grain_cache.hpp"
#include "host/grains/make_grain.hpp"

namespace scree::grains {

/// The source of a grain template: the word for a formula with its lengths [m], or a file.
struct GrainSource {
  std::string name;  ///< sphere, box, capsule, cylinder, torus, superellipsoid, or the path of a mesh or image
  std::optional<double> radius, half_length, half_height, major_radius, minor_radius;
  std::optional<Real3> half_edges, half_axes;
  std::optional<std::array<double, 2>> exponents;
  double scale = 1;                    ///< factor from the units of a file to metres
  std::optional<std::uint32_t> label;  ///< for an image: only this grain
  bool is_one = false;                 ///< an image without `label` must have one grain, apart from tiny labels
};

/// The words for formulas.
[[nodiscard]] const std::vector<std::string>& formula_names();

struct MadeGrain {
  GrainTemplate grain;
  std::optional<std::uint32_t> label;
  bool was_kept = false;  ///< came from the cache
};

/// Makes the templates of a source, or reads them from the cache, and calls `take` with each. An image with several
/// labels gives several templates; if a label gives none, `left_out` is called with the reason, and the next label
/// follows. If `is_one` is set, an image of several grains is refused before any template is made. Throws CaseError
/// (path: option or file) if the source is unknown or wrong, or if it gives no template.
void make_grains(const GrainSource& source, const GrainChoice& choice,
                 const std::optional<std::filesystem::path>& cache, const std::function<void(MadeGrain)>& take,
                 const std::function<void(const std::string&)>& left_out);

}  // namespace scree::grains
