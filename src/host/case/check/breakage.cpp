#include "host/case/check/breakage.hpp"

namespace scree {

void check_breakage(const Case& input, Problems& problems) {
  if (!input.breakage) {
    if (input.output.broken_particles) {
      problems.add("output.broken_particles", "has no effect without \"breakage\"; add it, or leave this out");
    }
    return;
  }
  if (input.domain.velocity_gradient || !input.domain.control.empty()) {
    problems.add("breakage", "is not possible in a cell that deforms");
  }
}

}  // namespace scree
