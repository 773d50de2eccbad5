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

/// What grains are made of: a word for a formula with its lengths [m], or a file.
struct GrainSource {
  std::string name;  ///< sphere, box, capsule, cylinder, torus, superellipsoid, or a file: a mesh or an image
  std::optional<double> radius, half_length, half_height, major_radius, minor_radius;
  std::optional<Real3> half_edges, half_axes;
  std::optional<std::array<double, 2>> exponents;
  double scale = 1;                    ///< from the units of a file to metres
  std::optional<std::uint32_t> label;  ///< of an image: only this one
  bool is_one = false;                 ///< of an image without `label`: it must hold one grain, crumbs aside
};

/// The words for formulas.
[[nodiscard]] const std::vector<std::string>& formula_names();

struct MadeGrain {
  GrainTemplate grain;
  std::optional<std::uint32_t> label;
  bool was_kept = false;  ///< came from the cache
};

/// Makes the templates of a source, or takes them from the cache, and hands over each one: several from an image with
/// several labels. Then a label that makes no template is reported to `left_out`, with its reason, and the others
/// follow. An image of several grains is refused before any template is made if the source `is_one`. Throws CaseError
/// (path: option or file) for a source that is none, and when nothing is left.
void make_grains(const GrainSource& source, const GrainChoice& choice,
                 const std::optional<std::filesystem::path>& cache, const std::function<void(MadeGrain)>& take,
                 const std::function<void(const std::string&)>& left_out);

}  // namespace scree::grains
