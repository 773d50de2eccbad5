#pragma once

#include "scree/engine.hpp"

namespace scree {

/// Checks the GPU that the user has asked for by --device, if any. Throws CaseError if it is not there, or if the run
/// is to be on the processor.
void expect_device(const EngineOptions& options);

}  // namespace scree
