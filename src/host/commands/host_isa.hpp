#pragma once

#include <memory>
#include <string>

#include "scree/engine.hpp"

/// The instruction set of the host backend. A program that is built with SCREE_HOST_ISA=dispatch contains kernels for
/// several sets and uses the best set that the processor has. All give the same bits. The environment variable
/// SCREE_ISA chooses another set, for comparisons.
namespace scree {

/// The name of the set in use, such as x86-64-v4. Throws BackendError if the set that SCREE_ISA names cannot run here.
[[nodiscard]] std::string host_isa();
/// All sets of this program, for reports: "x86-64-v2, x86-64-v3, x86-64-v4".
[[nodiscard]] std::string compiled_isas();
/// Makes an engine with the kernels of host_isa(). `threads` 0: all cores, fewer for few particles.
[[nodiscard]] std::unique_ptr<Engine> make_engine_of_isa(const Scene& scene, int threads);

}  // namespace scree
