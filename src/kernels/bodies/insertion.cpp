#include <algorithm>

#include "kernels/backend/rearrange.hpp"
#include "kernels/system.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr std::uint64_t most_ids = (std::uint64_t(1) << 31) - 1;

/// 1 where no boundary is within the radius of a sphere.
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

}  // namespace

template <class R>
void System<R>::append_bodies(const ParticleSet& particles) {
  const std::size_t n = particles.size();
  if (n_start_ + n_inserted_ + n > most_ids) {
    throw BackendError("more particles than ids can tell apart, " + std::to_string(most_ids));
  }
  const auto real3 = [](const Real3& a) {
    return Vec3<R>{static_cast<R>(a[0]), static_cast<R>(a[1]), static_cast<R>(a[2])};
  };
  std::vector<Vec3d> position(n);
  std::vector<Vec3<R>> velocity(n), spin(n);
  std::vector<R> radius(n), inverse_mass(n), inverse_inertia(n);
  std::vector<index_t> id(n);
  std::vector<std::uint16_t> group;
  for (std::size_t i = 0; i < n; ++i) {
    const Real3& x = particles.position[i];
    position[i] = {x[0], x[1], x[2]};
    velocity[i] = real3(particles.velocity[i]);
    spin[i] = real3(particles.angular_velocity[i]);
    id[i] = static_cast<index_t>(n_start_ + n_inserted_ + i);
    const double r = particles.radius[i];
    radius[i] = static_cast<R>(r);
    const double mass =
        4.0 / 3.0 * 3.14159265358979323846 * r * r * r * scene_.materials[particles.material[i]].density;
    inverse_mass[i] = static_cast<R>(1 / mass);
    inverse_inertia[i] = static_cast<R>(2.5 / (mass * r * r));
    if (particles.group.empty()) { continue; }
    const std::uint32_t g = particles.group[i];
    SCREE_EXPECT(g < scene_.groups.size(), "unknown group");
    group.push_back(static_cast<std::uint16_t>(g));
  }
  set_member_masses(particles, inverse_mass, inverse_inertia);
  for (std::size_t i = 0; i < group.size(); ++i) {
    // Contacts then take it for infinitely heavy.
    if ((scene_.groups[group[i]].fixed & fixed_translation) == fixed_translation) { inverse_mass[i] = R(0); }
  }
  append(bodies_.position, position);
  append(bodies_.velocity, velocity);
  append(bodies_.angular_velocity, spin);
  append(bodies_.travel, std::vector<Vec3<R>>(n));
  append(bodies_.skin, std::vector<R>(n));
  append(bodies_.clearance, std::vector<R>(n));
  append(bodies_.radius, radius);
  append(bodies_.inverse_mass, inverse_mass);
  append(bodies_.inverse_inertia, inverse_inertia);
  append(bodies_.id, id);
  append(bodies_.material, particles.material);
  if constexpr (loses_increments<R>) { append(bodies_.rest, std::vector<VelocityRest<R>>(n)); }
  if (scene_.groups.size() > 1) {
    group.resize(n, 0);
    append(group_of_id_, group);
  }
  n_bodies_ += n;
  append_clumps(particles, n_start_ + n_inserted_);
}

template <class R>
void System<R>::insert(const ParticleSet& particles) {
  const std::size_t n = particles.size();
  SCREE_EXPECT(particles.velocity.size() == n && particles.angular_velocity.size() == n &&
                   particles.radius.size() == n && particles.material.size() == n &&
                   (particles.group.empty() || particles.group.size() == n),
               "particle arrays differ in length");
  for (const std::uint32_t material : particles.material) {
    SCREE_EXPECT(material < known_material_.size() && known_material_[material],
                 "a particle or an inlet of the scene must have the material");
  }
  if (n == 0) { return; }
  const std::size_t n_before = n_bodies_;
  const std::uint64_t beyond = members_beyond_;
  const std::size_t n_clumps_before = clumps_.mass.size();
  append_bodies(particles);
  inserted_beyond_ += members_beyond_ - beyond;
  n_inserted_ += n;
  SCREE_EXPECT(!cell_.deforms(), "particles come into a periodic cell only while it keeps its shape");
  enter_cell(n_before);
  note_inserted(n_before, n_clumps_before);
  const bool any_large = std::any_of(particles.radius.begin(), particles.radius.end(),
                                     [&](double r) { return double(static_cast<R>(r)) > large_radius_; });
  if (rebuilds_ > 0) { append_to_lists(n_before, any_large); }
  list_spent_ = true;
}

/// The lists of the last search know new bodies as without neighbours, until the next one.
template <class R>
void System<R>::append_to_lists(std::size_t n_before, bool any_large) {
  const std::size_t n_new = n_bodies_ - n_before;
  const offset_t end = pairs_.incident_start.element(n_before);
  append(pairs_.incident_start, std::vector<offset_t>(n_new, end));
  append(near_boundary_.row_of_body, std::vector<index_t>(n_new, no_index));
  // Sums of large bodies start at first_large_; those of new ones are zero.
  if (first_large_ < n_before || any_large) {
    large_part_.resize((n_before - first_large_) * parts_of_large);
    append(large_part_, std::vector<Wrench<R>>(n_new * parts_of_large));
  }
}

template <class R>
SphereList System<R>::particles_in(const Real3& low, const Real3& high) {
  const auto position = bodies_.position.to_vector();
  const auto radius = bodies_.radius.to_vector();
  const auto id = bodies_.id.to_vector();
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < n_bodies_; ++i) {
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
  const auto most = [&](int k) { return cell_.any() && cell_.along(k) ? farthest_image : 0; };
  for (const std::size_t i : order) {
    for (std::int32_t a = -most(0); a <= most(0); ++a) {
      for (std::int32_t b = -most(1); b <= most(1); ++b) {
        for (std::int32_t c = -most(2); c <= most(2); ++c) {
          const Image image{a, b, c};
          add_if_inside(image.any() ? position[i] + shift_of(cell_.geometry().edges, image) : position[i],
                        double(radius[i]));
        }
      }
    }
  }
  return spheres;
}

template <class R>
std::vector<std::uint8_t> System<R>::clear_of_boundaries(const SphereList& spheres) {
  const std::size_t n = spheres.radius.size();
  if (!boundary_.any() || n == 0) { return std::vector<std::uint8_t>(n, 1); }
  boundary_.place(exec_, time());
  std::vector<Vec3d> centre(n);
  std::vector<R> radius(n);
  for (std::size_t i = 0; i < n; ++i) {
    centre[i] = {spheres.position[i][0], spheres.position[i][1], spheres.position[i][2]};
    radius[i] = static_cast<R>(spheres.radius[i]);
  }
  Buffer<Vec3d> centres;
  Buffer<R> radii, skins;
  Buffer<std::uint8_t> clear;
  centres.assign(centre, "inlets");
  radii.assign(radius, "inlets");
  skins.assign(std::vector<R>(n), "inlets");
  clear.discard_and_resize(n, "inlets");
  exec_.for_each("inlets", n,
                 NothingWithin<R>{{boundary_.view(), centres.view(), radii.view(), skins.view(), 0}, clear.view()});
  return clear.to_vector();
}

template void System<float>::append_bodies(const ParticleSet&);
template void System<double>::append_bodies(const ParticleSet&);
template void System<float>::insert(const ParticleSet&);
template void System<double>::insert(const ParticleSet&);
template void System<float>::append_to_lists(std::size_t, bool);
template void System<double>::append_to_lists(std::size_t, bool);
template SphereList System<float>::particles_in(const Real3&, const Real3&);
template SphereList System<double>::particles_in(const Real3&, const Real3&);
template std::vector<std::uint8_t> System<float>::clear_of_boundaries(const SphereList&);
template std::vector<std::uint8_t> System<double>::clear_of_boundaries(const SphereList&);

}  // namespace scree::inline SCREE_BACKEND
