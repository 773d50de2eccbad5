#include <gtest/gtest.h>

#include <cmath>

#include "clump_shapes.hpp"
#include "kernels/step/motion/clump_motion.hpp"

// B06, the physical pendulum: a dumbbell turns about its fixed middle, while a constant force of 10 N acts on one of
// its members. Only ClumpMotion runs here; the force is given where a contact would write it.
namespace scree::physics::clump_pendulum_test {

constexpr double radius = 0.05, half_distance = 0.08, density = 2500, force = 10;
double inertia_across() { return dumbbell(radius, half_distance).inertia[1] * density; }

/// A dumbbell with its members and a group that fixes its centre.
template <class Integrator>
class Pendulum {
 public:
  Pendulum(double angle, double step) : step_(step) {
    const ClumpShape shape = dumbbell(radius, half_distance);
    const Vec3d inertia{density * shape.inertia[0], density * shape.inertia[1], density * shape.inertia[2]};
    const auto q = turn({0, 1, 0}, 0.5 * pi - angle);  // member 2 hangs down at angle 0
    const double mass = density * shape.volume;
    clumps_.position.assign({{0, 0, 0}}), clumps_.velocity.assign({{0, 0, 0}}),
        clumps_.angular_velocity.assign({{0, 0, 0}});
    clumps_.orientation.assign({{q[0], q[1], q[2], q[3]}}), clumps_.angular_momentum.assign({{0, 0, 0}}),
        clumps_.inertia.assign({inertia});
    clumps_.mass.assign({mass}), clumps_.size.assign({1}), clumps_.shape.assign({0}), clumps_.first.assign({0}),
        clumps_.id.assign({0});
    start_.assign({0, 2});
    place_.assign({{-half_distance, 0, 0}, {half_distance, 0, 0}});
    body_.assign({0, 1});
    bodies_.place.assign({{{0, 0, 0}, radius}, {{0, 0, 0}, radius}});
    bodies_.speed.assign(std::vector<BodySpeed<double>>(2));
    bodies_.way.assign({{{0, 0, 0}, 10}, {{0, 0, 0}, 10}});
    bodies_.clearance.assign({0, 0}), bodies_.id.assign({0, 1}), bodies_.material.assign({0, 0});
    const Four<double> none = Four<double>::of(0, 0, 0, 0);
    std::vector<MemberWrench<double>> wrench(2);
    wrench[0].store(none, none);
    wrench[1].store(Four<double>::of(0, 0, -force, 0), none);
    wrench_.assign(wrench);
    GroupRule<double> rule{};
    rule.fixed = fixed_translation;
    rules_.assign({rule});
    control_.assign({Control{}});
  }

  void step() {
    const double kick = first_ ? 0.5 * step_ : step_;
    first_ = false;
    const Leapfrog<double> scheme{step_, kick, 0};
    const ClumpMembers members{start_.view(), place_.view(), body_.view()};
    const BodyMotion<double, true, true> motion{
        view(bodies_),
        {},
        scheme,
        {0, 0, 0},
        {},
        control_.data(),
        Grouped<double>{{rules_.view(), {}}, {step_, 1, 0, kick, kick - 0.5 * step_}},
        wrench_.view()};
    ClumpMotion<double, Integrator, true>{view(clumps_), members, wrench_.view(), motion, scheme, {0, 0, 0}, {}}(0);
  }

  [[nodiscard]] double spin() const { return clumps_.angular_velocity.element(0).y; }
  [[nodiscard]] double member_height() const { return bodies_.position().element(1).z; }

 private:
  double step_;
  bool first_ = true;
  Clumps clumps_;
  Buffer<std::uint32_t> start_;
  Buffer<Vec3d> place_;
  Buffer<index_t> body_;
  Bodies<double> bodies_;
  Buffer<MemberWrench<double>> wrench_;
  Buffer<GroupRule<double>> rules_;
  Buffer<Control> control_;
};

/// Time [s] from rest to rest on the other side. There the spin changes its sign; the moment between two steps is
/// interpolated linearly.
template <class Integrator>
double half_period(double angle, double step) {
  Pendulum<Integrator> pendulum(angle, step);
  double before = 0;
  for (int k = 0; k < 100000; ++k) {
    pendulum.step();
    const double spin = pendulum.spin();
    if (k > 2 && spin * before < 0) { return (k - 0.5 + before / (before - spin)) * step; }
    before = spin;
  }
  return 0;
}

/// T = 4 sqrt(I / (F d)) K(sin^2(angle/2)), with the arithmetic-geometric mean.
double period(double angle) {
  double a = 1, b = std::cos(0.5 * angle);
  for (int k = 0; k < 20; ++k) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return 4 * std::sqrt(inertia_across() / (force * half_distance)) * (pi / (2 * a));
}

template <class T>
struct ClumpPendulum : ::testing::Test {};
using Integrators = ::testing::Types<Spiral<double>, Omelyan<double>, Fincham<double>>;
TYPED_TEST_SUITE(ClumpPendulum, Integrators);

// B06: published periods .9796310468, 1.0493211602, 1.3423562361, 2.3851265696 s; 1e-4 at T/2000 as in the catalogue.
TYPED_TEST(ClumpPendulum, B06HasTheRightPeriod) {
  const struct {
    double degrees, period;
  } cases[] = {{10, 0.9796310468}, {60, 1.0493211602}, {120, 1.3423562361}, {170, 2.3851265696}};
  for (const auto& c : cases) {
    const double angle = c.degrees * pi / 180;
    EXPECT_NEAR(period(angle) / c.period, 1, 1e-9);
    EXPECT_NEAR(2 * half_period<TypeParam>(angle, c.period / 2000) / c.period, 1, 1e-4) << c.degrees;
  }
}

// Second order: a step four times as long makes an error sixteen times as large; within 10 % of the exponent.
TYPED_TEST(ClumpPendulum, B06IsOfSecondOrder) {
  const double angle = 2 * pi / 3, exact = period(angle);
  const double coarse = std::abs(2 * half_period<TypeParam>(angle, exact / 100) - exact);
  const double fine = std::abs(2 * half_period<TypeParam>(angle, exact / 400) - exact);
  EXPECT_NEAR(std::log(coarse / fine) / std::log(4.0), 2, 0.2);
}

// After a step of 1 ms from rest, the member is still near its place at the start.
TYPED_TEST(ClumpPendulum, MembersGoWithTheClump) {
  Pendulum<TypeParam> pendulum(1, 1e-3);
  pendulum.step();
  EXPECT_NEAR(pendulum.member_height(), -half_distance * std::cos(1), 1e-5);
}

}  // namespace scree::physics::clump_pendulum_test
