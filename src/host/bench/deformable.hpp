#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "host/bench/arguments.hpp"

namespace scree {

/// `scree bench deformable`: the cost of contacts of 27 deformed grains with each method of FieldUpdate, compared with
/// rigid grains of the same shape, and the errors of depths and forces compared with recomputation. One line per number
/// of modes and method; BenchArguments::field_updates selects methods.
void bench_deformable(const BenchArguments& arguments, std::ostream& out);

/// The words of FieldUpdate in case files.
[[nodiscard]] std::vector<std::string> field_update_names();

}  // namespace scree
