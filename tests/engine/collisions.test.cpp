#include <cmath>
#include <cstring>
#include <numeric>

#include "busy_scene.hpp"
#include "cells.hpp"

// Collisions by what they lose, on every backend.
namespace scree::inline SCREE_BACKEND::collisions_test {

using Collisions = BackendTest;

/// Limits [J] around what collisions in these scenes lose.
const std::vector<double> limits{1e-10, 1e-9, 1e-8, 1e-7, 1e-6};

Scene counted(Scene scene) {
  scene.energies = scene.sums_losses = true;
  scene.collisions = SceneCollisions{limits};
  return scene;
}

Scene counted_bed(Precision precision, double verlet = 0.2) {
  return counted(busy_scene(precision, LawKind::hertz_mindlin, verlet));
}

Scene counted_cell(Precision precision) { return counted(sheared_dense_cell(precision)); }

double lost_in_ledger(Engine& engine) {
  const EnergyLedger e = engine.energies();
  return e.friction + e.viscous + e.breakage;
}

struct Totals {
  std::uint64_t count = 0;
  double lost = 0, speed = 0;
};
Totals totals(const CollisionReport& report) {
  Totals sum;
  for (const CollisionBin& bin : report.bins) { sum.count += bin.count, sum.lost += bin.lost, sum.speed += bin.speed; }
  return sum;
}

/// All numbers of a report.
std::vector<double> numbers_of(const CollisionReport& report) {
  std::vector<double> all{report.since, double(report.open), report.open_lost};
  for (const CollisionBin& b : report.bins) {
    for (const double number : {double(b.first), double(b.second), double(b.with_boundary), double(b.bin),
                                double(b.count), b.lost, b.speed}) {
      all.push_back(number);
    }
  }
  return all;
}

// Ended and open collisions together are all losses. The ledger books the second half of the work of dashpots with the
// next step, collisions have it at once: their sum lies between the sums of the ledger before and after that step.
// Sums of collisions have 48 bits in single precision: 1e-12 with few thousand steps.
TEST_F(Collisions, AddUpToTheLossesOfTheLedger) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    for (Scene scene : {counted_bed(precision), counted_cell(precision)}) {
      scene.integration.damping = 0;
      const auto engine = make_backend_engine(scene);
      for (const std::uint64_t steps : {60u, 0u, 0u, 100u}) {
        engine->advance(steps);
        const double before = lost_in_ledger(*engine);
        const CollisionReport report = engine->collisions(false);
        const double sum = totals(report).lost + report.open_lost;
        EXPECT_GT(report.open, 0u);
        engine->advance(1);
        const double after = lost_in_ledger(*engine), slack = 1e-12 * after;
        EXPECT_GE(sum, before - slack);
        EXPECT_LE(sum, after + slack);
      }
    }
  }
}

// The sum of what particles have lost is another sum of the same losses.
TEST_F(Collisions, AddUpToTheLossesOfParticles) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = counted_bed(precision);
    scene.outlets.clear();
    scene.outlet_names.clear();
    const auto engine = make_backend_engine(scene);
    engine->advance(200);
    const std::vector<double> each = engine->snapshot({.dissipated = true}).dissipated;
    const double expected = std::accumulate(each.begin(), each.end(), 0.0);
    const CollisionReport report = engine->collisions(false);
    EXPECT_NEAR(totals(report).lost + report.open_lost, expected, 1e-12 * expected);
    EXPECT_EQ(report.open, engine->counts().contacts + engine->counts().boundary_contacts);
  }
}

TEST_F(Collisions, HaveTheSameBitsForAnyThreadCountAndVerletDistance) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const auto first = make_backend_engine(counted_bed(precision));
    first->advance(150);
    const CollisionReport report = first->collisions(false);
    const std::vector<double> expected = numbers_of(report);
    EXPECT_GT(report.bins.size(), 5u);
    for (const auto& [threads, verlet] : {std::pair{1, 0.02}, {2, 0.2}, {3, 1.0}}) {
      const auto other = make_backend_engine(counted_bed(precision, verlet), threads);
      other->advance(150);
      EXPECT_EQ(numbers_of(other->collisions(false)), expected) << threads << " threads, Verlet distance " << verlet;
    }
  }
}

TEST_F(Collisions, ChangeNothingElse) {
  Scene scene = counted_bed(Precision::mixed), without = scene;
  without.collisions.reset();
  const auto a = make_backend_engine(scene), b = make_backend_engine(without);
  a->advance(100), b->advance(100);
  EXPECT_TRUE(a->hash() == b->hash());
  EXPECT_EQ(lost_in_ledger(*a), lost_in_ledger(*b));
  EXPECT_THROW(static_cast<void>(b->collisions(false)), ContractError);
}

TEST_F(Collisions, AreInCheckpoints) {
  const Scene scene = counted_bed(Precision::mixed);
  const auto whole = make_backend_engine(scene), rest = make_backend_engine(scene, 2);
  whole->advance(60);
  static_cast<void>(whole->collisions(true));
  whole->advance(20);
  const EngineState state = whole->save();
  rest->restore(state);
  EXPECT_TRUE(rest->save() == state);
  EXPECT_EQ(numbers_of(rest->collisions(false)), numbers_of(whole->collisions(false)));
  whole->advance(40), rest->advance(40);
  EXPECT_EQ(numbers_of(rest->collisions(false)), numbers_of(whole->collisions(false)));

  EngineState older = state;
  std::erase_if(older.arrays,
                [](const StateArray& array) { return array.name.find("collision") != std::string::npos; });
  rest->restore(older);
  EXPECT_TRUE(rest->collisions(false).bins.empty()) << "they begin anew";
  EXPECT_EQ(rest->collisions(false).open, 0u);
  EXPECT_EQ(rest->collisions(false).since, rest->time());
  rest->advance(1);
  EXPECT_GT(rest->collisions(false).open, 0u);

  Scene others = scene;
  others.collisions->limits.pop_back();
  const auto coarser = make_backend_engine(others);
  coarser->restore(state);
  EXPECT_TRUE(coarser->collisions(false).bins.empty()) << "other limits: counts begin anew";
  EXPECT_EQ(coarser->collisions(false).open_lost, [&] {
    rest->restore(state);
    return rest->collisions(false).open_lost;
  }()) << "contacts that touch keep what they have lost";

  Scene without = scene;
  without.collisions.reset();
  const auto other = make_backend_engine(without);
  other->restore(state);
  other->advance(40);
  EXPECT_TRUE(other->hash() == whole->hash());

  EngineState broken = state;
  for (StateArray& array : broken.arrays) {
    if (array.name != "pairs/collision") { continue; }
    const float unknown = 100;
    std::memcpy(array.bytes.data(), &unknown, sizeof unknown);
  }
  EXPECT_THROW(rest->restore(broken), StateError);
}

// Intervals follow one another without a gap. Until the next step an interval that has ended can be read again.
TEST_F(Collisions, BelongToIntervals) {
  const auto engine = make_backend_engine(counted_bed(Precision::mixed));
  const auto whole = make_backend_engine(counted_bed(Precision::mixed));
  Totals sum;
  double end = 0;
  for (int k = 0; k < 3; ++k) {
    engine->advance(50);
    const CollisionReport report = engine->collisions(true);
    EXPECT_EQ(report.since, end);
    EXPECT_EQ(numbers_of(engine->collisions(false)), numbers_of(report));
    const Totals now = totals(report);
    sum.count += now.count, sum.lost += now.lost, sum.speed += now.speed;
    end = engine->time();
  }
  whole->advance(150);
  const Totals expected = totals(whole->collisions(false));
  EXPECT_GT(expected.count, 100u);
  EXPECT_EQ(sum.count, expected.count);
  EXPECT_NEAR(sum.lost, expected.lost, 1e-14 * expected.lost);
  EXPECT_NEAR(sum.speed, expected.speed, 1e-14 * expected.speed);
}

/// A sphere that falls on the plane 0, or on a mesh in its place.
Scene falling_sphere(double height, const Real3& velocity, bool on_mesh) {
  Scene scene = counted(glass_scene(Precision::double_, LawKind::hertz_mindlin));
  if (on_mesh) {
    add_mesh(scene, sheet({-20 * bead, -20 * bead, 0}, {40 * bead, 0, 0}, {0, 40 * bead, 0}, 40));
  } else {
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
  }
  add_body(scene, {0.1 * bead, 0.6 * bead, bead + height}, bead, velocity);
  return scene;
}

// A sphere that slides over many facets has one collision, which ends once it has bounced off.
TEST_F(Collisions, GoOnFromFacetToFacet) {
  const Scene scene = falling_sphere(0.01 * bead, {3, 0.5, -0.1}, true);
  const auto engine = make_backend_engine(scene);
  std::uint64_t steps_in_touch = 0;
  double first = 0, last = 0;
  for (int k = 0; k < 3000; ++k) {
    engine->advance(1);
    if (engine->collisions(false).open == 0) { continue; }
    last = engine->snapshot().position[0][0];
    if (steps_in_touch++ == 0) { first = last; }
  }
  EXPECT_GT(last - first, 0.5 * bead);
  const CollisionReport report = engine->collisions(false);
  ASSERT_EQ(report.bins.size(), 1u);
  EXPECT_EQ(report.bins[0].count, 1u);
  EXPECT_TRUE(report.bins[0].with_boundary);
  EXPECT_NEAR(report.bins[0].speed, 0.1, 1e-12);
  EXPECT_NEAR(report.bins[0].lost, lost_in_ledger(*engine), 1e-12 * lost_in_ledger(*engine));
}

// The collision of a contact ends when its boundary goes, or when a program moves the sphere away.
TEST_F(Collisions, EndWithTheirContact) {
  Scene scene = falling_sphere(0, {0, 0, -0.1}, false);
  for (const bool goes : {true, false}) {
    const auto engine = make_backend_engine(scene);
    engine->advance(20);
    ASSERT_EQ(engine->collisions(false).open, 1u);
    const double lost = engine->collisions(false).open_lost;
    if (goes) {
      engine->set_present(0, false);
    } else {
      BodyChange change;
      change.id = {0};
      change.position = {{0, 0, 10 * bead}};
      engine->set_bodies(change);
    }
    engine->advance(1);
    const CollisionReport report = engine->collisions(false);
    EXPECT_EQ(report.open, 0u);
    ASSERT_EQ(report.bins.size(), 1u);
    EXPECT_EQ(report.bins[0].count, 1u);
    EXPECT_EQ(report.bins[0].lost, lost);
  }
}

// What a sphere has lost counts when an outlet removes it.
TEST_F(Collisions, EndWithTheirParticle) {
  Scene scene = falling_sphere(0, {1, 0, -0.1}, false);
  add_outlet(scene, "right", {0.15 * bead, 0, 0}, {1, 0, 0});
  const auto engine = make_backend_engine(scene);
  double open = 0;
  while (engine->counts().particles > 0) {
    open = engine->collisions(false).open_lost;
    engine->advance(1);
    ASSERT_LT(engine->step(), 100u);
  }
  const CollisionReport report = engine->collisions(false);
  EXPECT_EQ(report.open, 0u);
  ASSERT_EQ(report.bins.size(), 1u);
  EXPECT_EQ(report.bins[0].count, 1u);
  EXPECT_GT(report.bins[0].lost, open);
  engine->advance(10);
  EXPECT_EQ(numbers_of(engine->collisions(false)), numbers_of(report)) << "once";
}

}  // namespace scree::inline SCREE_BACKEND::collisions_test
