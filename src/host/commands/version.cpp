#include "host/commands/version.hpp"

#include <ostream>

#include "host/commands/host_isa.hpp"
#include "scree/version.hpp"

namespace scree {

std::string version_text() {
  std::string text = std::string("scree ") + SCREE_VERSION;
  const std::string revision = SCREE_REVISION;
  if (!revision.empty()) { text += ", revision " + revision; }
  return text + ", " + SCREE_BUILD_TYPE + ", " + compiled_isas();
}

int run_version(std::ostream& out) {
  out << version_text() << '\n';
  return 0;
}

}  // namespace scree
