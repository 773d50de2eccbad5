#pragma once

#include <atomic>

namespace scree {

/// Becomes true at the first SIGINT or SIGTERM after catch_interrupts(); the second one ends the process at once.
[[nodiscard]] const std::atomic<bool>& interrupt_flag();

void catch_interrupts();

}  // namespace scree
