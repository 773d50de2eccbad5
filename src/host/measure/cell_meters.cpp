#include "host/measure/cell_meters.hpp"

#include <algorithm>
#include <array>

#include "host/geometry/cell_frame.hpp"
#include "host/measure/clump_members.hpp"
#include "host/measure/state_measures.hpp"
#include "host/measure/unknown.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using namespace geometry;

using probe::unknown;

/// The symmetric part of weight * a b, by component.
void add_symmetric_dyad(CellTensor& sum, double weight, const Real3& a, const Real3& b) {
  constexpr std::array<std::array<std::size_t, 2>, n_cell_components> axes{
      {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}}};
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    const auto [i, j] = axes[k];
    sum[k] += 0.5 * weight * (a[i] * b[j] + a[j] * b[i]);
  }
}

/// [m] The vector between two points before the last step, in which they moved with the mean flow and by `own` [m]
/// relative to each other: (1 + L dt)^-1 (way - own). The strain of a step is small, below 1e-2, so that four terms of
/// the series are exact to 1e-10.
Real3 way_before(const CellState& cell, double dt, const Real3& way, const Real3& own) {
  const Real3 kept = subtract(way, own);
  Real3 before = kept;
  for (int term = 0; term < 4; ++term) before = along(kept, -dt, mean_flow(cell, before));
  return before;
}

/// The place of the particle to which a sphere belongs, by the id of the sphere.
struct Owners {
  static constexpr std::uint32_t none = 0xffffffffU;
  std::vector<std::uint32_t> particle;  ///< index of the sphere itself, or of the clump
  /// [m] from the centre of the sphere to that of its clump, where both were before the last step: forces acted there
  std::vector<Real3> way;

  Owners(const Snapshot& spheres, const Snapshot& particles, const CellState& cell) {
    const CellFrame frame(cell);
    const std::size_t ids = spheres.id.empty() ? 0 : std::size_t(spheres.id.back()) + 1;
    particle.assign(ids, none);
    way.assign(ids, {});
    const double dt = spheres.step > 0 ? spheres.step_length : 0;
    for (std::uint32_t i = 0; i < particles.id.size(); ++i) particle[particles.id[i]] = i;
    for (const SnapshotClump& clump : particles.clumps) {
      const auto first = std::lower_bound(spheres.id.begin(), spheres.id.end(), clump.first) - spheres.id.begin();
      for (std::uint32_t k = 0; k < clump.members; ++k) {
        const std::uint32_t of = particle[clump.first];
        const std::size_t member = static_cast<std::size_t>(first) + k;
        particle[clump.first + k] = of;
        const Real3 now = frame.shortest(subtract(particles.position[of], spheres.position[member]));
        const Real3 own = scaled(subtract(particles.fluctuation[of], spheres.fluctuation[member]), dt);
        way[clump.first + k] = way_before(cell, dt, now, own);
      }
    }
  }
};

/// Sums over the contacts between particles.
struct ContactSums {
  CellTensor moment{};  ///< [N m] force on the second x way from the first to the second
  CellTensor fabric{};
  double force = 0;  ///< [N] magnitudes
  double contacts = 0;
  std::vector<std::uint32_t> of_particle;

  ContactSums(const std::vector<TouchingContact>& all, const Owners& owners, std::size_t particles)
      : of_particle(particles) {
    for (const TouchingContact& contact : all) {
      if (contact.with_boundary) continue;
      const Real3 joint = add(contact.branch, subtract(owners.way[contact.second], owners.way[contact.first]));
      add_symmetric_dyad(moment, 1, contact.force, joint);
      add_symmetric_dyad(fabric, 1, contact.normal, contact.normal);
      force += length(contact.force);
      contacts += 1;
      ++of_particle[owners.particle[contact.first]];
      ++of_particle[owners.particle[contact.second]];
    }
  }
  [[nodiscard]] double with_contacts(std::uint32_t n) const {
    return static_cast<double>(std::count(of_particle.begin(), of_particle.end(), n));
  }
};

CellTensor scaled_tensor(const CellTensor& sum, double factor) {
  CellTensor result = sum;
  for (double& component : result) component *= factor;
  return result;
}

/// [N m] Force on a particle x way from the contact to its centre, of the contacts with boundaries: the walls of a cell
/// that repeats along some axes only hold their part of the stress.
CellTensor moments_at_boundaries(const MeasuredState& measured, const Snapshot& particles, const Owners& owners,
                                 const CellFrame& frame) {
  CellTensor sum{};
  if (!measured.boundaries_known) { sum.fill(unknown); }
  const double dt = particles.step > 0 ? particles.step_length : 0;  // forces acted where particles were before it
  for (const TouchingContact& contact : measured.contacts) {
    if (!contact.with_boundary) { continue; }
    const std::uint32_t i = owners.particle[contact.second];
    const Real3 centre = along(particles.position[i], -dt, particles.velocity[i]);
    add_symmetric_dyad(sum, 1, contact.force, frame.shortest(subtract(centre, contact.point)));
  }
  return sum;
}

}  // namespace

Real3 mean_flow(const CellState& cell, const Real3& way) {
  const Matrix3& gradient = cell.velocity_gradient;
  return {dot(gradient[0], way), dot(gradient[1], way), dot(gradient[2], way)};
}

Real3 mean_spin(const CellState& cell) {
  const Matrix3& g = cell.velocity_gradient;
  return {0.5 * (g[2][1] - g[1][2]), 0.5 * (g[0][2] - g[2][0]), 0.5 * (g[1][0] - g[0][1])};
}

Real3 unwrapped_position(const Snapshot& particles, std::size_t i, const CellState& cell) {
  Real3 x = particles.position[i];
  for (std::size_t k = 0; k < 3; ++k) x = along(x, particles.image[i][k], cell.edges[k]);
  return x;
}

Snapshot fluctuating(Snapshot particles, const Scene& scene, const CellState& cell) {
  SCREE_EXPECT(particles.fluctuation.size() == particles.id.size(), "the snapshot is one of a periodic cell");
  const Snapshot whole = clumps_as_particles(particles, scene, cell);
  const Real3 spin = mean_spin(cell);
  for (SnapshotClump& clump : particles.clumps) {
    const auto at = std::lower_bound(whole.id.begin(), whole.id.end(), clump.first) - whole.id.begin();
    clump.velocity = whole.fluctuation[static_cast<std::size_t>(at)];
    clump.angular_velocity = subtract(whole.angular_velocity[static_cast<std::size_t>(at)], spin);
  }
  particles.velocity = particles.fluctuation;
  for (Real3& w : particles.angular_velocity) w = subtract(w, spin);
  return particles;
}

CellMeasures measure_cell(const MeasuredState& measured, const Scene& scene) {
  const std::optional<CellState>& state = measured.cell;
  SCREE_EXPECT(state.has_value(), "the engine has a periodic cell");
  const ParticlesOf whole(measured.spheres, scene, state);
  const Snapshot& particles = whole.particles();
  const std::size_t n = particles.id.size();
  const CellFrame frame(*state);
  const Owners owners(measured.spheres, particles, *state);
  const ContactSums sums(measured.contacts, owners, n);
  CellTensor flux{}, at_walls{}, stress{};
  if (!repeats_everywhere(state->periodic)) { at_walls = moments_at_boundaries(measured, particles, owners, frame); }
  double solid = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double mass = sphere_mass(particles, i, scene);
    solid += mass / scene.materials[particles.material[i]].density;
    if (!particles.held.empty() && particles.held[i] != 0) { continue; }
    add_symmetric_dyad(flux, mass, particles.fluctuation[i], particles.fluctuation[i]);
  }
  const double unbalanced = scene.fluid ? unknown : mean_unbalanced_force(particles, scene, measured);
  const double known = measured.contacts_known ? 1 : unknown;
  for (std::size_t k = 0; k < n_cell_components; ++k) { stress[k] = known * sums.moment[k] + at_walls[k] + flux[k]; }
  const double count = static_cast<double>(n), loose = sums.with_contacts(0), single = sums.with_contacts(1);
  return {.volume = state->volume,
          .void_ratio = solid > 0 ? state->volume / solid - 1 : unknown,
          .strain = state->strain,
          .stress = scaled_tensor(stress, -1 / state->volume),
          .kinetic_stress = scaled_tensor(flux, -1 / state->volume),
          .fabric = scaled_tensor(sums.fabric, sums.contacts > 0 ? 1 / sums.contacts : unknown),
          .coordination = known * 2 * sums.contacts / count,
          .mechanical_coordination =
              count > loose + single ? known * (2 * sums.contacts - single) / (count - loose - single) : unknown,
          .unbalanced_force = sums.force > 0 ? unbalanced / (sums.force / sums.contacts) : unknown,
          .stage = static_cast<double>(state->stage)};
}

}  // namespace scree
