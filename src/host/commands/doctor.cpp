#include "host/commands/doctor.hpp"

#include <unistd.h>

#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "host/commands/host_isa.hpp"
#include "host/output/hdf5_file.hpp"
#include "host/run/device.hpp"
#include "host/text/text.hpp"
#include "scree/engine.hpp"
#include "scree/machine.hpp"
#include "scree/version.hpp"

namespace scree {
namespace {

constexpr std::uint64_t gibibyte = 1ULL << 30U;

void say(std::ostream& out, bool good, std::string topic, const std::string& text) {
  topic.resize(12, ' ');
  out << (good ? "ok    " : "warn  ") << topic << text << '\n';
}

void say_processor(std::ostream& out) {
  const unsigned all = std::thread::hardware_concurrency();
  const auto cores = static_cast<unsigned>(granted_cores());
  say(out, true, "threads",
      count_text(cores) + (cores < all ? " of " + count_text(all) : "") + " hardware threads" +
          (cores < all ? ", as many as the system grants" : ""));
  const GrantedMemory memory = granted_memory();
  const bool known = memory.free != std::numeric_limits<std::uint64_t>::max();
  say(out, memory.free >= gibibyte, "memory",
      bytes_text(memory.all) + (known ? ", " + bytes_text(memory.free) + " available" : ""));
}

/// Prints a line about the GPU with the number `wanted`, or about each GPU if it is empty.
void say_devices(const BackendStatus& backend, std::optional<int> wanted, std::ostream& out) {
  for (std::size_t k = 0; k < backend.devices.size(); ++k) {
    if (wanted && static_cast<std::size_t>(*wanted) != k) { continue; }
    say(out, true, "GPU " + std::to_string(k), backend.devices[k]);
  }
}

void say_backends(std::optional<int> device, std::ostream& out) {
  bool any = false;
  for (const auto& backend : backend_status()) {
    // A backend that was left out of the build is a choice. A backend that was built but does not work is a warning.
    const std::string state = backend.usable ? "usable" : backend.compiled ? "not usable" : "not built in";
    say(out, backend.usable || !backend.compiled, "backend",
        backend.name + ": " + state + (backend.detail.empty() ? "" : ", " + backend.detail));
    say_devices(backend, device, out);
    any = any || backend.usable;
  }
  if (!any) { say(out, false, "backend", "none can run here"); }
}

void say_disk(const std::filesystem::path& folder, std::ostream& out) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path existing = fs::absolute(folder);
  while (!fs::exists(existing, error) && existing.has_parent_path() && existing != existing.parent_path()) {
    existing = existing.parent_path();
  }
  if (::access(existing.c_str(), W_OK) != 0) {
    say(out, false, "disk", existing.string() + ": no permission to write here");
    return;
  }
  const auto space = fs::space(existing, error);
  if (error) {
    say(out, false, "disk", existing.string() + ": " + error.message());
  } else {
    say(out, space.available >= gibibyte, "disk", bytes_text(space.available) + " free at " + existing.string());
  }
}

}  // namespace

int run_doctor(const std::filesystem::path& folder, std::optional<int> device, std::ostream& out) {
  expect_device({BackendChoice::cuda, 0, device});
  const std::string_view revision = SCREE_REVISION;
  say(out, true, "scree", std::string(SCREE_VERSION) + (revision.empty() ? "" : ", revision " + std::string(revision)));
  const std::string_view build_type = SCREE_BUILD_TYPE;
  say(out, build_type != "Debug", "build",
      std::string(build_type) + ", " + SCREE_COMPILER + ", CUDA compiler " + SCREE_CUDA_COMPILER);
  say(out, true, "processor", "compiled for " + compiled_isas() + "; uses " + host_isa());
  say_processor(out);
  say_backends(device, out);
  say(out, true, "HDF5", hdf5_version());
  say_disk(folder, out);
  return 0;
}

}  // namespace scree
