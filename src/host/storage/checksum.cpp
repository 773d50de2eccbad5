#include "host/storage/checksum.hpp"

#include <cstdio>

namespace scree {

std::string Checksum::text() const {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(value()));
  return digits;
}

}  // namespace scree
