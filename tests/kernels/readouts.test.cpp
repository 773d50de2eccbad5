#include <cmath>
#include <cstring>
#include <map>

#include "../engine/busy_scene.hpp"
#include "support.hpp"

/// Readouts are made by kernels. Here they are made once more in the plainest way, from the arrays of the system.
namespace scree::inline SCREE_BACKEND::readouts_test {

class ReadoutsTest : public BackendTest {};

bool same(const Real3& a, const Real3& b) { return std::memcmp(a.data(), b.data(), sizeof a) == 0; }

/// Bodies meet moving walls, and outlets remove some: ids are missing, and bodies are parked.
template <class R>
Scene leaking_scene() {
  return busy_scene(std::is_same_v<R, double> ? Precision::double_ : Precision::mixed, LawKind::hertz_mindlin, 0.3);
}

template <class R>
std::map<index_t, std::size_t> present_by_id(System<R>& system) {
  Bodies<R>& bodies = SystemProbe::bodies(system);
  const auto id = bodies.id.to_vector();
  const auto position = bodies.position().to_vector();
  std::map<index_t, std::size_t> places;
  for (std::size_t i = 0; i < id.size(); ++i) {
    if (!is_parked(position[i])) { places[id[i]] = i; }
  }
  return places;
}

template <class R>
void expect_snapshot(System<R>& system) {
  Bodies<R>& bodies = SystemProbe::bodies(system);
  const auto position = bodies.position().to_vector();
  const auto velocity = bodies.velocity().to_vector();
  const auto radius = bodies.radius().to_vector();
  const auto material = bodies.material.to_vector();
  const auto places = present_by_id(system);
  const Snapshot state = snapshot_of(system.run(), {.force = true, .coordination = true});
  ASSERT_EQ(state.id.size(), places.size());
  std::vector<std::uint32_t> touches(position.size());
  const auto pairs = SystemProbe::pairs(system).bodies.to_vector();
  const auto touching = SystemProbe::pairs(system).touching.to_vector();
  for (std::size_t s = 0; s < pairs.size(); ++s) {
    touches[pairs[s].first] += touching[s];
    touches[pairs[s].second] += touching[s];
  }
  auto& near = SystemProbe::near_boundary(system);
  const auto body_of_row = near.body_of_row.to_vector();
  const auto row_start = near.row_start.to_vector();
  const auto slots = near.slot.to_vector();
  for (std::size_t row = 0; row < body_of_row.size(); ++row) {
    for (offset_t k = row_start[row]; k < row_start[row + 1]; ++k) { touches[body_of_row[row]] += slots[k].touching; }
  }
  std::size_t k = 0;
  for (const auto& [id, i] : places) {
    ASSERT_EQ(state.id[k], id);
    EXPECT_EQ(state.position[k], (Real3{position[i].x, position[i].y, position[i].z}));
    EXPECT_EQ(state.radius[k], double(radius[i]));
    EXPECT_EQ(state.material[k], material[i]);
    EXPECT_EQ(state.coordination[k], touches[i]);
    EXPECT_NEAR(state.velocity[k][2], double(velocity[i].z), 1e-6);
    ++k;
  }
}

template <class R>
void expect_contacts(System<R>& system) {
  const auto places = present_by_id(system);
  const auto id = SystemProbe::bodies(system).id.to_vector();
  const auto pairs = SystemProbe::pairs(system).bodies.to_vector();
  const auto touching = SystemProbe::pairs(system).touching.to_vector();
  const auto record = SystemProbe::pairs(system).force.to_vector();
  std::map<IdPair, Real3> expected;
  for (std::size_t s = 0; s < pairs.size(); ++s) {
    const index_t first = id[pairs[s].first], second = id[pairs[s].second];
    if (touching[s] == 0 || !places.contains(first) || !places.contains(second)) { continue; }
    expected[{first, second}] = {double(record[s].force[0]), double(record[s].force[1]), double(record[s].force[2])};
  }
  const auto found = touching_contacts(system.run());
  std::size_t c = 0;
  for (const auto& [ids, force] : expected) {
    ASSERT_LT(c, found.size());
    ASSERT_EQ((IdPair{found[c].first, found[c].second}), ids) << "ascending by both ids";
    EXPECT_FALSE(found[c].with_boundary);
    EXPECT_TRUE(same(found[c].force, force));
    double length = 0;
    for (std::size_t k = 0; k < 3; ++k) { length += found[c].branch[k] * found[c].branch[k]; }
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(found[c].normal[k], found[c].branch[k] / std::sqrt(length), 1e-14);
    }
    ++c;
  }
  std::size_t at_boundaries = 0;
  for (; c < found.size(); ++c) {
    ASSERT_TRUE(found[c].with_boundary);
    if (at_boundaries++ > 0) { ASSERT_GE(found[c].second, found[c - 1].second); }
  }
  std::size_t expected_at_boundaries = 0;
  auto& near = SystemProbe::near_boundary(system);
  const auto body_of_row = near.body_of_row.to_vector();
  const auto row_start = near.row_start.to_vector();
  const auto slots = near.slot.to_vector();
  for (std::size_t row = 0; row < body_of_row.size(); ++row) {
    if (!places.contains(id[body_of_row[row]])) { continue; }
    for (offset_t k = row_start[row]; k < row_start[row + 1]; ++k) { expected_at_boundaries += slots[k].touching; }
  }
  EXPECT_EQ(at_boundaries, expected_at_boundaries);
  EXPECT_GT(expected.size(), 10u);
}

template <class R>
void expect_readouts() {
  const Scene scene = leaking_scene<R>();
  System<R> system(scene, 1), other(scene, 3);
  bool some_were_parked = false, some_were_missing = false;
  for (int look = 0; look < 30; ++look) {
    system.advance(13, nullptr), other.advance(13, nullptr);
    expect_snapshot(system);
    expect_contacts(system);
    const auto loads = boundary_loads(system.run()), same_loads = boundary_loads(other.run());
    for (std::size_t b = 0; b < loads.size(); ++b) {
      EXPECT_TRUE(same(loads[b].force, same_loads[b].force) && same(loads[b].torque, same_loads[b].torque));
    }
    EXPECT_TRUE(hash_of(system.run()) == hash_of(other.run()));
    const std::size_t present = present_by_id(system).size();
    some_were_parked = some_were_parked || present < system.run().count.bodies;
    some_were_missing = some_were_missing || present < scene.particles.size();
  }
  EXPECT_TRUE(some_were_parked) << "removed bodies are still in memory in some readout";
  EXPECT_TRUE(some_were_missing);
}

TEST_F(ReadoutsTest, AreThoseOfThePlainArrays) {
  expect_readouts<float>();
  expect_readouts<double>();
}

// One particle more or one bit of a velocity more is another hash; the same particles in another order have the same.
TEST_F(ReadoutsTest, HashSeesEveryBitAndNoOrder) {
  System<double> system(leaking_scene<double>(), 1);
  system.advance(5, nullptr);
  const StateHash before = hash_of(system.run());
  auto& bodies = SystemProbe::bodies(system);
  const Vec3d v = bodies.velocity().element(7);
  bodies.velocity().set_element(7, {v.x, v.y, std::nextafter(v.z, 1e9)});
  EXPECT_FALSE(hash_of(system.run()) == before);
  bodies.velocity().set_element(7, v);
  EXPECT_TRUE(hash_of(system.run()) == before);
  static_cast<void>(system.search_neighbours());  // sorts the bodies
  EXPECT_TRUE(hash_of(system.run()) == before);
}

}  // namespace scree::inline SCREE_BACKEND::readouts_test
