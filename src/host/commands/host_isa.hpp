#pragma once

#include <memory>
#include <string>

#include "scree/engine.hpp"

/// The instruction set of the host backend. A program that is built with SCREE_HOST_ISA=dispatch has kernels for
/// several sets and takes the best one that the processor has; all give the same bits. The environment variable
/// SCREE_ISA chooses another one, for comparisons.
namespace scree {

/// The name of the set in use, such as x86-64-v4. Throws BackendError if SCREE_ISA names none that can run here.
[[nodiscard]] std::string host_isa();
/// All sets of this program, for reports: "x86-64-v2, x86-64-v3, x86-64-v4".
[[nodiscard]] std::string compiled_isas();
/// An engine with the kernels of host_isa(); threads 0 = all cores, fewer for few particles.
[[nodiscard]] std::unique_ptr<Engine> make_engine_of_isa(const Scene& scene, int threads);

}  // namespace scree
