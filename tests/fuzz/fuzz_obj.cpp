#include "fuzz/readers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  scree::fuzz::read_obj({reinterpret_cast<const char*>(data), size});
  return 0;
}
