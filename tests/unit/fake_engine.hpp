#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "scree/engine.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree::test {

/// An engine whose particles fly straight on, so that the state at a step is known in closed form.
class FakeEngine : public Engine {
 public:
  explicit FakeEngine(const Scene& scene) : scene_(scene) {}

  std::uint64_t advance(std::uint64_t steps, const std::atomic<bool>* stop = nullptr,
                        double until = std::numeric_limits<double>::infinity()) override {
    ++calls;
    std::uint64_t done = 0;
    while (done < steps && time() < until && !finished()) {
      if (fault_step && step_ + 1 >= *fault_step) {
        throw KernelFault("overlap larger than the radius", step_ + 1, {1, 2});
      }
      ++step_;
      ++done;
      if (interrupt_step && step_ == *interrupt_step) { flag->store(true); }
      if (stop != nullptr && stop->load()) { break; }
    }
    return done;
  }

  std::uint64_t step() const override { return step_; }
  double time() const override { return time_of(step_); }
  double previous_time() const override { return step_ > 0 ? time_of(step_ - 1) : 0.0; }
  /// In an adaptive scene every second step is half as long.
  double time_of(std::uint64_t step) const {
    const auto halves = scene_.adaptive ? 2 * step - step / 2 : 2 * step;
    return static_cast<double>(halves) * 0.5 * scene_.time_step;
  }

  ContactWatch watch() override {
    ContactWatch seen;
    seen.overlap = 0x1p-10;
    seen.most_overlap = 0x1p-9;
    seen.critical = seen.least_critical = 1e3;
    return seen;
  }

  // It has no cell, contacts, energies, heat or films.
  CriticalStep critical_step() override { return {}; }
  std::optional<CellState> cell() override { return std::nullopt; }
  std::vector<TouchingContact> touching_contacts(std::vector<ContactDetail>* = nullptr) override { return {}; }
  std::vector<OverloadedSphere> overloaded_spheres() override { return {}; }
  void set_strengths(std::uint32_t, const std::vector<double>&) override {}
  std::vector<FacetLoads> facet_loads(bool) override { return {}; }
  CollisionReport collisions(bool) override { return {}; }
  std::vector<RemovedParticle> take_removed() override { return {}; }
  std::uint64_t id_count() const override { return 0; }
  std::optional<ContactTractions> tractions(std::uint32_t, std::uint32_t, bool, std::size_t) override {
    return std::nullopt;
  }
  EnergyLedger energies() override { return {}; }
  HeatReport heat() override { return {}; }
  FilmReport films() override { return {}; }
  Real3 fluid_force() override { return {}; }
  void wait_for_launches() override {}
  double copy_bandwidth() override { return 0; }

  // Nothing steers it.
  BodyColumns bodies() override { return {}; }
  void begin_edit() override { refuse(); }
  void end_edit() override { refuse(); }
  void set_bodies(const BodyChange&) override { refuse(); }
  void set_clumps(const ClumpChange&) override { refuse(); }
  void set_gravity(const Real3&) override { refuse(); }
  Real3 gravity() const override { return present_gravity.value_or(scene_.gravity); }
  std::vector<SceneGroup> groups() const override { return scene_.groups; }
  void set_group(std::size_t, const GroupChange&, bool) override { refuse(); }
  void set_membrane_pressure(std::size_t, const TimeTable&) override { refuse(); }
  double membrane_pressure(std::size_t) const override { return 0; }
  void join_group(std::size_t, const std::vector<std::uint32_t>&) override { refuse(); }
  void set_motion(std::size_t, const std::vector<Motion>&, double) override { refuse(); }
  void set_surface_motion(std::size_t, const std::vector<Motion>&, double) override { refuse(); }
  void set_present(std::size_t, bool) override { refuse(); }
  bool is_present(std::size_t index) const override { return index != absent; }
  void set_drive(std::size_t, const std::optional<Real3>&, std::optional<double>) override { refuse(); }
  void lead_drive(std::size_t, const std::optional<Real3>&) override { refuse(); }
  void set_radial_drive(std::size_t, double, std::optional<double>) override { refuse(); }

  void set_friction(const std::vector<PairFriction>&) override { refuse(); }
  void set_damping(double, double) override { refuse(); }
  Integration integration() const override { return scene_.integration; }
  void set_time_step(double, double, std::uint64_t) override { refuse(); }
  void set_boundary_heat(std::size_t, std::optional<double>, std::optional<double>) override { refuse(); }

  Snapshot snapshot(const SnapshotRequest& request = {}) override {
    const auto& from = scene_.particles;
    Snapshot state;
    state.step = step_;
    state.time = time();
    state.step_length = scene_.time_step;
    state.velocity = from.velocity;
    state.angular_velocity = from.angular_velocity;
    state.radius = from.radius;
    state.material = from.material;
    for (std::size_t i = 0; i < from.size(); ++i) {
      state.id.push_back(static_cast<std::uint32_t>(i));
      Real3 position = from.position[i];
      for (std::size_t k = 0; k < 3; ++k) { position[k] += from.velocity[i][k] * time(); }
      if (not_finite_step && step_ >= *not_finite_step && i == 1) {
        position[2] = std::numeric_limits<double>::quiet_NaN();
      }
      state.position.push_back(position);
    }
    if (request.force) { state.force.assign(from.size(), {0.5, -1, 2}); }
    if (request.coordination) { state.coordination.assign(from.size(), 3); }
    if (request.damage) { state.damage.assign(from.size(), 0.25); }
    if (request.fragment) { state.fragment.assign(from.size(), 0); }
    if (request.temperature) { state.temperature.assign(from.size(), 350); }
    if (request.dissipated) { state.dissipated.assign(from.size(), 0.5); }
    if (request.film) { state.film.assign(from.size(), 1e-12); }
    if (request.group) { state.group.assign(from.size(), 0); }
    if (request.held) { state.held.assign(from.size(), 0); }
    return state;
  }

  bool finished() override { return finish_step && step_ >= *finish_step; }
  StateHash hash() override { return {{step_, 7}}; }
  EngineState save() override {
    StateArray step{"totals/step", "1", ValueType::uint64, 1, std::vector<std::byte>(sizeof step_)};
    std::memcpy(step.bytes.data(), &step_, sizeof step_);
    return {{step}};
  }
  void restore(const EngineState& state) override {
    for (const StateArray& array : state.arrays) {
      if (array.name == "totals/step") { std::memcpy(&step_, array.bytes.data(), sizeof step_); }
    }
  }
  NodeCounts node_counts() override { return {}; }
  std::vector<TouchingNode> touching_nodes() override { return {}; }
  EngineCounts counts() override {
    EngineCounts counts;
    counts.particles = scene_.particles.size();
    for (const Insertion& batch : inserted) { counts.inserted += batch.particles.size(); }
    counts.contacts = step_;
    counts.boundary_contacts = 2;
    counts.segments = 8 * step_;
    counts.longest_history = step_;
    counts.removed.assign(scene_.outlet_names.size(), step_);
    counts.removed_mass.assign(scene_.outlet_names.size(), 0.1 * static_cast<double>(step_));
    return counts;
  }
  std::vector<BoundaryLoad> boundary_loads() override {
    return std::vector<BoundaryLoad>(scene_.boundaries.size(),
                                     BoundaryLoad{{1, 2, 1.0 / 3.0}, {4, 5, 6}, 0.5, {7, 8, 9}, {10, 11, 12}, 13, 14});
  }
  std::vector<Real3> boundary_vertices(std::size_t index) override {
    auto vertices = scene_.boundaries[index].mesh.vertices;
    for (auto& vertex : vertices) { vertex[0] += time(); }
    return vertices;
  }
  std::vector<LaunchTime> launch_times() override {
    return {{"contact forces", 0.25, step_}, {"neighbours", 0.125, 1}};
  }
  void remove(const std::vector<std::uint32_t>&, std::uint32_t) override { refuse(); }
  void insert(const ParticleSet& particles) override { inserted.push_back({step_, particles}); }
  SphereList particles_in(const Real3&, const Real3&) override { return occupied; }
  std::vector<std::uint8_t> clear_of_boundaries(const SphereList& spheres) override {
    tried += spheres.radius.size();
    return std::vector<std::uint8_t>(spheres.radius.size(), boundaries_clear ? 1 : 0);
  }
  SearchReport search_neighbours() override { return {scene_.particles.size(), 0, 0}; }
  std::vector<MemoryItem> memory() override { return {{"bodies", 3000}, {"contacts", 1500}}; }
  std::string backend() const override { return "fake"; }

  std::uint64_t tried = 0;  ///< spheres that clear_of_boundaries() was asked about
  std::optional<std::uint64_t> fault_step, interrupt_step, not_finite_step, finish_step;
  std::atomic<bool>* flag = nullptr;     ///< set at interrupt_step
  std::uint64_t calls = 0;               ///< of advance()
  std::optional<std::size_t> absent;     ///< a boundary
  std::optional<Real3> present_gravity;  ///< none: that of the scene

  struct Insertion {
    std::uint64_t step;
    ParticleSet particles;
  };
  std::vector<Insertion> inserted;
  SphereList occupied;  ///< spheres that stand in every inlet
  bool boundaries_clear = true;

 private:
  static void refuse() { throw ContractError("this engine cannot be steered"); }

  Scene scene_;
  std::uint64_t step_ = 0;
};

/// Three particles, one outlet, a plane, a fixed mesh and a moving mesh; time step 1/1024 s.
inline Scene small_scene() {
  Scene scene;
  scene.time_step = 0x1p-10;
  scene.verlet_distance = 1e-3;
  scene.materials = {
      {.density = 2000, .young_modulus = 1e7, .poisson_ratio = 0.25, .friction = 0.5, .restitution = 0.5}};
  scene.pairs = {{0.5, 0.2}};
  scene.particles.position = {{0, 0, 0}, {1, 0.125, 0}, {2, 0, 0.1}};
  scene.particles.velocity = {{1, 0, 0}, {0, -1, 0}, {0, 0, 0.3}};
  scene.particles.angular_velocity = {{0, 0, 1}, {0, 0, 0}, {3, 0, 0}};
  scene.particles.radius = {0.1, 0.2, 0.3};
  scene.particles.material = {0, 0, 0};
  SceneBoundary floor;
  floor.name = "floor";
  SceneBoundary funnel;
  funnel.name = "funnel";
  funnel.shape = MeshBoundary{};
  funnel.mesh = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2}, {0, 1, 3}}};
  SceneBoundary rotor = funnel;
  rotor.name = "rotor";
  rotor.motion = {{Rotation{{0, 0, 1}, {0, 0, 0}, 1}}};
  scene.boundaries = {floor, funnel, rotor};
  scene.outlet_names = {"bottom"};
  return scene;
}

}  // namespace scree::test
