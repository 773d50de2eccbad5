#include <gtest/gtest.h>

#include <cstdio>

#include "cell_scenes.hpp"

/// Work, energy and momentum in deforming cells, and shear to large strains.
namespace scree::physics::cell_energies_test {

/// A dense packing that is sheared at constant volume at a given inertial number.
Scene sheared(Scene scene, double inertial) {
  scene.cell->velocity_gradient = {{{0, grain_rate(inertial), 0}, {0, 0, 0}, {0, 0, 0}}};
  return scene;
}

struct Work {
  double cell = 0, stress = 0, error = 0, scale = 0;  ///< [J]
};

/// Runs for a time, sums V sigma : L dt from contacts and motion, and compares the sum with the ledger.
Work work_of(Scene scene, double duration) {
  scene.energies = true;
  const auto engine = make_host_engine(scene, 1);
  engine->advance(1);
  const EnergyLedger begin = engine->energies();
  Work work;
  const int steps = static_cast<int>(duration / scene.time_step);
  const Matrix3 rate = scene.cell->velocity_gradient;
  double last = 0;
  for (int k = 0; k <= steps; ++k) {
    const Matrix3 s = stress_of(*engine, scene);
    double power = 0;
    for (std::size_t i = 0; i < 3; ++i) { power += engine->cell()->volume * dot(s[i], rate[i]); }
    if (k > 0) { work.stress += 0.5 * (power + last) * scene.time_step; }
    last = power;
    if (k == steps) { break; }
    engine->advance(1);
    work.error = std::max(work.error, std::abs(engine->energies().error));
  }
  const EnergyLedger end = engine->energies();
  work.cell = end.cell - begin.cell;
  work.scale = std::max({std::abs(work.cell), end.elastic, end.friction + end.viscous});
  std::printf(
      "cell %.6g J, from stress %.6g J, error %.3g J; elastic %.3g, kinetic %.3g, friction %.3g, viscous %.3g\n",
      work.cell, work.stress, work.error, end.elastic, end.kinetic_translation + end.kinetic_rotation, end.friction,
      end.viscous);
  return work;
}

// The ledger's work of the cell is V sigma : L dt, and the ledger closes better with smaller steps.
TEST(CellEnergies, WorkOfTheCell) {
  const Scene packed = packed_cell(5, 0.5);
  ASSERT_EQ(packed.particles.size(), 125U);
  double last = 1;
  for (const double part : {1.0, 0.25}) {
    Scene scene = sheared(packed, 0.1);
    scene.cell->velocity_gradient[2] = {0.3 * grain_rate(0.1), 0, -0.1 * grain_rate(0.1)};  // compressed along z, too
    scene.time_step *= part;
    const Work work = work_of(scene, 0.01);  // a strain of 0.2
    EXPECT_LT(std::abs(work.cell - work.stress), 5e-3 * work.scale) << part;
    EXPECT_LT(work.error, 3e-3 * work.scale) << part;
    EXPECT_LT(work.error / work.scale, last);
    last = 0.5 * work.error / work.scale;  // the error is of nearly first order, or better
  }
}

// Shear heats a gas of smooth elastic spheres, which has kinetic energy only.
TEST(CellEnergies, ShearHeatsAGas) {
  Scene scene = hertz_scene(grain_matter, {0, 0}, 1e-5);
  Numbers numbers(4);
  const double pitch = 4 * grain;
  for (int k = 0; k < 125; ++k) {
    add_sphere(scene, pitch * Real3{k % 5 + 0.5, k / 5 % 5 + 0.5, k / 25 + 0.5}, grain, numbers.in_cube(1));
  }
  scene.cell = box_cell(5 * pitch * Real3{1, 1, 1});
  scene.cell->velocity_gradient = {{{0, 50, 0}, {0, 0, 0}, {0, 0, 0}}};
  scene.energies = true;
  const auto engine = start(scene);
  const double before = engine->energies().kinetic_translation;
  engine->advance(1);
  engine->advance(5000);
  const EnergyLedger e = engine->energies();
  std::printf("gas: %.4g J to %.4g J, work %.4g J, error %.3g J\n", before, e.kinetic_translation, e.cell, e.error);
  EXPECT_GT(e.cell, 0.5 * before);
  EXPECT_LT(std::abs(e.error), 1e-3 * e.cell);
}

// Simple shear at constant volume to a strain of 10: the cell flips ten times, and particles go round it. Stress,
// contacts and overlaps of the second half agree with the first half, within their fluctuation (216 spheres: 3 % of the
// mean over a strain of 4). Momentum stays zero. This also holds in mixed precision, because velocities are relative to
// the mean flow and positions lie on a grid.
TEST(CellEnergies, LongSimpleShear) {
  const Scene packed = packed_cell(6, 0.5, 0.2);
  ASSERT_EQ(packed.particles.size(), 216U);
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = sheared(packed, 0.05);
    scene.precision = precision;
    const auto engine = make_host_engine(scene, 1);
    struct Half {
      double shear = 0, normal = 0, contacts = 0, overlap = 0;
      int samples = 0;
    } half[2];
    const auto steps = static_cast<std::uint64_t>(10 / grain_rate(0.05) / scene.time_step);
    const Real3 begin = [&] {
      Real3 sum{};
      for (std::size_t i = 0; i < packed.particles.size(); ++i) {
        sum = sum + sphere_mass(packed.particles.radius[i], grain_matter.density) * packed.particles.velocity[i];
      }
      return sum;
    }();
    for (int k = 0; k < 1000; ++k) {
      engine->advance(steps / 1000);
      if (k < 200) { continue; }  // up to a strain of 2 the flow is not steady
      Half& h = half[k < 600 ? 0 : 1];
      const Matrix3 s = stress_of(*engine, scene);
      h.shear += 0.5 * (s[0][1] + s[1][0]);
      h.normal -= s[1][1];
      h.contacts += double(engine->counts().contacts);
      double overlap = 0;
      const auto contacts = engine->touching_contacts();
      for (const TouchingContact& c : contacts) {
        overlap += (scene.particles.radius[c.first] + scene.particles.radius[c.second] - norm(c.branch)) / grain /
                   double(contacts.size());
      }
      h.overlap += overlap;
      ++h.samples;
    }
    EXPECT_NEAR(engine->cell()->strain[5], 10, 0.1);
    for (Half& h : half) {
      h.shear /= h.samples, h.normal /= h.samples, h.contacts /= h.samples, h.overlap /= h.samples;
      std::printf("shear %.0f Pa, normal %.0f Pa, contacts %.1f, overlap %.5f\n", h.shear, h.normal, h.contacts,
                  h.overlap);
    }
    EXPECT_NEAR(half[1].shear / half[0].shear, 1, 0.15);  // stresses of a dense packing scatter most
    EXPECT_NEAR(half[1].normal / half[0].normal, 1, 0.1);
    EXPECT_NEAR(half[1].contacts / half[0].contacts, 1, 0.03);
    EXPECT_NEAR(half[1].overlap / half[0].overlap, 1, 0.1);
    Real3 momentum{};
    double magnitude = 0;
    const Snapshot now = engine->snapshot();
    for (std::size_t i = 0; i < now.id.size(); ++i) {
      const double mass = sphere_mass(now.radius[i], grain_matter.density);
      momentum = momentum + mass * now.fluctuation[i];
      magnitude += mass * norm(now.fluctuation[i]);
    }
    // The flow turns momentum along y into momentum along x: P' = -L P, up to the middle of the last step.
    const double strain = engine->cell()->strain[5] - 0.5 * grain_rate(0.05) * scene.time_step;
    const Real3 expected{begin[0] - strain * begin[1], begin[1], begin[2]};
    std::printf("momentum %.3g of %.3g\n", norm(momentum - expected), magnitude);
    EXPECT_LT(norm(momentum - expected), (precision == Precision::mixed ? 1e-3 : 1e-10) * magnitude);
  }
}

}  // namespace scree::physics::cell_energies_test
