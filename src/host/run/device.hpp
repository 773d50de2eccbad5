#pragma once

#include "scree/engine.hpp"

namespace scree {

/// Checks the GPU that the user has selected by --device, if any. Throws CaseError if it does not exist, or if the run
/// is to use the processor.
void expect_device(const EngineOptions& options);

}  // namespace scree
