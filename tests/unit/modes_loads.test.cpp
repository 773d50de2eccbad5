#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "host/grains/make_grain.hpp"
#include "host/grains/trilinear.hpp"
#include "host/modes/contact_solver.hpp"
#include "host/modes/energy_fit.hpp"
#include "host/modes/load_cases.hpp"
#include "host/modes/make_modes.hpp"
#include "host/modes/mode_errors.hpp"
#include "host/modes/reduce.hpp"

namespace scree::modes::modes_loads_test {

using Index = Eigen::Index;

const Progress silent = [](const std::string&) {};

GrainShape ball(double radius) { return grains::make_grain(*grains::make_sphere(radius), {1, 0.9}, "ball").shape; }

/// A ball of 6 spacings between six planes, for several tests.
struct SixPlanes {
  static constexpr double radius = 6;
  GrainShape shape = ball(radius);
  ElasticBody body{shape, 0.3};
  LoadCase load = press_with_planes(body, shape, "xyz", 8, 0.2 * radius, silent);
};
const SixPlanes& six_planes() {
  static const SixPlanes planes;
  return planes;
}

/// Indentation over R, sum of the six forces over E R^2 and energy over E R^3 of a sphere with Poisson's ratio 0.3
/// between six planes: independent finite elements of an eighth of the sphere with 270 000 unknowns.
constexpr std::array<std::array<double, 3>, 4> fine = {{{0.06055, 0.19310182, 0.0043392604},
                                                        {0.10807, 0.54787853, 0.021209706},
                                                        {0.15199, 1.0520396, 0.055676466},
                                                        {0.2, 1.8206399, 0.1236894}}};

TEST(PressedGrain, HasTheForcesOfFineFiniteElements) {
  const double r = SixPlanes::radius;
  const std::array<double, 4> tolerance = {0.11, 0.07, 0.05, 0.03};  // the contacts are few spacings wide
  for (std::size_t k = 0; k < fine.size(); ++k) {
    const auto state = six_planes().load.planes->press(fine[k][0] * r);
    EXPECT_NEAR(state.force / (r * r) / fine[k][1], 1, tolerance[k]) << fine[k][0];
    EXPECT_NEAR(state.energy / (r * r * r) / fine[k][2], 1, 1.5 * tolerance[k]) << fine[k][0];
    EXPECT_GE(state.touching, 6U);
  }
}

TEST(PressedGrain, TheWorkOfThePlanesIsTheElasticEnergy) {
  const PressedGrain& planes = *six_planes().load.planes;
  constexpr int steps = 40;
  double work = 0, last = 0;
  for (int k = 1; k <= steps; ++k) {
    const double force = planes.press(1.2 * k / steps).force;
    work += 0.5 * (force + last) * 1.2 / steps;
    last = force;
  }
  EXPECT_NEAR(work / planes.press(1.2).energy, 1, 0.004);
}

// Finding of the method: the energy of eight snapshots is quadratic, yet the force between planes follows the curve of
// all unknowns, as the contact grows.
TEST(PressedGrain, EightModesWithAQuadraticEnergyFollowTheCurve) {
  const auto& [shape, body, load] = six_planes();
  const Matrix modes = energy_orthogonal(body, proper_modes(body, load.displacement, 8).mode);
  const Matrix stiffness = modes.transpose() * (body.stiffness() * modes);
  for (const double part : {0.014, 0.023, 0.0365, 0.06, 0.1, 0.13, 0.16, 0.19}) {
    const double depth = part * SixPlanes::radius;
    const double exact = load.planes->press(depth).force;
    EXPECT_NEAR(load.planes->press_reduced(modes, stiffness, depth).force / exact, 1, 0.04) << part;
  }
  const Matrix one = load.displacement.rightCols(1);
  const Matrix its_stiffness = one.transpose() * (body.stiffness() * one);
  EXPECT_GT(load.planes->press_reduced(one, its_stiffness, 0.1).force, 2 * load.planes->press(0.1).force);
}

TEST(PressedGrain, ModesAreOrthogonalInMassAndStiffnessAndToRigidMotion) {
  const auto& [shape, body, load] = six_planes();
  const Matrix modes = energy_orthogonal(body, proper_modes(body, load.displacement, 6).mode);
  ASSERT_EQ(modes.cols(), 6);
  const Matrix mass = modes.transpose() * (body.mass() * modes);
  EXPECT_LT((mass - Matrix::Identity(6, 6)).cwiseAbs().maxCoeff(), 1e-10);
  Matrix stiffness = modes.transpose() * (body.stiffness() * modes);
  EXPECT_TRUE((stiffness.diagonal().array().tail(5) >= stiffness.diagonal().array().head(5)).all());
  const double largest = stiffness.maxCoeff();
  stiffness.diagonal().setZero();
  EXPECT_LT(stiffness.cwiseAbs().maxCoeff(), 1e-10 * largest);
  EXPECT_LT((body.rigid().transpose() * (body.mass() * modes)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(SnapshotModes, OfTwoPlanesFollowLevelsThatWereNoSnapshots) {
  ModesChoice choice;
  choice.planes = {"x"};
  choice.largest = 0.2;
  const GrainShape shape = ball(4);
  const MadeModes made = make_modes(shape, choice, silent);
  EXPECT_LE(made.modes.count, 8U);
  EXPECT_TRUE(made.modes.table.empty());
  const std::string& last = made.report.back();
  EXPECT_EQ(last.find("2 planes along x, levels between those of the snapshots: at the last one displacements off by "),
            0U)
      << last;
  for (const double value : made.modes.largest) EXPECT_GT(value, 0);
  EXPECT_FALSE(grains::fault_of_modes([&] {
    GrainShape with_modes = shape;
    with_modes.modes = made.modes;
    return with_modes;
  }()));
}

TEST(SnapshotModes, ASingleOneHasTheTableOfItsForce) {
  ModesChoice choice;
  choice.planes = {"xyz"};
  choice.keep = 1;
  choice.levels = 12;
  choice.largest = 0.2;
  const GrainShape shape = ball(6);
  const GrainModes modes = make_modes(shape, choice, silent).modes;
  ASSERT_EQ(modes.count, 1U);
  ASSERT_EQ(modes.table.size(), 12U);
  // The amplitude is the displacement of the node that moves most, which stands beside the pole.
  const double per_depth = modes.table.back().amplitude / (0.2 * shape.equivalent_radius);
  EXPECT_NEAR(per_depth, 1, 0.02);
  EXPECT_NEAR(modes.largest[0] * 1.1, modes.table.back().amplitude, 1e-12);
  const double at = 0.15199 * 6 * per_depth;
  const double force = table_force(modes.table, at) * per_depth, energy = table_energy(modes.table, at);
  EXPECT_NEAR(force / 36 / fine[2][1], 1, 0.06);
  EXPECT_NEAR(energy / 216 / fine[2][2], 1, 0.08);
  // The quadratic energy of the whole field is that of the last snapshot.
  const double end = modes.table.back().amplitude;
  EXPECT_NEAR(0.5 * modes.stiffness[0] * end * end / table_energy(modes.table, end), 1, 0.02);
}

TEST(SnapshotModes, OfPointForcesAreSymmetricAboutTheirLine) {
  const auto& [shape, body, load] = six_planes();
  const LoadCase points = press_at_points(body, shape, {0, 0, 2}, 0.5);
  ASSERT_EQ(points.displacement.cols(), 1);
  for (const double sign : {-1.0, 1.0}) {
    const auto at = shape_functions(body.cells(), in_spacings(shape, {0, 0, sign * 6}));
    ASSERT_TRUE(at.has_value());
    double inward = 0;
    for (std::size_t c = 0; c < 8; ++c) inward -= sign * at->weight[c] * points.displacement(3 * at->point[c] + 2, 0);
    EXPECT_NEAR(inward, 0.5, 0.01);
  }
  EXPECT_NEAR(points.energy[0], 0.25 * points.force[0], 1e-12);
}

// Values on the grid continue the grain: at nodes they interpolate to those of the mesh, and they go on behind it.
TEST(ModeFields, ReachBeyondTheSurface) {
  ModesChoice choice;
  choice.planes = {"xyz"};
  choice.keep = 2;
  choice.levels = 4;
  const GrainShape shape = ball(5);
  const GrainModes modes = make_modes(shape, choice, silent).modes;
  const grains::Grid grid = grains::grid_of(shape);
  for (std::size_t a = 0; a < modes.count; ++a) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::vector<float> part;
      part.reserve(shape.points());
      for (std::size_t at = 0; at < shape.points(); ++at) part.push_back(modes.field[a * shape.points() + at][axis]);
      for (std::size_t k = 0; k < shape.node.size(); k += 7) {
        const double at_node = modes.at_node[a * shape.node.size() + k][axis];
        EXPECT_NEAR(grains::trilinear<float>(grid, part, shape.node[k])->value, at_node, 0.02);
        Real3 outside = shape.node[k];
        for (std::size_t j = 0; j < 3; ++j) outside[j] += 2 * shape.node_normal[k][j];
        EXPECT_NEAR(grains::trilinear<float>(grid, part, outside)->value, at_node, 0.35);
      }
      for (const float value : part) EXPECT_LT(std::fabs(value), 2.5F);
    }
  }
}

// More nodes than unknowns of the elements touch. The force between the planes does not depend on them, except that
// more of them come nearer to the tops of the grain.
TEST(PressedGrain, MayHaveManyNodesInEachCell) {
  const auto force_with = [](double node_spacing, double depth, std::size_t& touching) {
    const GrainShape shape = grains::make_grain(*grains::make_sphere(4), {1, node_spacing}, "ball").shape;
    const ElasticBody body(shape, 0.3);
    const auto state = PressedGrain(body, shape, {0, 1, 2}, 0.8, silent).press(depth);
    touching = state.touching;
    EXPECT_NEAR(state.energy / (0.5 * depth * state.force), 0.8, 0.12);  // of Hertz's law: 4 / 5
    return state.force;
  };
  for (const double depth : {0.4, 0.8}) {
    std::size_t few = 0, many = 0;
    const double expected = force_with(0.7, depth, few);
    EXPECT_NEAR(force_with(0.35, depth, many) / expected, 1, 0.03 / depth) << depth;
    EXPECT_GT(many, few);
  }
}

/// A symmetric matrix of a rank, not negative.
Matrix matrix_of_rank(Index n, Index rank) {
  Matrix root(n, rank);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < rank; ++j) root(i, j) = std::sin(static_cast<double>(3 * i * i + 7 * j + i * j));
  }
  return root * root.transpose();
}

TEST(ContactSolver, FindsForcesThatPushOnlyWhereTheyTouch) {
  const Index n = 40;
  Vector right(n);
  for (Index k = 0; k < n; ++k) right[k] = std::cos(static_cast<double>(5 * k * k));
  for (const Index rank : {40, 15}) {
    const Matrix matrix = matrix_of_rank(n, rank);
    const Vector force = solve_contact(matrix, 1e-3, {Matrix(n, 0)}, right);
    const Vector gap = matrix * force + 1e-3 * force - right;
    EXPECT_GE(force.minCoeff(), 0);
    EXPECT_GT(gap.minCoeff(), -1e-8);
    EXPECT_LT(force.cwiseProduct(gap).cwiseAbs().maxCoeff(), 1e-7 * force.maxCoeff());
    EXPECT_EQ(solve_contact(matrix, 1e-3, {Matrix(n, 0)}, -right.cwiseAbs()), Vector(Vector::Zero(n)));
  }
}

// A body that shifts freely: forces from both sides balance, however soft the springs are that hold it.
TEST(ContactSolver, ForcesBalanceInLooseMotions) {
  const Index n = 30;
  const Matrix matrix = matrix_of_rank(n, 10);
  Matrix motion(n, 1);
  for (Index k = 0; k < n; ++k) motion(k, 0) = k % 2 == 0 ? 1 : -1;
  const Vector right = Vector::LinSpaced(n, -0.2, 1);
  for (const double compliance : {1e4, 1e10}) {
    const Vector force = solve_contact(matrix, 1e-5, {motion, compliance}, right);
    const double shift = compliance * motion.col(0).dot(force);
    EXPECT_LT(std::fabs(motion.col(0).dot(force)), 1e-3 * force.sum() * 1e4 / compliance);
    if (compliance > 1e5) continue;  // the shift cannot be told from the forces so well
    const Vector gap = matrix * force + 1e-5 * force + shift * motion.col(0) - right;
    EXPECT_GT(gap.minCoeff(), -1e-6);
    EXPECT_LT(force.cwiseProduct(gap).cwiseAbs().maxCoeff(), 1e-5 * force.maxCoeff());
  }
}

TEST(EnergyFit, ATableOfForcesHasTheirWorkAsEnergy) {
  std::vector<EnergySample> samples;
  for (int k = 1; k <= 20; ++k) {
    const double e = 0.01 * k;
    samples.push_back({Vector::Constant(1, e), 0.4 * std::pow(e, 2.5), {}});  // a contact of Hertz
  }
  const auto from_energies = fit_table(samples);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const double e = samples[k].amplitude[0];
    EXPECT_NEAR(from_energies[k].force / std::pow(e, 1.5), 1, 1e-9);
    samples[k].force = Vector::Constant(1, std::pow(e, 1.5));
  }
  const auto table = fit_table(samples);
  EXPECT_NEAR(table_force(table, 0.105) / std::pow(0.105, 1.5), 1, 2e-3);
  EXPECT_NEAR(table_energy(table, 0.2) / (0.4 * std::pow(0.2, 2.5)), 1, 3e-3);
  EXPECT_NEAR(table_force(table, 0.21) - table_force(table, 0.2), table_force(table, 0.2) - table_force(table, 0.19),
              1e-12);
  const double d = 1e-6;
  EXPECT_NEAR((table_energy(table, 0.133 + d) - table_energy(table, 0.133 - d)) / (2 * d), table_force(table, 0.133),
              1e-9);
}

TEST(EnergyFit, QuarticTermsAreFoundAgain) {
  const Matrix stiffness = (Matrix(2, 2) << 2, 0.1, 0.1, 3).finished();
  const std::vector<ModeTerm> terms = {{5, {0, 0, 0, 0}}, {7, {0, 0, 1, 1}}};
  std::vector<EnergySample> samples;
  for (int k = 0; k < 12; ++k) {
    const Vector e = Eigen::Vector2d(std::sin(k + 1.0), std::cos(2.0 * k));
    Vector force = stiffness * e;
    force[0] += 20 * std::pow(e[0], 3) + 14 * e[0] * e[1] * e[1];
    force[1] += 14 * e[0] * e[0] * e[1];
    samples.push_back({e, energy_of(stiffness, terms, e), force});
  }
  const auto found = fit_terms(stiffness, samples);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].mode, terms[0].mode);
  EXPECT_EQ(found[1].mode, terms[1].mode);
  EXPECT_NEAR(found[0].coefficient, 5, 1e-4);
  EXPECT_NEAR(found[1].coefficient, 7, 1e-4);
  for (EnergySample& sample : samples) {
    sample.energy -= 2 * (energy_of(stiffness, terms, sample.amplitude) - energy_of(stiffness, {}, sample.amplitude));
  }
  for (EnergySample& sample : samples) sample.force.resize(0);
  EXPECT_TRUE(fit_terms(stiffness, samples).empty());  // an energy without a bound is not made
}

}  // namespace scree::modes::modes_loads_test
