#include "grain_kit.hpp"

#include <map>
#include <tuple>

// Forces at the nodes of grains, as output has them.
namespace scree::inline SCREE_BACKEND::node_forces_test {

using NodeForces = BackendTest;

Real3 sum_of(const Real3& a, const Real3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

/// Compares the forces of all contacts of grains with those of their nodes. Returns the number of the contacts.
std::size_t compare_with_contacts(Engine& engine, double tolerance) {
  using Key = std::tuple<bool, std::uint32_t, std::uint32_t>;
  std::map<Key, Real3> sums, contacts;
  const Snapshot now = engine.snapshot();
  for (const TouchingNode& node : engine.touching_nodes()) {
    Real3& sum = sums[{node.with_boundary, node.first, node.second}];
    sum = sum_of(sum, node.force);
    EXPECT_GT(node.overlap, 0);
    EXPECT_NEAR(length_of(node.normal), 1, 1e-5);
    const auto at = std::size_t(std::find(now.id.begin(), now.id.end(), node.second) - now.id.begin());
    const Real3& x = now.position.at(at);
    const double away = length_of({node.point[0] - x[0], node.point[1] - x[1], node.point[2] - x[2]});
    EXPECT_LT(away, 1.01 * now.radius[at]);
    EXPECT_GT(away, 0.2 * now.radius[at]);
  }
  double largest = 0;
  for (const TouchingContact& c : engine.touching_contacts()) {
    const Key key{c.with_boundary, c.first, c.second};
    if (sums.count(key) == 0) { continue; }  // spheres
    contacts[key] = sum_of(contacts[key], c.force);
    largest = std::max(largest, length_of(c.force));
  }
  EXPECT_EQ(contacts.size(), sums.size());
  for (const auto& [key, force] : contacts) {
    for (std::size_t k = 0; k < 3; ++k) { EXPECT_NEAR(sums[key][k], force[k], tolerance * largest); }
  }
  return contacts.size();
}

// The normal of a contact of two grains is that of their surfaces, not the direction of the line of centres.
TEST_F(NodeForces, NormalsAreThoseOfTheSurfaces) {
  Scene scene = glass_scene(Precision::double_, LawKind::linear_spring_dashpot);
  scene.pairs[0] = {};
  scene.pairs[0].friction = 0.3;
  scene.pairs[0].springs.from_moduli = false;
  scene.pairs[0].springs.stiffness = 2e4, scene.pairs[0].springs.shear_stiffness = 1e4;
  scene.time_step = 1e-6;
  scene.verlet_distance = 0.2 * bead;
  const Real3 half{3 * bead, 2 * bead, bead};
  add_grain_shape(scene, grain_of(rounded_box({2.9 * bead, 1.9 * bead, 0.9 * bead}, 0.1 * bead), length_of(half),
                                  0.25 * bead, 600));
  physics::add_clump(scene, 0, {0, 0, 0});
  physics::add_clump(scene, 0, {3.5 * bead, bead, 2 * bead - 1e-6}, {0.3, 0, 0});
  const auto engine = make_backend_engine(scene);
  engine->advance(20);
  std::vector<ContactDetail> details;
  for (const bool detailed : {false, true}) {
    const auto contacts = engine->touching_contacts(detailed ? &details : nullptr);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_GT(contacts[0].normal[2], 0.999) << detailed;
    EXPECT_EQ(details.size(), detailed ? 1u : 0u);
  }
}

// The force of a contact is the sum of those of its nodes. The sum is rounded once, to single precision in mixed runs.
TEST_F(NodeForces, AddUpToTheForcesOfTheirContacts) {
  for (const bool two_pass : {false, true}) {
    for (const Precision precision : {Precision::mixed, Precision::double_}) {
      Scene scene = grain_drum(precision, two_pass);
      scene.keeps_node_forces = true;
      const auto engine = make_backend_engine(scene), other = make_backend_engine(grain_drum(precision, two_pass));
      std::size_t contacts = 0, of_first = 0;
      for (int k = 0; k < 10; ++k) {
        engine->advance(150);
        contacts += compare_with_contacts(*engine, precision == Precision::mixed ? 1e-6 : 1e-14);
        for (const TouchingNode& node : engine->touching_nodes()) { of_first += node.of_first ? 1 : 0; }
      }
      other->advance(1500);
      EXPECT_TRUE(engine->hash() == other->hash()) << "keeping forces changes nothing";
      EXPECT_GT(contacts, 20u);
      EXPECT_GT(of_first, 0u);
    }
  }
}

TEST_F(NodeForces, MustBeAskedFor) {
  const auto engine = make_backend_engine(grain_drum(Precision::mixed, false));
  EXPECT_TRUE(engine->touching_nodes().empty());
  engine->advance(900);
  EXPECT_THROW(static_cast<void>(engine->touching_nodes()), ContractError);
}

}  // namespace scree::inline SCREE_BACKEND::node_forces_test
