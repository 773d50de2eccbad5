#include <algorithm>

#include "kernels/backend/copies.hpp"
#include "kernels/backend/copy_speed.hpp"
#include "kernels/factory.hpp"
#include "kernels/system.hpp"
#include "scree/errors.hpp"

#if !SCREE_ON_CUDA
#include <omp.h>
#endif
#ifndef SCREE_HOST_ENGINE
#define SCREE_HOST_ENGINE make_host_engine
#endif

namespace scree {

inline namespace SCREE_BACKEND {

namespace {

/// The public face of a System.
template <class R>
class SystemEngine final : public Engine {
 public:
  SystemEngine(const Scene& scene, int threads, std::string name)
      : before_(all_copies()), system_(scene, threads), name_(std::move(name)) {}

  std::uint64_t advance(std::uint64_t steps, const std::atomic<bool>* stop, double until) override {
    return system_.advance(steps, stop, until);
  }
  std::uint64_t step() const override { return system_.step_count(); }
  double time() const override { return system_.time(); }
  double previous_time() const override { return system_.previous_time(); }
  std::optional<CellState> cell() override { return system_.cell(); }
  bool finished() override { return system_.finished(); }
  CriticalStep critical_step() override { return system_.critical_step(); }
  ContactWatch watch() override { return system_.watch(); }
  Snapshot snapshot(const SnapshotRequest& request) override { return system_.snapshot(request); }
  StateHash hash() override { return system_.hash(); }
  EngineState save() override { return system_.save(); }
  void restore(const EngineState& state) override { system_.restore(state); }
  EngineCounts counts() override { return system_.counts(); }
  std::vector<TouchingNode> touching_nodes() override { return system_.nodes(); }
  NodeCounts node_counts() override { return system_.node_counts(); }
  std::vector<BoundaryLoad> boundary_loads() override { return system_.loads(); }
  std::vector<Real3> boundary_vertices(std::size_t index) override { return system_.vertices(index); }
  std::vector<TouchingContact> touching_contacts() override { return system_.contacts(); }
  std::optional<ContactTractions> tractions(std::uint32_t first, std::uint32_t second, bool with_boundary,
                                            std::size_t points) override {
    return system_.tractions(first, second, with_boundary, points);
  }
  EnergyLedger energies() override { return system_.energies(); }
  std::vector<MemoryItem> memory() override { return system_.memory(); }
  std::string backend() const override { return name_; }

  void insert(const ParticleSet& particles) override { system_.insert(particles); }
  SphereList particles_in(const Real3& low, const Real3& high) override { return system_.particles_in(low, high); }
  std::vector<std::uint8_t> clear_of_boundaries(const SphereList& spheres) override { return system_.clear(spheres); }

  SearchReport search_neighbours() override { return system_.search_neighbours(); }
  std::vector<StageTime> stage_times() override {
    std::vector<StageTime> times;
    for (const auto& [stage, clock] : system_.exec().clocks()) {
      times.push_back({stage, clock.seconds, clock.calls, clock.bytes});
    }
    for (std::size_t k = 0; k < all_copy_kinds.size(); ++k) {
      const CopyCount now = copies_so_far(all_copy_kinds[k]);
      times.push_back({copy_stages[k], 0, now.calls - before_[k].calls, now.bytes - before_[k].bytes});
    }
    return times;
  }
  void wait_for_launches() override { system_.exec().wait_for_launches(); }
  double copy_bandwidth() override { return scree::SCREE_BACKEND::copy_bandwidth(system_.exec()); }

 private:
  using Copies = std::array<CopyCount, all_copy_kinds.size()>;
  static Copies all_copies() {
    Copies counts;
    for (std::size_t k = 0; k < counts.size(); ++k) { counts[k] = copies_so_far(all_copy_kinds[k]); }
    return counts;
  }

  Copies before_;  ///< when the engine was made
  System<R> system_;
  std::string name_;
};

std::unique_ptr<Engine> make_system(const Scene& scene, int threads, const std::string& name) {
  if (scene.precision == Precision::double_) { return std::make_unique<SystemEngine<double>>(scene, threads, name); }
  return std::make_unique<SystemEngine<float>>(scene, threads, name);
}

}  // namespace
}  // namespace SCREE_BACKEND

#if SCREE_ON_CUDA

CudaStatus cuda_status() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    cudaGetLastError();
    return {false, status == cudaSuccess ? "no CUDA device" : std::string(cudaGetErrorString(status))};
  }
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) { return {false, "the CUDA device does not answer"}; }
  return {true, std::string(properties.name) + ", " + std::to_string(properties.totalGlobalMem >> 30) + " GiB"};
}

std::unique_ptr<Engine> make_cuda_engine(const Scene& scene) {
  const CudaStatus status = cuda_status();
  if (!status.usable) { throw BackendError("the CUDA backend cannot run here: " + status.detail); }
  return make_system(scene, 1, "cuda, " + status.detail);
}

#else

std::unique_ptr<Engine> SCREE_HOST_ENGINE(const Scene& scene, int threads) {
  const int team = threads > 0 ? threads : omp_get_num_procs();
  return make_system(scene, team, "host, " + std::to_string(team) + (team == 1 ? " thread" : " threads"));
}

#endif

}  // namespace scree
