#pragma once

#include "scree/sizes.hpp"

namespace scree {

/// The distribution with every length times `factor`.
[[nodiscard]] SizeDistribution scaled(const SizeDistribution& sizes, double factor);

}  // namespace scree
