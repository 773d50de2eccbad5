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

Real3 moment_of(const Real3& a, const Real3& f) {
  return {a[1] * f[2] - a[2] * f[1], a[2] * f[0] - a[0] * f[2], a[0] * f[1] - a[1] * f[0]};
}

/// What the forces of a contact do about the origin, and the box around its nodes.
struct OfNodes {
  Real3 torque{}, low{1, 1, 1}, high{-1, -1, -1};
};

// The force of a contact at its point and the couple are equal to the forces at its nodes, and the point is among the
// nodes. Points are those of the moment after the forces: grains move by less than 0.01 radii in a step. Mixed runs
// round forces and arms to single precision.
TEST_F(NodeForces, HaveTheTorqueOfTheirContact) {
  for (const bool two_pass : {false, true}) {
    for (const Precision precision : {Precision::mixed, Precision::double_}) {
      Scene scene = grain_drum(precision, two_pass);
      scene.keeps_node_forces = true;
      const auto engine = make_backend_engine(scene);
      const double tolerance = precision == Precision::mixed ? 1e-5 : 1e-12;
      std::size_t compared = 0;
      for (int k = 0; k < 6; ++k) {
        engine->advance(250);
        using Key = std::tuple<bool, std::uint32_t, std::uint32_t>;
        std::map<Key, OfNodes> nodes;
        std::map<Key, Real3> contacts;
        double largest = 0;
        for (const TouchingNode& node : engine->touching_nodes()) {
          OfNodes& sum = nodes[{node.with_boundary, node.first, node.second}];
          sum.torque = sum_of(sum.torque, moment_of(node.point, node.force));
          for (std::size_t a = 0; a < 3; ++a) {
            sum.low[a] = std::min(sum.low[a], node.point[a]), sum.high[a] = std::max(sum.high[a], node.point[a]);
          }
        }
        for (const TouchingContact& c : engine->touching_contacts()) {
          const Key key{c.with_boundary, c.first, c.second};
          largest = std::max(largest, length_of(c.force));
          if (nodes.count(key) == 0) {
            EXPECT_EQ(c.couple, Real3{}) << "of spheres";
            continue;
          }
          Real3& torque = contacts[key];
          torque = sum_of(torque, sum_of(moment_of(c.point, c.force), c.couple));
          for (std::size_t a = 0; a < 3; ++a) {
            EXPECT_GT(c.point[a], nodes[key].low[a] - 0.01 * bead);
            EXPECT_LT(c.point[a], nodes[key].high[a] + 0.01 * bead);
          }
        }
        EXPECT_EQ(contacts.size(), nodes.size());
        for (const auto& [key, torque] : contacts) {
          for (std::size_t a = 0; a < 3; ++a) {
            EXPECT_NEAR(torque[a], nodes[key].torque[a], tolerance * largest * 10 * bead);
          }
        }
        compared += contacts.size();
      }
      EXPECT_GT(compared, 20u);
    }
  }
}

/// A box that touches what is below it with one half of its lower face, as a wedge.
Scene tilted_box(Precision precision, LawKind law, const std::string& below) {
  Scene scene = glass_scene(precision, law);
  scene.pairs[0].springs.from_moduli = false;
  scene.pairs[0].springs.stiffness = 2e4, scene.pairs[0].springs.shear_stiffness = 1e4;
  scene.time_step = 1e-9;
  scene.keeps_node_forces = true;
  constexpr double tilt = 0.02, touches_from = 0.5 * bead;
  double floor = 0;
  add_grain_shape(
      scene, grain_of(rounded_box({2.9 * bead, 1.9 * bead, 0.9 * bead}, 0.1 * bead), 3.8 * bead, 0.25 * bead, 600));
  if (below == "grain") {
    floor = 1.5 * bead;
    add_grain_shape(
        scene, grain_of(rounded_box({3.9 * bead, 3.9 * bead, 1.4 * bead}, 0.1 * bead), 5.9 * bead, 0.25 * bead, 400));
    physics::add_clump(scene, 1, {0, 0, 0});
  } else if (below == "mesh") {
    add_mesh(scene, sheet({-5 * bead, -5 * bead, 0}, {10 * bead, 0, 0}, {0, 10 * bead, 0}, 7));
  } else {
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
  }
  physics::add_clump(scene, 0, {0, 0, floor + bead + tilt * touches_from}, {}, {}, physics::turn({0, 1, 0}, tilt));
  return scene;
}

// All forces at the nodes are parallel. So the force of the contact lies in the line of action of their resultant, and
// no moment is left, if its point is their mean by force. The mean by area is a fifth of the wedge away, 0.4 radii.
// In a step of 1 ns the box turns by less than 1e-11.
TEST_F(NodeForces, OfParallelNodesLeaveNoCouple) {
  for (const LawKind law : {LawKind::linear_spring_dashpot, LawKind::hertz_mindlin}) {
    for (const Precision precision : {Precision::mixed, Precision::double_}) {
      const double tolerance = precision == Precision::mixed ? 1e-5 : 1e-9;
      for (const std::string below : {"plane", "mesh", "grain"}) {
        SCOPED_TRACE(below);
        const auto engine = make_backend_engine(tilted_box(precision, law, below));
        engine->advance(1);
        const auto contacts = engine->touching_contacts();
        ASSERT_EQ(contacts.size(), 1u);
        const TouchingContact& c = contacts[0];
        double sum = 0;
        Real3 mean{};
        for (const TouchingNode& node : engine->touching_nodes()) {
          const double force = length_of(node.force);
          sum += force;
          mean = mean + force * node.point;
        }
        ASSERT_GT(sum, 0);
        EXPECT_NEAR(length_of(c.force) / sum, 1, tolerance) << "parallel";
        EXPECT_LT(length_of(c.point - (1 / sum) * mean), tolerance * bead);
        EXPECT_LT(length_of(c.couple), tolerance * sum * bead);
        EXPECT_GT(c.point[0], 1.9 * bead) << "two thirds of the wedge, from 0.5 to 2.9 radii";
      }
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
