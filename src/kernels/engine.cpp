#include <algorithm>
#include <cmath>

#include "kernels/backend/copies.hpp"
#include "kernels/backend/copy_speed.hpp"
#include "kernels/factory.hpp"
#include "kernels/math/real3.hpp"
#include "kernels/readout/overloaded.hpp"
#include "kernels/system.hpp"
#include "scree/errors.hpp"
#include "scree/machine.hpp"

#ifndef SCREE_HOST_ENGINE
#define SCREE_HOST_ENGINE make_host_engine
#endif

namespace scree {

inline namespace SCREE_BACKEND {

namespace {

/// Sends what this thread launches from now on to a GPU.
void use_device([[maybe_unused]] int device) {
#if SCREE_ON_CUDA
  if (cudaSetDevice(device) != cudaSuccess) {
    cudaGetLastError();
    throw BackendError("the GPU " + std::to_string(device) + " does not answer");
  }
#endif
}

/// The public face of a System.
template <class R>
class SystemEngine final : public Engine {
 public:
  SystemEngine(const Scene& scene, int threads, int device, std::string name)
      : before_(all_copies()), device_(device), system_(scene, threads), name_(std::move(name)) {}
  SystemEngine(const SystemEngine&) = delete;
  SystemEngine& operator=(const SystemEngine&) = delete;
  ~SystemEngine() override {
    try {
      use_device(device_);
    } catch (const BackendError&) {}  // it no longer answers
  }

  // Advance.
  std::uint64_t advance(std::uint64_t steps, const std::atomic<bool>* stop, double until) override {
    return on_device().advance(steps, stop, until);
  }
  bool finished() override { return run().cell.any() && run().cell.control().finished(); }

  // Clock.
  std::uint64_t step() const override { return system_.run().step; }
  double time() const override { return system_.run().time(); }
  double previous_time() const override { return system_.run().clock.at(step()).before; }

  // Readouts.
  EngineCounts counts() override { return counts_of(run()); }
  std::uint64_t id_count() const override { return system_.run().count.ids(); }
  std::vector<RemovedParticle> take_removed() override { return removed_particles(run()); }
  Snapshot snapshot(const SnapshotRequest& request) override { return snapshot_of(run(), request); }
  std::vector<TouchingContact> touching_contacts(std::vector<ContactDetail>* details) override {
    return SCREE_BACKEND::touching_contacts(run(), details);
  }
  std::vector<OverloadedSphere> overloaded_spheres() override {
    return SCREE_BACKEND::overloaded_spheres(run(), strengths_);
  }
  void set_strengths(std::uint32_t first, const std::vector<double>& strength) override {
    use_device(device_);
    strengths_.set(first, strength);
  }
  std::vector<TouchingNode> touching_nodes() override { return SCREE_BACKEND::touching_nodes(run()); }
  std::optional<ContactTractions> tractions(std::uint32_t first, std::uint32_t second, bool with_boundary,
                                            std::size_t points) override {
    return tractions_of(run(), first, second, with_boundary, points);
  }
  std::vector<BoundaryLoad> boundary_loads() override { return SCREE_BACKEND::boundary_loads(run()); }
  [[nodiscard]] bool is_present(std::size_t index) const override { return system_.is_present(index); }
  std::vector<FacetLoads> facet_loads(bool begin_interval) override { return run().faces.read(time(), begin_interval); }
  CollisionReport collisions(bool begin_interval) override { return run().collisions.read(run(), begin_interval); }
  std::vector<Real3> boundary_vertices(std::size_t index) override {
    return SCREE_BACKEND::boundary_vertices(run(), index);
  }
  std::optional<CellState> cell() override { return cell_state(run()); }
  Real3 gravity() const override { return system_.run().scene.gravity; }
  std::vector<SceneGroup> groups() const override { return system_.run().scene.groups; }
  Integration integration() const override { return system_.run().scene.integration; }
  EnergyLedger energies() override { return on_device().energies(); }
  HeatReport heat() override { return run().heat.report(run()); }
  FilmReport films() override { return run().films.report(run()); }
  Real3 fluid_force() override { return real3(run().fluid.force(run())); }
  ContactWatch watch() override { return on_device().watch(); }
  CriticalStep critical_step() override { return on_device().critical_step(); }

  // State.
  StateHash hash() override { return hash_of(run()); }
  EngineState save() override { return on_device().save(); }
  void restore(const EngineState& state) override { on_device().restore(state); }

  // Particles and their memory.
  void insert(const ParticleSet& particles) override { on_device().insert(particles); }
  void remove(const std::vector<std::uint32_t>& ids, std::uint32_t outlet) override { on_device().remove(ids, outlet); }
  SphereList particles_in(const Real3& low, const Real3& high) override { return bodies_in(run(), low, high); }
  std::vector<std::uint8_t> clear_of_boundaries(const SphereList& spheres) override {
    return SCREE_BACKEND::clear_of_boundaries(run(), spheres);
  }
  BodyColumns bodies() override {
    BodyColumns columns = on_device().columns();
    columns.device = device_;
    return columns;
  }
  void begin_edit() override { on_device().begin_edit(); }
  void end_edit() override { on_device().end_edit(); }

  // Steering.
  void set_bodies(const BodyChange& change) override { on_device().set_bodies(change); }
  void set_clumps(const ClumpChange& change) override { on_device().set_clumps(change); }
  void set_gravity(const Real3& gravity) override { on_device().set_gravity(gravity); }
  void set_group(std::size_t index, const GroupChange& change, bool is_made) override {
    on_device().set_group(index, change, is_made);
  }
  void join_group(std::size_t index, const std::vector<std::uint32_t>& ids) override {
    on_device().join_group(index, ids);
  }
  void set_motion(std::size_t index, const std::vector<Motion>& motions, double since) override {
    on_device().set_motion(index, motions, since);
  }
  void set_surface_motion(std::size_t index, const std::vector<Motion>& motions, double since) override {
    on_device().set_surface_motion(index, motions, since);
  }
  void set_drive(std::size_t index, const std::optional<Real3>& force, std::optional<double> torque) override {
    on_device().set_drive(index, force, torque);
  }
  void lead_drive(std::size_t index, const std::optional<Real3>& velocity) override {
    on_device().lead_drive(index, velocity);
  }
  void set_radial_drive(std::size_t index, double force, std::optional<double> rate) override {
    on_device().set_radial_drive(index, force, rate);
  }
  void set_present(std::size_t index, bool present) override { on_device().set_present(index, present); }
  void set_friction(const std::vector<PairFriction>& changes) override { on_device().set_friction(changes); }
  void set_damping(double damping, double viscous) override { on_device().set_damping(damping, viscous); }
  void set_time_step(double fixed, double safety, std::uint64_t since) override {
    on_device().set_time_step(fixed, safety, since);
  }
  void set_boundary_heat(std::size_t index, std::optional<double> temperature,
                         std::optional<double> heat_flux) override {
    on_device().set_boundary_heat(index, temperature, heat_flux);
  }
  void set_membrane_pressure(std::size_t index, const TimeTable& pressure) override {
    on_device().set_membrane_pressure(index, pressure);
  }
  double membrane_pressure(std::size_t index) const override {
    return system_.run().membranes.pressure(index, system_.run().time());
  }

  // Diagnostics.
  SearchReport search_neighbours() override { return on_device().search_neighbours(); }
  NodeCounts node_counts() override { return node_counts_of(run()); }
  std::vector<LaunchTime> launch_times() override {
    std::vector<LaunchTime> times;
    for (const auto& [kind, clock] : run().exec.clocks()) {
      times.push_back({kind, clock.seconds, clock.calls, clock.bytes});
    }
    for (std::size_t k = 0; k < all_copy_kinds.size(); ++k) {
      const CopyCount now = copies_so_far(all_copy_kinds[k]);
      times.push_back({copy_kinds[k], 0, now.calls - before_[k].calls, now.bytes - before_[k].bytes});
    }
    return times;
  }
  void wait_for_launches() override { run().exec.wait_for_launches(); }
  double copy_bandwidth() override { return scree::SCREE_BACKEND::copy_bandwidth(run().exec); }
  std::vector<MemoryItem> memory() override {
    std::vector<MemoryItem> items = on_device().memory();
    items.front().bytes += strengths_.bytes();  // those of the bodies
    return items;
  }
  std::string backend() const override { return name_; }

 private:
  using Copies = std::array<CopyCount, all_copy_kinds.size()>;
  static Copies all_copies() {
    Copies counts;
    for (std::size_t k = 0; k < counts.size(); ++k) { counts[k] = copies_so_far(all_copy_kinds[k]); }
    return counts;
  }

  /// The system, after this thread was set to work on its device.
  System<R>& on_device() {
    use_device(device_);
    return system_;
  }
  RunState<R>& run() { return on_device().run(); }

  Copies before_;  ///< when the engine was made
  int device_;
  System<R> system_;
  SphereStrengths strengths_;
  std::string name_;
};

std::unique_ptr<Engine> make_system(const Scene& scene, int threads, int device, const std::string& name) {
  if (scene.precision == Precision::double_) {
    return std::make_unique<SystemEngine<double>>(scene, threads, device, name);
  }
  return std::make_unique<SystemEngine<float>>(scene, threads, device, name);
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
  std::vector<std::string> devices;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
      return {false, "CUDA device " + std::to_string(device) + " does not answer"};
    }
    devices.push_back(std::string(properties.name) + ", " + std::to_string(properties.totalGlobalMem >> 30) + " GiB");
  }
  return {true, devices.front(), devices};
}

std::unique_ptr<Engine> make_cuda_engine(const Scene& scene, int device) {
  const CudaStatus status = cuda_status();
  if (!status.usable) { throw BackendError("the CUDA backend cannot run here: " + status.detail); }
  const auto index = static_cast<std::size_t>(device);
  if (device < 0 || index >= status.devices.size()) {
    throw BackendError("there is no GPU " + std::to_string(device) + " here");
  }
  use_device(device);
  return make_system(scene, 1, device, "cuda, " + status.devices[index]);
}

#else

namespace {

/// How many threads run a scene if the caller does not choose. A step costs some 60 ns per particle, shared among the
/// threads, and some 2 us per thread, since threads wait for each other: beyond sqrt(n / 30) threads steps take longer.
/// Inlets and breakage may bring any number of particles, and a level-set grain costs as much as hundreds of spheres.
int usual_threads(const Scene& scene) {
  const int cores = granted_cores();
  if (!scene.inlets.empty() || scene.breakage || !scene.grain_shapes.empty()) { return cores; }
  const double best = std::sqrt(static_cast<double>(scene.particles.size()) / 30);
  return static_cast<int>(std::clamp(std::round(best), 1.0, static_cast<double>(cores)));
}

}  // namespace

std::unique_ptr<Engine> SCREE_HOST_ENGINE(const Scene& scene, int threads) {
  const int team = threads > 0 ? threads : usual_threads(scene);
  return make_system(scene, team, 0, "host, " + std::to_string(team) + (team == 1 ? " thread" : " threads"));
}

#endif

}  // namespace scree
