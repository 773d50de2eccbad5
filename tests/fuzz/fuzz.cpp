#include <cstdlib>
#include <iostream>

#include "fuzz/readers.hpp"

/// One program with all targets. SCREE_FUZZ_TARGET names the reader that gets the inputs.
namespace {

scree::fuzz::Reader reader = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*arguments*/) {
  const char* const name = std::getenv("SCREE_FUZZ_TARGET");
  const auto found = scree::fuzz::readers().find(name == nullptr ? "" : name);
  if (found == scree::fuzz::readers().end()) {
    std::cerr << "SCREE_FUZZ_TARGET must be one of:";
    for (const auto& [known, unused] : scree::fuzz::readers()) { std::cerr << ' ' << known; }
    std::cerr << std::endl;
    std::exit(2);
  }
  reader = found->second;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  reader({reinterpret_cast<const char*>(data), size});
  return 0;
}
