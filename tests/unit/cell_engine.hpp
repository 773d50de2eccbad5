#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "fake_engine.hpp"
#include "host/geometry/cell_frame.hpp"

namespace scree::test {

/// A fake engine in a periodic cell, with contacts that a test gives. Velocities of the scene are fluctuations.
class CellEngine : public FakeEngine {
 public:
  explicit CellEngine(const Scene& scene) : FakeEngine(scene), scene_(scene) {
    state.edges = scene.cell->edges;
    state.origin = scene.cell->origin;
    state.periodic = scene.cell->periodic;
    state.velocity_gradient = scene.cell->velocity_gradient;
    state.volume = geometry::CellFrame(*scene.cell).volume();
  }
  std::optional<CellState> cell() override { return state; }
  std::vector<TouchingContact> touching_contacts(std::vector<ContactDetail>* details) override {
    if (details != nullptr) { details->assign(contacts.size(), {}); }
    return contacts;
  }
  EnergyLedger energies() override {
    EnergyLedger ledger;
    ledger.cell = 42;
    return ledger;
  }

  Snapshot snapshot(const SnapshotRequest& request = {}) override {
    Snapshot now = FakeEngine::snapshot(request);
    if (request.force && !force.empty()) { now.force = force; }
    now.clumps = clumps;
    const geometry::CellFrame frame(state);
    const Matrix3& g = state.velocity_gradient;
    const Real3 spin{0.5 * (g[2][1] - g[1][2]), 0.5 * (g[0][2] - g[2][0]), 0.5 * (g[1][0] - g[0][1])};
    now.fluctuation = now.velocity;
    for (std::size_t i = 0; i < now.id.size(); ++i) {
      const Real3 way = now.position[i];
      now.position[i] = frame.folded(way);
      const Real3 n = frame.fractional_way(geometry::subtract(way, now.position[i]));
      now.image.push_back({int(std::lround(n[0])), int(std::lround(n[1])), int(std::lround(n[2]))});
      const Real3 x = geometry::subtract(now.position[i], state.origin);
      for (std::size_t k = 0; k < 3; ++k) { now.velocity[i][k] += geometry::dot(g[k], x); }
      now.angular_velocity[i] = geometry::add(now.angular_velocity[i], spin);
    }
    return now;
  }

  CellState state;
  std::vector<TouchingContact> contacts;
  std::vector<Real3> force;  ///< [N] on each particle
  std::vector<SnapshotClump> clumps;

 private:
  Scene scene_;
};

/// Resting spheres of radius 0.1 m and 2000 kg/m3 in a cell of 1 m.
inline Scene cell_scene(const std::vector<Real3>& position) {
  Scene scene = small_scene();
  scene.boundaries.clear();
  scene.outlet_names.clear();
  scene.cell.emplace();
  scene.cell->edges = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  ParticleSet& particles = scene.particles;
  particles.position = position;
  particles.velocity.assign(position.size(), {});
  particles.angular_velocity.assign(position.size(), {});
  particles.radius.assign(position.size(), 0.1);
  particles.material.assign(position.size(), 0);
  return scene;
}

inline constexpr double pi = 3.14159265358979323846;
inline constexpr double mass_of_one = 2000 * 4.0 / 3.0 * pi * 1e-3;  ///< [kg] mass of one sphere of cell_scene

inline TouchingContact contact(std::uint32_t first, std::uint32_t second, const Real3& branch, const Real3& force,
                               const Real3& first_at) {
  const Real3 n = geometry::unit(branch);
  return {first, second, false, force, n, geometry::along(first_at, 0.1, n), branch, {}};
}

/// A simple cubic packing of 5 x 5 x 5 spheres that push each other with 2 N, also across the faces.
inline CellEngine cubic_packing() {
  std::vector<Real3> position;
  for (int i = 0; i < 125; ++i) { position.push_back({0.2 * (i % 5), 0.2 * (i / 5 % 5), 0.2 * (i / 25)}); }
  CellEngine engine(cell_scene(position));
  const std::array<int, 3> stride{1, 5, 25};
  for (int i = 0; i < 125; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const bool last = i / stride[k] % 5 == 4;
      Real3 branch{}, force{};
      branch[k] = 0.2;
      force[k] = 2;
      engine.contacts.push_back(contact(std::uint32_t(i), std::uint32_t(i + (last ? -4 : 1) * stride[k]), branch, force,
                                        position[std::size_t(i)]));
    }
  }
  return engine;
}

/// Measured values by the headings of their columns.
using Columns = std::map<std::string, double>;

inline double number(const Columns& columns, const std::string& name) {
  const auto found = columns.find(name);
  EXPECT_NE(found, columns.end()) << name;
  return found == columns.end() ? 0 : found->second;
}

}  // namespace scree::test
