#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "host/bench/arguments.hpp"

namespace scree {

/// `scree bench deformable`: what contacts of 27 deformed grains cost by each way of FieldUpdate, beside rigid grains
/// of the same deformed shape, and how far depths and forces are from those of recomputation. One line per number of
/// modes and way; BenchArguments::field_updates selects ways.
void bench_deformable(const BenchArguments& arguments, std::ostream& out);

/// The words of FieldUpdate in case files.
[[nodiscard]] std::vector<std::string> field_update_names();

}  // namespace scree
