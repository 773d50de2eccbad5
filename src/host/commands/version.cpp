#include "host/commands/version.hpp"

#include <ostream>
#include <string_view>

#include "host/app/host_isa.hpp"
#include "scree/version.hpp"

namespace scree {

int run_version(std::ostream& out) {
  out << "scree " << SCREE_VERSION;
  const std::string_view revision = SCREE_REVISION;
  if (!revision.empty()) { out << ", revision " << revision; }
  out << ", " << SCREE_BUILD_TYPE << ", " << compiled_isas() << '\n';
  return 0;
}

}  // namespace scree
