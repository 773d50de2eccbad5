#include "host/commands/host_isa.hpp"

#include <cstdlib>
#include <vector>

#include "kernels/factory.hpp"
#include "scree/errors.hpp"
#include "scree/version.hpp"

namespace scree {

namespace {

struct Kernels {
  std::string isa;
  bool usable;
  std::unique_ptr<Engine> (*make)(const Scene&, int);
};

/// The kernels of this program, from the slowest to the fastest.
std::vector<Kernels> all_kernels() {
  std::vector<Kernels> all = {{SCREE_ISA, true, make_host_engine}};
#if SCREE_DISPATCHES_ISA
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512cd");
  all.push_back({"x86-64-v3", v3, make_host_engine_x86_64_v3});
  all.push_back({"x86-64-v4", v4, make_host_engine_x86_64_v4});
#endif
  return all;
}

Kernels chosen_kernels() {
  const std::vector<Kernels> all = all_kernels();
  const char* text = std::getenv("SCREE_ISA");
  if (text == nullptr || *text == 0) {
    Kernels best = all.front();
    for (const Kernels& kernels : all) {
      if (kernels.usable) { best = kernels; }
    }
    return best;
  }
  for (const Kernels& kernels : all) {
    if (kernels.isa != text) { continue; }
    if (kernels.usable) { return kernels; }
    throw BackendError("environment variable SCREE_ISA: this processor cannot run " + kernels.isa);
  }
  throw BackendError("environment variable SCREE_ISA: \"" + std::string(text) +
                     "\" is none of the instruction sets of this program, " + compiled_isas());
}

}  // namespace

std::string host_isa() { return chosen_kernels().isa; }

std::string compiled_isas() {
  std::string names;
  for (const Kernels& kernels : all_kernels()) { names += (names.empty() ? "" : ", ") + kernels.isa; }
  return names;
}

std::unique_ptr<Engine> make_engine_of_isa(const Scene& scene, int threads) {
  return chosen_kernels().make(scene, threads);
}

}  // namespace scree
