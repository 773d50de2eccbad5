#include <cmath>

#include <gtest/gtest.h>

#include "case_errors.hpp"
#include "host/grains/make_grain.hpp"
#include "host/modes/make_modes.hpp"
#include "host/modes/vibration.hpp"

namespace scree::modes::modes_vibration_test {

using Index = Eigen::Index;

GrainShape ball(double radius, double spacing = 1) {
  return grains::make_grain(*grains::make_sphere(radius), {spacing, 0.9}, "ball").shape;
}

const Progress silent = [](const std::string&) {};

// Closed forms of a free elastic sphere with Poisson's ratio 1/4 (Lamb 1882): w R / c_s = 2.50113 of the torsional
// modes l = 2, 2.63987 of the spheroidal ones, five of each; w R / c_p = 2.56343 of the breathing mode, which is the
// 28th, behind 3 of l = 1 and twice 7 of l = 3.
TEST(Vibration, OfAFreeSphereHasTheFrequenciesOfTheClosedForm) {
  const double nu = 0.25, radius = 6;
  const ElasticBody body(ball(radius), nu);
  const Vibrations found = find_vibrations(body, 28, 40, "ball", silent);
  ASSERT_GE(found.eigenvalue.size(), 28);
  const auto over_shear = [&](Index k) { return std::sqrt(found.eigenvalue[k] * 2 * (1 + nu)) * radius; };
  for (Index k = 0; k < 5; ++k) EXPECT_NEAR(over_shear(k) / 2.50113, 1, 0.006) << k;
  for (Index k = 5; k < 10; ++k) EXPECT_NEAR(over_shear(k) / 2.63987, 1, 0.008) << k;
  EXPECT_GT(over_shear(10), 3.3);
  EXPECT_NEAR(over_shear(27) / std::sqrt(3.0) / 2.56343, 1, 0.006);
  const Matrix& z = found.mode;
  const Matrix masses = z.transpose() * (body.mass() * z);
  EXPECT_LT((masses - Matrix::Identity(z.cols(), z.cols())).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((body.rigid().transpose() * (body.mass() * z)).cwiseAbs().maxCoeff(), 1e-12);
  for (Index k = 0; k < z.cols(); ++k) {
    const Vector rest = body.stiffness() * z.col(k) - found.eigenvalue[k] * (body.mass() * z.col(k));
    EXPECT_LT(rest.norm(), 1e-7 * (body.stiffness() * z.col(k)).norm()) << k;
  }
}

TEST(Vibration, GroupsOfEqualFrequenciesStayWhole) {
  Vector eigenvalue(8);
  eigenvalue << 1, 1.01, 1.02, 2, 2.02, 2.05, 2.08, 3;  // 2 to 2.08 in steps of less than 2 % in frequency
  EXPECT_EQ(whole_groups(eigenvalue, 1), std::optional<std::size_t>(3));
  EXPECT_EQ(whole_groups(eigenvalue, 3), std::optional<std::size_t>(3));
  EXPECT_EQ(whole_groups(eigenvalue, 4), std::optional<std::size_t>(7));
  EXPECT_EQ(whole_groups(eigenvalue, 7), std::optional<std::size_t>(7));
  EXPECT_FALSE(whole_groups(eigenvalue, 8).has_value());
}

// The five modes l = 2 of a sphere turn into each other. On the grid they are groups of two and three with frequencies
// that differ by less than 1 %, so a count of 2 would keep two of five.
TEST(Vibration, OfASphereIsNeverCutThroughItsFiveModes) {
  const GrainShape shape = ball(4);
  const ElasticBody body(shape, 0.25);
  for (const std::size_t asked : {1U, 2U, 4U, 5U}) {
    EXPECT_EQ(find_vibrations(body, asked, 32, "ball", silent).mode.cols(), 5) << asked;
  }
  EXPECT_EQ(find_vibrations(body, 6, 32, "ball", silent).mode.cols(), 10);
  EXPECT_IN("ball: the modes beyond number 7 form a group of equal frequencies that ends after number 9",
            test::error_of([&] { (void)find_vibrations(body, 7, 9, "ball", silent); }));
  ModesChoice choice;
  choice.vibrations = 2;
  choice.poisson_ratio = 0.25;
  const MadeModes made = make_modes(shape, choice, silent);
  EXPECT_EQ(made.modes.count, 5U);
  EXPECT_IN("5 modes are kept, 2 were asked for", made.report.at(1));
}

// The modes l = 2 span a space that has no direction: of a turned displacement of the kind (x, -y, 0) they hold as much
// as of the one that is not turned.
TEST(Vibration, TheFiveModesOfASphereAnswerAlikeInAllDirections) {
  const GrainShape shape = ball(5);
  const ElasticBody body(shape, 0.25);
  const Vibrations found = find_vibrations(body, 10, 32, "ball", silent);
  const auto share = [&](double angle, std::size_t members) {
    Vector pull(body.unknowns());
    const double c = std::cos(2 * angle), s = std::sin(2 * angle);
    for (std::size_t point = 0; point < body.cells().points(); ++point) {
      const Real3 place = body.cells().place(body.cells().point[point]);
      const double x = place[0] + shape.origin[0], z = place[2] + shape.origin[2];
      pull.segment<3>(static_cast<Index>(3 * point)) = Eigen::Vector3d(c * x + s * z, 0, s * x - c * z);
    }
    const Matrix modes = found.mode.middleCols(5, static_cast<Index>(members));
    return (modes.transpose() * (body.mass() * pull)).squaredNorm() / pull.dot(body.mass() * pull);
  };
  EXPECT_NEAR(share(0, 5), share(0.4, 5), 0.01);
  EXPECT_GT(share(0.4, 5), 0.9);
  const double two_along = share(0, 2), two_across = share(std::acos(-1.0) / 4, 2);
  EXPECT_GT(std::fabs(two_along - two_across), 0.5);  // half a group prefers a direction
}

TEST(Vibration, ModesScaleWithTheSizeOfATemplate) {
  ModesChoice choice;
  choice.vibrations = 5;
  const GrainShape shape = ball(4e-3, 1e-3);
  const GrainModes modes = make_modes(shape, choice, silent).modes, large = make_modes(ball(4), choice, silent).modes;
  ASSERT_EQ(modes.count, large.count);
  for (std::size_t a = 0; a < modes.count; ++a) {
    const std::size_t diagonal = a * (modes.count + 1);
    const double square = modes.stiffness[diagonal] / modes.mass[diagonal];
    EXPECT_NEAR(square * 1e-6 / (large.stiffness[diagonal] / large.mass[diagonal]), 1, 1e-6);
    double most = 0;
    for (std::size_t k = 0; k < shape.node.size(); ++k) {
      const Real3& value = modes.at_node[a * shape.node.size() + k];
      most = std::max(most, std::sqrt(value[0] * value[0] + value[1] * value[1] + value[2] * value[2]));
    }
    EXPECT_NEAR(most, 1, 1e-12);
  }
}

}  // namespace scree::modes::modes_vibration_test
