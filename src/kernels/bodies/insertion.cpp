#include "kernels/bodies/insertion.hpp"

#include <algorithm>

#include "kernels/backend/rearrange.hpp"
#include "kernels/math/real3.hpp"
#include "kernels/math/sphere.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr std::uint64_t most_ids = (std::uint64_t(1) << 31) - 1;

/// Stores 1 for each sphere without a boundary inside its radius, 0 for all others.
template <class R>
struct NothingWithin {
  FeatureSearch<R> search;
  Span<std::uint8_t> clear;
  SCREE_HD void operator()(std::size_t i) const {
    bool met = false;
    search.visit(i, [&](std::uint32_t) { met = true; });
    clear[i] = met ? 0 : 1;
  }
};

/// Appends new bodies to the lists of the last search, without neighbours.
template <class R>
void append_to_lists(RunState<R>& run, std::size_t n_before, bool any_large) {
  const std::size_t n_new = run.count.bodies - n_before;
  const offset_t end = run.contacts.pairs.incident_start.element(n_before);
  append(run.contacts.pairs.incident_start, std::vector<offset_t>(n_new, end));
  append(run.contacts.near.row_of_body, std::vector<index_t>(n_new, no_index));
  // The sums of large bodies begin at run.count.first_large. Those of new bodies are zero.
  if (run.count.first_large < n_before || any_large) {
    run.contacts.large_part.resize((n_before - run.count.first_large) * parts_of_large);
    append(run.contacts.large_part, std::vector<Wrench<R>>(n_new * parts_of_large));
  }
}

/// The groups of particles; empty if the particles have none.
std::vector<std::uint16_t> groups_of(const Scene& scene, const ParticleSet& particles) {
  std::vector<std::uint16_t> group;
  for (const std::uint32_t g : particles.group) {
    SCREE_EXPECT(g < scene.groups.size(), "unknown group");
    group.push_back(static_cast<std::uint16_t>(g));
  }
  return group;
}

/// [n_particles] The speeds of particles, with their inverse masses and moments of inertia.
template <class R>
std::vector<BodySpeed<R>> speeds_of(const RunState<R>& run, const ParticleSet& particles,
                                    const std::vector<std::uint16_t>& group) {
  const std::size_t n = particles.size();
  std::vector<R> inverse_mass(n), inverse_inertia(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double r = particles.radius[i];
    const double mass = sphere_mass(r, run.scene.materials[particles.material[i]].density);
    inverse_mass[i] = static_cast<R>(1 / mass);
    inverse_inertia[i] = static_cast<R>(2.5 / (mass * r * r));
  }
  run.clumps.set_member_masses(run.scene, particles, inverse_mass, inverse_inertia);
  for (std::size_t i = 0; i < group.size(); ++i) {
    // Contacts treat a body with inverse mass 0 as infinitely heavy.
    if (run.scene.groups[group[i]].is_held()) { inverse_mass[i] = R(0); }
  }
  std::vector<BodySpeed<R>> speed(n);
  for (std::size_t i = 0; i < n; ++i) {
    speed[i] = {convert<R>(vec(particles.velocity[i])), inverse_mass[i], convert<R>(vec(particles.angular_velocity[i])),
                inverse_inertia[i]};
  }
  return speed;
}

}  // namespace

template <class R>
void append_bodies(RunState<R>& run, const ParticleSet& particles, bool at_start) {
  const std::size_t n = particles.size(), first_id = run.count.start + run.count.inserted;
  if (first_id + n > most_ids) {
    throw BackendError("more particles than ids can tell apart, " + std::to_string(most_ids));
  }
  std::vector<std::uint16_t> group = groups_of(run.scene, particles);
  std::vector<BodyPlace<R>> place(n);
  std::vector<index_t> id(n);
  for (std::size_t i = 0; i < n; ++i) {
    place[i] = {vec(particles.position[i]), static_cast<R>(particles.radius[i])};
    id[i] = static_cast<index_t>(first_id + i);
  }
  append(run.bodies.place, place);
  append(run.bodies.speed, speeds_of(run, particles, group));
  append(run.bodies.way, std::vector<BodyTravel<R>>(n));
  append(run.bodies.clearance, std::vector<R>(n));
  append(run.bodies.id, id);
  append(run.bodies.material, particles.material);
  if constexpr (loses_increments<R>) { append(run.bodies.rest, std::vector<VelocityRest<R>>(n)); }
  if (run.scene.groups.size() > 1) {
    group.resize(n, 0);
    append(run.groups.of_id, group);
  }
  run.count.bodies += n;
  run.clumps.append_clumps(run, particles, first_id);
  run.losses.append(n);
  run.heat.append(run, particles, run.count.bodies - n, at_start);
  run.films.append(particles);
}

template <class R>
void insert_bodies(RunState<R>& run, const ParticleSet& particles) {
  const std::size_t n = particles.size();
  SCREE_EXPECT(particles.velocity.size() == n && particles.angular_velocity.size() == n &&
                   particles.radius.size() == n && particles.material.size() == n &&
                   (particles.group.empty() || particles.group.size() == n),
               "particle arrays differ in length");
  for (const std::uint32_t material : particles.material) {
    SCREE_EXPECT(material < run.expected.known_material.size() && run.expected.known_material[material],
                 "a particle or an inlet of the scene must have the material");
  }
  if (n == 0) { return; }
  SCREE_EXPECT(!run.cell.deforms(), "particles come into a periodic cell only while it keeps its shape");
  const std::size_t n_before = run.count.bodies;
  const std::uint64_t beyond = run.clumps.members_beyond;
  append_bodies(run, particles, false);
  run.clumps.inserted_beyond += run.clumps.members_beyond - beyond;
  run.count.inserted += n;
  if (run.laws.later_bonds) {
    append(run.contacts.bonds_made, std::vector<std::uint32_t>(n));
    append(run.contacts.bonds_broken, std::vector<std::uint32_t>(n));
  }
  run.in_cell.enter(run, n_before);
  const bool any_large = std::any_of(particles.radius.begin(), particles.radius.end(),
                                     [&](double r) { return double(static_cast<R>(r)) > run.expected.large_radius; });
  if (run.lists.rebuilds > 0) { append_to_lists(run, n_before, any_large); }
  run.grains.refresh(run);
  run.lists.spent = true;
}

template <class R>
SphereList bodies_in(RunState<R>& run, const Real3& low, const Real3& high) {
  const auto position = run.bodies.position().to_vector();
  const auto radius = run.bodies.radius().to_vector();
  const auto id = run.bodies.id.to_vector();
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < run.count.bodies; ++i) {
    if (!is_parked(position[i])) { order.push_back(i); }
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return id[a] < id[b]; });
  SphereList spheres;
  const auto add_if_inside = [&](const Vec3d& x, double r) {
    if (x.x + r > low[0] && x.x - r < high[0] && x.y + r > low[1] && x.y - r < high[1] && x.z + r > low[2] &&
        x.z - r < high[2]) {
      spheres.position.push_back({x.x, x.y, x.z});
      spheres.radius.push_back(r);
    }
  };
  const auto most = [&](int k) { return run.cell.any() && run.cell.along(k) ? farthest_image : 0; };
  for (const std::size_t i : order) {
    for (std::int32_t a = -most(0); a <= most(0); ++a) {
      for (std::int32_t b = -most(1); b <= most(1); ++b) {
        for (std::int32_t c = -most(2); c <= most(2); ++c) {
          const Image image{a, b, c};
          add_if_inside(image.any() ? position[i] + shift_of(run.cell.geometry().edges, image) : position[i],
                        double(radius[i]));
        }
      }
    }
  }
  return spheres;
}

template <class R>
std::vector<std::uint8_t> clear_of_boundaries(RunState<R>& run, const SphereList& spheres) {
  const std::size_t n = spheres.radius.size();
  if (!run.boundary.any() || n == 0) { return std::vector<std::uint8_t>(n, 1); }
  run.boundary.place(run.exec, run.time());
  std::vector<BodyPlace<R>> place(n);
  for (std::size_t i = 0; i < n; ++i) { place[i] = {vec(spheres.position[i]), static_cast<R>(spheres.radius[i])}; }
  Buffer<BodyPlace<R>> places;
  Buffer<BodyTravel<R>> ways;
  Buffer<std::uint8_t> clear;
  places.assign(place, "inlets");
  ways.assign(std::vector<BodyTravel<R>>(n), "inlets");
  clear.discard_and_resize(n, "inlets");
  const FeatureSearch<R> search{run.boundary.view(), RecordMember(places, &BodyPlace<R>::position).view(),
                                RecordMember(places, &BodyPlace<R>::radius).view(),
                                RecordMember(ways, &BodyTravel<R>::skin).view(), 0};
  run.exec.for_each("inlets", n, NothingWithin<R>{search, clear.view()});
  return clear.to_vector();
}

template void append_bodies(RunState<float>&, const ParticleSet&, bool);
template void append_bodies(RunState<double>&, const ParticleSet&, bool);
template void insert_bodies(RunState<float>&, const ParticleSet&);
template void insert_bodies(RunState<double>&, const ParticleSet&);
template SphereList bodies_in(RunState<float>&, const Real3&, const Real3&);
template SphereList bodies_in(RunState<double>&, const Real3&, const Real3&);
template std::vector<std::uint8_t> clear_of_boundaries(RunState<float>&, const SphereList&);
template std::vector<std::uint8_t> clear_of_boundaries(RunState<double>&, const SphereList&);

}  // namespace scree::inline SCREE_BACKEND
