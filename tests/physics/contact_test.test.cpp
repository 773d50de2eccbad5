#include "scree/contact_test.hpp"
#include "scree/errors.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "host/commands/contact.hpp"
#include "host/scene/contact_rules.hpp"
#include "scenes.hpp"

/// One contact along a prescribed path, compared with closed forms and with the engine.
namespace scree::physics::contact_test_test {

constexpr Substance stiff{1e7, 0.3, 2500};

ContactPlace place(double time, double normal, double tangential) { return {time, {normal, tangential, 0}, {}}; }

std::vector<ContactAnswer> drive(const Scene& scene, const ContactSetting& setting,
                                 const std::vector<ContactPlace>& path) {
  std::vector<ContactAnswer> answers;
  const auto test = make_contact_test(scene, setting);
  for (const ContactMove& move : contact_moves(path, setting)) { answers.push_back(test->step(move)); }
  return answers;
}

TEST(ContactTest, DragOfCundallStrackA19) {
  // K_N = E r = 1e5 N/m, so 5e-5 m press with 5 N; K_T = 3e4 N/m; friction 0.4.
  const Scene scene = linear_scene(stiff, 0.4, 1);
  const ContactSetting setting{{1, 0}, {0, 0.01}, true};
  std::vector<ContactPlace> path;
  constexpr int n = 3000;
  for (int k = 0; k <= n; ++k) { path.push_back(place(k * 1e-3, 5e-5, 1e-3 * k / n)); }
  const auto answers = drive(scene, setting, path);

  int onset = 0;
  while (answers.at(std::size_t(onset)).friction == 0) { ++onset; }
  EXPECT_NEAR(1e-3 * onset / n, 6.66667e-5, 1e-3 / n);  // within a step
  const ContactAnswer& last = answers.back();
  EXPECT_NEAR(last.force[0], 5, 1e-11);
  EXPECT_NEAR(last.force[1], -2, 1e-11);
  EXPECT_NEAR(last.friction, 1.866667e-3, 1e-3 * 1.866667e-3);
  EXPECT_NEAR(last.elastic - answers.front().elastic, 6.66667e-5, 1e-6 * 6.66667e-5);
  EXPECT_NEAR(last.work, last.friction + last.elastic - answers.front().elastic, 1e-9 * last.work);
  EXPECT_EQ(last.viscous, 0);
}

// Ten cycles of shear under a constant normal force. Once the loop is closed, friction takes the work of a cycle, and
// the springs hold as much at the end of a cycle as at its start: what partial slip stores on loading it gives back.
// The work of the mean force over a step is exact up to the curvature of the loop, 1e-3 of it with 400 steps.
TEST(ContactTest, ClosedLoopsLoseTheirWork) {
  for (const double amplitude : {3e-8, 1e-7, 3e-7}) {
    const Scene scene =
        empty_scene(LawKind::mindlin_reversal, {2e9, 0.3, 2500}, {2e9, 0.3, 2500}, {.friction = 0.5}, 1);
    const ContactSetting setting{{1, 0}, {0, 0.01}, true};
    std::vector<ContactPlace> path{place(0, 1e-6, 0)};
    constexpr int steps = 400, cycles = 10;
    const auto go_to = [&](double way) { path.push_back(place(static_cast<double>(path.size()), 1e-6, way)); };
    for (int k = 1; k <= steps / 4; ++k) { go_to(4 * amplitude * k / steps); }
    for (int k = 0; k < cycles * steps; ++k) {
      const int at = k % steps;
      const double back = 4.0 * ((at < steps / 2 ? at : steps - 2 - at) + 1) / steps;
      go_to(amplitude * (1 - back));
    }
    const auto answers = drive(scene, setting, path);
    const auto at_end_of = [&](int cycle) {
      return answers.at(answers.size() - 1 - std::size_t((cycles - cycle) * steps));
    };
    for (int cycle = 3; cycle <= cycles; ++cycle) {
      const ContactAnswer now = at_end_of(cycle), before = at_end_of(cycle - 1);
      const double work = now.work - before.work;
      EXPECT_GT(work, 0);
      EXPECT_NEAR((now.friction - before.friction) / work, 1, 2e-3) << amplitude << " cycle " << cycle;
      EXPECT_NEAR((now.elastic - before.elastic) / work, 0, 2e-3);
    }
    EXPECT_GT(at_end_of(cycles).elastic, 0);
  }
}

// A01, from materials to forces: serial springs K_N and K_T of unequal spheres, and the smaller friction (closed
// forms). Tolerance 1e-12, for friction the ten digits of its value.
TEST(ContactTest, StiffnessAndFrictionOfUnlikeMaterialsA01) {
  Case input;
  input.materials.emplace_back(
      "one",
      Material{
          .density = 2500, .young_modulus = 1e7, .poisson_ratio = 0.3, .friction = std::tan(0.5), .restitution = {}});
  input.materials.emplace_back(
      "two",
      Material{
          .density = 2500, .young_modulus = 3e7, .poisson_ratio = 0.2, .friction = std::tan(0.3), .restitution = {}});
  input.contacts.emplace_back();
  input.contacts.back().law = LawKind::cundall_strack;
  for (const char* name : {"one", "two"}) {
    input.particles.emplace_back();
    input.particles.back().material = name;
  }
  std::vector<InputProblem> problems;
  const ResolvedContacts contacts = resolve_contacts(input, problems);
  ASSERT_TRUE(problems.empty());
  Scene scene;
  scene.precision = Precision::double_;
  scene.law = contacts.law;
  scene.pairs = contacts.pairs;
  for (const auto& material : input.materials) { scene.materials.push_back(material.second); }
  const auto answers =
      drive(scene, {{0, 1}, {0.1, 0.2}, false}, {place(0, 1e-3, 0), place(1, 1e-3, 1e-7), place(2, 1e-3, 1e-2)});
  EXPECT_NEAR(answers[0].force[0] / 1e-3 / 1714285.7142857, 1, 1e-12);
  EXPECT_NEAR(norm(answers[1].shear) / 1e-7 / 480000, 1, 1e-9);  // the branch is tilted by 1e-7 / 0.3
  EXPECT_NEAR(norm(answers[2].shear) / dot(answers[2].force, answers[2].normal) / 0.3093362496, 1, 1e-9);
}

TEST(ContactTest, LoadingCurveOfHertz) {
  // F = 4/3 E* sqrt(R*) u^1.5 during a slow approach, and its energy 2/5 F u. The work by the trapezoidal rule has an
  // error of 1/n^1.5.
  const Scene scene = empty_scene(LawKind::hertz_mindlin, stiff, stiff, {0.3, 0}, 1);
  for (const Precision precision : {Precision::double_, Precision::mixed}) {
    Scene own = scene;
    own.precision = precision;
    const double tolerance = precision == Precision::mixed ? 2e-6 : 1e-12;  // float; the overlap itself is exact
    const ContactSetting setting{{0, 0}, {0.01, 0.015}, false};
    std::vector<ContactPlace> path;
    constexpr int n = 400;
    for (int k = 0; k <= n; ++k) { path.push_back(place(k, 1e-4 * k / n, 0)); }
    const auto answers = drive(own, setting, path);
    const double young = 1e7 / (2 * (1 - 0.09)), radius = 0.006;
    for (int k = 1; k <= n; ++k) {
      const double u = 1e-4 * k / n, force = 4.0 / 3.0 * young * std::sqrt(radius * u) * u;
      const ContactAnswer& a = answers.at(std::size_t(k));
      // Positions round the overlap; in mixed precision the radii are rounded to float, by up to 1e-9 m together.
      const double rounding = precision == Precision::mixed ? 1.5e-9 / u : 1e-10 * n / k;
      EXPECT_NEAR(a.force[0], force, std::max(tolerance, rounding) * force) << k;
      EXPECT_NEAR(a.elastic, 0.4 * force * u, 2 * std::max(tolerance, rounding) * force * u);
    }
    EXPECT_NEAR(answers.back().work, answers.back().elastic, 1e-4 * answers.back().elastic);
  }
}

/// Moves a contact along the path that an engine has computed, and compares the forces.
void expect_same_as_engine(Scene scene, bool wall) {
  auto engine = start(scene);
  ContactSetting setting{{wall ? 1u : 0u, 0}, {scene.particles.radius[0], scene.particles.radius.back()}, wall};
  const auto test = make_contact_test(scene, setting);
  int touched = 0;
  for (int k = 0; k < 400; ++k) {
    // The positions before the next step, with the velocities that led to them.
    const Snapshot now = engine->snapshot();
    engine->advance(1);
    const Reading after = read(*engine, scene.particles.size() - 1);
    ContactMove move;
    move.time_step = scene.time_step;
    for (std::size_t i = 0; i < now.position.size(); ++i) {
      const std::size_t body = wall ? 1 : i;
      move.position[body] = now.position[i];
      move.velocity[body] = now.velocity[i];
      move.spin[body] = now.angular_velocity[i];
    }
    const ContactAnswer answer = test->step(move);
    touched += answer.touching ? 1 : 0;
    const EngineCounts counts = engine->counts();
    ASSERT_EQ(answer.touching ? 1U : 0U, counts.contacts + counts.boundary_contacts) << k;
    for (std::size_t c = 0; c < 3; ++c) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(answer.force[c] + 0.0), std::bit_cast<std::uint64_t>(after.force[c] + 0.0))
          << k;
    }
  }
  EXPECT_GT(touched, 30);
  EXPECT_LT(touched, 350);
}

TEST(ContactTest, ForcesOfTheEngineBitForBit) {
  for (const LawKind law : {LawKind::hertz_mindlin, LawKind::cundall_strack, LawKind::jaeger}) {
    for (const Precision precision : {Precision::double_, Precision::mixed}) {
      Scene pair = empty_scene(law, stiff, stiff, {0.3, 0.1}, 2e-5);
      pair.precision = precision;
      add_sphere(pair, {0, 0, 0}, 0.01, {0.3, 0.05, 0}, {0, 3, 5});
      add_sphere(pair, {0.0251, 0.004, 0.002}, 0.015, {-0.1, 0, 0.1}, {4, -2, 1});
      expect_same_as_engine(pair, false);
      Scene bounce = empty_scene(law, stiff, stiff, {0.3, 0.1}, 2e-5);
      bounce.precision = precision;
      add_plane(bounce, {0, 0, 0}, {1, 0, 0});
      add_sphere(bounce, {0.0102, 0, 0}, 0.01, {-0.2, 0.1, 0.05}, {3, 1, 20});
      expect_same_as_engine(bounce, true);
    }
  }
}

/// Two spheres that a bond may join, with strengths of 2e4 Pa or so in tension.
Scene bonded_pair(BondForm form, double distance, Precision precision) {
  MaterialPair pair{0.3, 0.1};
  pair.bond = {2e4, 1e6, 1.05};
  pair.bond.form = form;
  pair.bond.weibull_modulus = 9;
  Scene scene = empty_scene(LawKind::bonded, stiff, stiff, pair, 2e-5);
  scene.precision = precision;
  scene.seed = 11;
  scene.interaction_range = 1.2;
  add_sphere(scene, {0, 0, 0}, 0.01, {0.3, 0.05, 0}, {0, 3, 5});
  add_sphere(scene, {distance, 0.004, 0.002}, 0.015, {-0.1, 0, 0.1}, {4, -2, 1});
  return scene;
}

// A bond of the start, and one that is made on the way: both press, pull, break, and are not made again.
TEST(ContactTest, BondsOfTheEngineBitForBit) {
  for (const Precision precision : {Precision::double_, Precision::mixed}) {
    expect_same_as_engine(bonded_pair(BondForm::start, 0.0251, precision), false);
    expect_same_as_engine(bonded_pair(BondForm::near, 0.0251, precision), false);
    expect_same_as_engine(bonded_pair(BondForm::near, 0.0268, precision), false);
  }
}

struct GapCase {
  BondForm form;
  NormalStrain strain;
  double damping, rolling;
};

/// A bond over a gap is pressed by half of it and bent, and sheared until it breaks. Then the bodies come into contact,
/// slide, and part.
void expect_balance_without_the_gap(const GapCase& c) {
  constexpr double radius = 0.01, gap = 1e-4, area = pi * radius * radius, length = 2 * radius + gap;
  MaterialPair pair{0.3, 0};
  pair.bond = {1e6, 1e4, 1.05, c.strain};
  pair.bond.form = c.form;
  pair.bond.damping = c.damping;
  pair.rolling = {c.rolling, 0.1, c.rolling, 0.1};
  const Scene scene = empty_scene(LawKind::bonded, stiff, stiff, pair, 1);
  std::vector<ContactPlace> path{{0, {-gap, 0, 0}, {}}};
  double turned = 0, bent = 0;
  const auto go_to = [&](double normal, int steps, double turn, double bend) {
    const double from = path.back().approach[0];
    for (int k = 1; k <= steps; ++k) {
      turned += turn, bent += bend;
      const double time = 1e-3 * static_cast<double>(path.size());
      path.push_back({time, {from + (normal - from) * k / steps, 0, 0}, {Real3{0, 0, turned}, {0, 0, turned + bent}}});
    }
  };
  go_to(-0.5 * gap, 50, 0, c.rolling > 0 ? 1e-6 : 0);
  const std::size_t before_shear = path.size();
  go_to(-0.5 * gap, 200, 4e-5, 0);  // equal spins make the spheres slide
  go_to(0, 20, 0, 0);
  go_to(0.1 * gap, 20, 4e-5, 1e-6);
  go_to(0, 20, 0, 0);
  go_to(-gap, 20, 0, 0);
  const auto answers = drive(scene, {{0, 0}, {radius, radius}, false}, path);
  const bool linear = c.strain == NormalStrain::linear;
  const double stored = 1e7 * area / length * 0.125 * gap * gap;
  if (c.rolling == 0 && linear) { EXPECT_NEAR(answers[before_shear - 1].elastic, stored, 1e-9 * stored); }
  const ContactAnswer& last = answers.back();
  EXPECT_GT(last.breakage, 0.99 * stored);
  EXPECT_GT(last.friction, 0);
  EXPECT_NEAR(last.elastic, 0, 1e-12 * stored);
  for (std::size_t k = 0; k < answers.size(); ++k) {
    const ContactAnswer& a = answers[k];
    ASSERT_NEAR(a.work, a.elastic + a.friction + a.viscous + a.breakage + a.parting, (linear ? 1e-7 : 1e-6) * stored)
        << k << " damping " << c.damping << " rolling " << c.rolling << (linear ? " linear" : " logarithmic");
  }
}

// At the break the energy E A s^2 / (2 d0) of the normal spring is lost, 0.2 mJ. Springs are linear and the normal is
// fixed, so the balance has no error of the step but where overlap and slip change together: a quarter of the changes
// of force and lever arm in a step times the angle that the body turns, 0.05 N x 0.25 um x 40 urad / 4 = 1e-13 J, in 20
// steps. With logarithmic strain the work of a step du has the error K du^3 / (12 d0), 6e-13 J, in 50 steps.
TEST(ContactTest, TheBalanceHoldsWhereABrokenBondLosesItsGap) {
  for (const BondForm form : {BondForm::start, BondForm::near}) {
    for (const NormalStrain strain : {NormalStrain::linear, NormalStrain::logarithmic}) {
      for (const double damping : {0.0, 0.1}) {
        for (const double rolling : {0.0, 0.3}) { expect_balance_without_the_gap({form, strain, damping, rolling}); }
      }
    }
  }
}

// A bond is bent and twisted, and then pulled until it breaks. All that its springs stored is lost by breakage, and
// none by friction. Bodies that turn in opposite directions do not slide, so the springs are those of rolling and
// twisting, K r^2 a^2 / 2 for the angle a, and the normal one. This one stores K s^2 / 2 at the last stretch s of the
// whole bond, and the mean of its force and 0 does work in the step of the break. Stretches of 0.2 um of a length of 2
// cm are exact to 1e-11, and energies to twice that.
TEST(ContactTest, ABondLosesTheEnergyOfBendingByBreakage) {
  constexpr double radius = 0.01, angle = 1e-3, stretch = 2e-7;
  constexpr double stiffness = stiff.young * pi * radius * radius / (2 * radius);
  MaterialPair pair{0.3, 0};
  pair.bond = {100.5 * stretch / (2 * radius) * stiff.young, 1e6};
  pair.rolling = {0.5, 0, 0.2, 0};
  const Scene scene = empty_scene(LawKind::bonded, stiff, stiff, pair, 1);
  std::vector<ContactPlace> path{{0, {0, 0, 0}, {}}};
  for (int k = 1; k <= 50; ++k) {
    const double turned = 0.01 * k * angle;
    path.push_back({1e-3 * k, {0, 0, 0}, {Real3{-turned, 0, -turned}, {turned, 0, turned}}});
  }
  const auto rotations = path.back().rotation;
  for (int k = 51; k <= 160; ++k) { path.push_back({1e-3 * k, {-(k - 50) * stretch, 0, 0}, rotations}); }
  const auto answers = drive(scene, {{0, 0}, {radius, radius}, false}, path);
  const double turning = 0.5 * (0.5 + 0.2) * stiff.poisson * stiffness * radius * radius * angle * angle;
  EXPECT_NEAR(answers[50].elastic / turning, 1, 1e-9);
  EXPECT_EQ(answers[150].breakage, 0);
  const ContactAnswer& last = answers.back();
  EXPECT_NEAR(last.breakage / (turning + 0.5 * stiffness * 100 * 101 * stretch * stretch), 1, 1e-9);
  EXPECT_NEAR(last.breakage / last.work, 1, 1e-9);
  EXPECT_EQ(last.friction, 0);
  EXPECT_EQ(last.elastic, 0);
}

TEST(ContactTest, PathsAreChecked) {
  EXPECT_THROW(static_cast<void>(parse_contact_path("time,depth\n0,0\n1,1\n", "p")), CaseError);
  EXPECT_THROW(static_cast<void>(parse_contact_path("time,normal\n0,0\n0,1\n", "p")), CaseError);
  EXPECT_THROW(static_cast<void>(parse_contact_path("time,normal\n0,0\n1,x\n", "p")), CaseError);
  EXPECT_THROW(static_cast<void>(parse_contact_path("time,normal\n0,0\n", "p")), CaseError);
  const auto path = parse_contact_path("# a comment\nnormal,time,rz2\n1e-5, 0, 0\n2e-5, 0.5, 0.25\n", "p");
  ASSERT_EQ(path.size(), 2u);
  EXPECT_EQ(path[1].approach[0], 2e-5);
  EXPECT_EQ(path[1].rotation[1][2], 0.25);
  const auto moves = contact_moves(path, {{0, 0}, {0.01, 0.01}, false});
  EXPECT_DOUBLE_EQ(moves[1].velocity[1][0], -2e-5);
  EXPECT_DOUBLE_EQ(moves[1].spin[1][2], 0.5);
  EXPECT_DOUBLE_EQ(moves[0].time_step, 0.5);
}

}  // namespace scree::physics::contact_test_test
