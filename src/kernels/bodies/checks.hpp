#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kernels/archive/state_io.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/clumps.hpp"

/// Checks that the bodies in a state are possible. A checksum protects against damage, but not against made-up states:
/// no value that is read may lead to an access outside of an array, to an endless loop, or to nan.
namespace scree::inline SCREE_BACKEND {

/// Checks that an id is at least `next`, which lies behind all ids before it in the array, and below `end`.
inline void expect_ascending(const char* array, std::uint64_t id, std::uint64_t next, std::uint64_t end) {
  expect_state(id >= next && id < end, [&] {
    return broken_rule(array, "ascending and below " + std::to_string(end), id) + " where at least " +
           std::to_string(next) + " must stand";
  });
}

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
  expect_state(n_ids < no_index,
               [&] { return broken_rule("the number of particles", "below " + std::to_string(no_index), n_ids); });
  std::uint64_t next_id = 0;
  for (const index_t i : place) {
    expect_ascending("bodies/id", id[i], next_id, n_ids);
    next_id = std::uint64_t(id[i]) + 1;
    const auto broken = [&](const char* array, const char* rule, const auto& value) {
      return broken_rule(StateEntry{array, "particle", id[i]}.text(), rule, value);
    };
    expect_state(material[i] < known_material.size() && known_material[material[i]], [&] {
      return broken("bodies/material", "the index of a material that particles of the case have", material[i]);
    });
    expect_state(radius[i] > R(0), [&] { return broken("bodies/radius", "> 0", radius[i]); });
    expect_state(inverse_mass[i] >= R(0), [&] { return broken("bodies/inverse_mass", ">= 0", inverse_mass[i]); });
    expect_state(inverse_inertia[i] >= R(0),
                 [&] { return broken("bodies/inverse_inertia", ">= 0", inverse_inertia[i]); });
    const Vec3d x = position[i], parked = parked_position(id[i]);
    const bool is_parked_here = x.x == parked.x && x.y == parked.y && x.z == parked.z;
    const double farthest = math::max(math::abs(x.x), math::max(math::abs(x.y), math::abs(x.z)));
    expect_state(farthest < parking_place || is_parked_here,
                 [&] { return broken("bodies/position", "within 1e30 m of the origin", farthest); });
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
    expect_ascending("clumps/id", id[c], next_id, n_made);
    next_id = std::uint64_t(id[c]) + 1;
    const auto broken = [&](const char* array, const std::string& rule, const auto& value) {
      return broken_rule(StateEntry{array, "clump", id[c]}.text(), rule, value);
    };
    expect_state(shape[c] < size_of_shape.size(), [&] {
      return broken("clumps/shape", "below " + std::to_string(size_of_shape.size()) + ", the number of shapes",
                    shape[c]);
    });
    expect_state(mass[c] > 0, [&] { return broken("clumps/mass", "> 0", mass[c]); });
    expect_state(size[c] > 0, [&] { return broken("clumps/size", "> 0", size[c]); });
    const double least = math::min(inertia[c].x, math::min(inertia[c].y, inertia[c].z));
    expect_state(least > 0, [&] { return broken("clumps/inertia", "> 0", least); });
    const double square = q[c].w * q[c].w + q[c].x * q[c].x + q[c].y * q[c].y + q[c].z * q[c].z;
    expect_state(math::abs(square - 1) < 1e-6, [&] {
      return broken("clumps/orientation", "a quaternion of length 1", std::sqrt(square)) + " as its length";
    });
    for (std::uint32_t k = 0; k < size_of_shape[shape[c]]; ++k) { named.push_back(first[c] + k); }
  }
  std::sort(named.begin(), named.end());
  expect_state(named == members, [&] {
    const auto [a, b] = std::mismatch(named.begin(), named.end(), members.begin(), members.end());
    const index_t wrong = a == named.end() ? *b : b == members.end() ? *a : std::min(*a, *b);
    return "clumps/first_member must give each member to one clump, which is not so for particle " +
           std::to_string(wrong);
  });
}

}  // namespace scree::inline SCREE_BACKEND
