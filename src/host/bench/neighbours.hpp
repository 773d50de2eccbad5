#pragma once

#include <iosfwd>

#include "host/bench/arguments.hpp"

namespace scree {

/// `scree bench neighbours`: what the search for neighbours costs in dense assemblies of equal and of very unequal
/// spheres, per particle and per stage, and how it grows with their number.
void bench_neighbours(const BenchArguments& arguments, std::ostream& out);

}  // namespace scree
