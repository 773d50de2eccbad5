#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/archive/state_io.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/clumps.hpp"

/// Checks that the bodies in a state are possible. A checksum protects against damage, but not against made-up states:
/// no value that is read may lead to an access outside of an array, to an endless loop, or to nan.
namespace scree::inline SCREE_BACKEND {

/// Checks bodies in memory; `place` lists their positions in the order of the state. Ids must be below `n_ids`. Throws
/// StateError.
template <class R>
void expect_bodies(const Bodies<R>& bodies, const std::vector<index_t>& place, std::uint64_t n_ids,
                   const std::vector<bool>& known_material) {
  const auto id = bodies.id.to_vector();
  const auto material = bodies.material.to_vector();
  const auto position = bodies.position().to_vector();
  const auto radius = bodies.radius().to_vector(), inverse_mass = bodies.inverse_mass().to_vector(),
             inverse_inertia = bodies.inverse_inertia().to_vector();
  expect_state(n_ids < no_index, "the state is of more particles than there can be");
  std::uint64_t next_id = 0;
  for (const index_t i : place) {
    expect_state(id[i] >= next_id && id[i] < n_ids, "bodies/id are not those of particles in ascending order");
    next_id = std::uint64_t(id[i]) + 1;
    const std::string name = "particle " + std::to_string(id[i]);
    expect_state(material[i] < known_material.size() && known_material[material[i]],
                 "bodies/material names one that " + name + " cannot have");
    expect_state(radius[i] > R(0) && inverse_mass[i] >= R(0) && inverse_inertia[i] >= R(0),
                 name + " has a radius or a mass that cannot be");
    const Vec3d x = position[i], parked = parked_position(id[i]);
    const bool is_parked_here = x.x == parked.x && x.y == parked.y && x.z == parked.z;
    const bool is_near =
        math::abs(x.x) < parking_place && math::abs(x.y) < parking_place && math::abs(x.z) < parking_place;
    expect_state(is_near || is_parked_here, name + " is at a place that cannot be");
  }
}

/// Checks clumps, which are in the order of their numbers, once the bodies are restored. `size_of_shape` is the number
/// of members of each shape. Throws StateError.
template <class R>
void expect_clumps(const Clumps& clumps, const Bodies<R>& bodies, const std::vector<std::uint32_t>& size_of_shape,
                   std::uint64_t n_made) {
  const auto body_id = bodies.id.to_vector();
  const auto inverse_inertia = bodies.inverse_inertia().to_vector();
  const auto position = bodies.position().to_vector();
  std::vector<index_t> members;  // ids of all bodies that must belong to a clump
  for (std::size_t i = 0; i < body_id.size(); ++i) {
    if (is_member(inverse_inertia[i]) && !is_parked(position[i])) { members.push_back(body_id[i]); }
  }
  std::sort(members.begin(), members.end());
  const auto id = clumps.id.to_vector(), first = clumps.first.to_vector();
  const auto shape = clumps.shape.to_vector();
  const auto mass = clumps.mass.to_vector(), size = clumps.size.to_vector();
  const auto inertia = clumps.inertia.to_vector();
  const auto q = clumps.orientation.to_vector();
  std::vector<index_t> named;
  std::uint64_t next_id = 0;
  for (std::size_t c = 0; c < id.size(); ++c) {
    expect_state(id[c] >= next_id && id[c] < n_made, "clumps/id are not those of clumps in ascending order");
    next_id = std::uint64_t(id[c]) + 1;
    const std::string name = "clump " + std::to_string(id[c]);
    expect_state(shape[c] < size_of_shape.size(), "clumps/shape names a shape that is not there");
    expect_state(mass[c] > 0 && size[c] > 0 && inertia[c].x > 0 && inertia[c].y > 0 && inertia[c].z > 0,
                 name + " has a mass or a size that cannot be");
    const double length = q[c].w * q[c].w + q[c].x * q[c].x + q[c].y * q[c].y + q[c].z * q[c].z;
    expect_state(math::abs(length - 1) < 1e-6, name + " has an orientation that cannot be");
    for (std::uint32_t k = 0; k < size_of_shape[shape[c]]; ++k) { named.push_back(first[c] + k); }
  }
  std::sort(named.begin(), named.end());
  expect_state(named == members, "clumps/first_member does not name the members that there are");
}

}  // namespace scree::inline SCREE_BACKEND
