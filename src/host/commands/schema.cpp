#include "host/commands/schema.hpp"

#include <ostream>

#include "scree/case_file.hpp"

namespace scree {

int run_schema(std::ostream& out) {
  out << case_schema();
  return 0;
}

}  // namespace scree
