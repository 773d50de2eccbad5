#pragma once

#include <algorithm>

#include "support.hpp"

/// The neighbour lists of a System, and the same lists by brute force.
namespace scree::inline SCREE_BACKEND {

/// Pairs of ids whose distance is at most the range of their materials times the sum of their radii, plus both skins,
/// by brute force in the arithmetic of the engine.
template <class R>
std::vector<IdPair> brute_force(const Scene& scene, const std::vector<R>& skin) {
  std::vector<IdPair> pairs;
  const auto& p = scene.particles;
  for (std::uint32_t i = 0; i < p.size(); ++i) {
    for (std::uint32_t j = i + 1; j < p.size(); ++j) {
      const Vec3d branch{p.position[j][0] - p.position[i][0], p.position[j][1] - p.position[i][1],
                         p.position[j][2] - p.position[i][2]};
      const double radii = double(static_cast<R>(p.radius[i])) + double(static_cast<R>(p.radius[j]));
      const double reach = scene.range_of(p.material[i], p.material[j]) * radii + (double(skin[i]) + double(skin[j]));
      if (dot(branch, branch) <= reach * reach) { pairs.push_back({i, j}); }
    }
  }
  return pairs;
}

/// Adds speeds for lists in which each body has a skin of its own: most bodies are slow, and a few are so fast that
/// they would need more than the largest skin.
inline void add_speeds(Scene& scene, Random& random) {
  const double unit = bead / scene.time_step;
  for (Real3& v : scene.particles.velocity) {
    const Real3 d = random.direction();
    const double speed = unit * random(0, 0.002) / (1 - random(0, 0.995));
    v = {speed * d[0], speed * d[1], speed * d[2]};
  }
}

/// Makes the first lists of a scene. A cloud of overlapping bodies ends in a fault after its lists were made.
template <class R>
void make_lists(System<R>& system) {
  try {
    system.advance(1, nullptr);
  } catch (const KernelFault&) {}
}

template <class R>
std::vector<R> skins_by_id(System<R>& system) {
  const auto id = SystemProbe::bodies(system).id.to_vector();
  const auto skin = SystemProbe::bodies(system).skin().to_vector();
  std::vector<R> result(id.size());
  for (std::size_t i = 0; i < id.size(); ++i) { result[id[i]] = skin[i]; }
  return result;
}

template <class R>
std::vector<IdPair> listed_pairs(System<R>& system) {
  const auto id = SystemProbe::bodies(system).id.to_vector();
  std::vector<IdPair> listed;
  for (const BodyPair pair : SystemProbe::pairs(system).bodies.to_vector()) {
    listed.push_back({id[pair.first], id[pair.second]});
  }
  std::sort(listed.begin(), listed.end());
  return listed;
}

/// Checks that every slot is listed once for each of its bodies, in ascending order of the other body's id.
template <class R>
void expect_ordered_incidence(System<R>& system) {
  const auto id = SystemProbe::bodies(system).id.to_vector();
  const auto pairs = SystemProbe::pairs(system).bodies.to_vector();
  const auto start = SystemProbe::pairs(system).incident_start.to_vector();
  const auto incident = SystemProbe::pairs(system).incident.to_vector();
  ASSERT_EQ(start.size(), id.size() + 1);
  ASSERT_EQ(start.front(), 0u);
  ASSERT_EQ(start.back(), 2 * pairs.size());
  std::vector<int> as_first(pairs.size()), as_second(pairs.size());
  for (std::size_t body = 0; body < id.size(); ++body) {
    for (offset_t k = start[body]; k < start[body + 1]; ++k) {
      const std::size_t slot = incident[k] >> 1;
      const bool second = (incident[k] & 1u) != 0;
      ASSERT_EQ(second ? pairs[slot].second : pairs[slot].first, body);
      ++(second ? as_second : as_first)[slot];
      if (k == start[body]) { continue; }
      const auto other_id = [&](std::uint32_t entry) {
        return id[(entry & 1u) != 0 ? pairs[entry >> 1].first : pairs[entry >> 1].second];
      };
      ASSERT_LT(other_id(incident[k - 1]), other_id(incident[k]));
    }
  }
  EXPECT_TRUE(std::all_of(as_first.begin(), as_first.end(), [](int n) { return n == 1; }));
  EXPECT_TRUE(std::all_of(as_second.begin(), as_second.end(), [](int n) { return n == 1; }));
}

template <class R>
void expect_lists_of_brute_force(const Scene& scene, int threads) {
  System<R> system(scene, threads);
  make_lists(system);
  const std::vector<R> skins = skins_by_id(system);
  for (const R skin : skins) { ASSERT_GE(skin, static_cast<R>(0.5 * scene.verlet_distance)); }
  const std::vector<IdPair> expected = brute_force<R>(scene, skins);
  const std::vector<IdPair> listed = listed_pairs(system);
  EXPECT_EQ(listed.size(), expected.size());
  ASSERT_TRUE(listed == expected) << "the lists differ from comparing all with all";
  expect_ordered_incidence(system);
}

}  // namespace scree::inline SCREE_BACKEND
