#include <iostream>

#include "scree/engine.hpp"
#include "scree/version.hpp"

int main() {
  std::cout << "scree " << SCREE_VERSION << ", revision " << SCREE_REVISION << "\n";
  bool host_runs = false;
  for (const auto& status : scree::backend_status()) {
    std::cout << status.name << ": " << status.detail << "\n";
    host_runs = host_runs || (status.name == "host" && status.usable);
  }
  return host_runs ? 0 : 1;
}
