#pragma once

#include <iosfwd>

#include "host/bench/arguments.hpp"

namespace scree {

/// `scree bench neighbours`: the cost of the search for neighbours in dense assemblies of equal and of very unequal
/// spheres, per particle and per stage, and its growth with the number of particles.
void bench_neighbours(const BenchArguments& arguments, std::ostream& out);

}  // namespace scree
