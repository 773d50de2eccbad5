#pragma once

#include "scree/sizes.hpp"

namespace scree {

/// The distribution with every length multiplied by `factor`.
[[nodiscard]] SizeDistribution scaled(const SizeDistribution& sizes, double factor);

}  // namespace scree
