#include <Eigen/Dense>

#include "eigen_matrix.hpp"
#include "icosphere.hpp"
#include "modes_kit.hpp"

// The ways in which contacts find the level set of a deformed grain (FieldUpdate), against the distance from an
// ellipsoid, and the bits of runs with them. Lengths are spacings of the grid.
namespace scree::inline SCREE_BACKEND::field_updates_test {

using physics::add_clump;
using physics::turn;
using FieldUpdates = BackendTest;
using Mat = Eigen::Matrix3d;
using Vec = Eigen::Vector3d;

constexpr double radius = 10, small = 4;
constexpr double most[2] = {-1.2, 0.8};  ///< amplitudes at the end

/// Signed distance of x from the sphere that F has deformed. The nearest point is (1 + t S^-1)^-1 x with S = F F^T, and
/// t such that it lies on the surface.
double distance_from_ellipsoid(const Mat& f, const Vec& x) {
  const Eigen::SelfAdjointEigenSolver<Mat> axes(f * f.transpose());
  const Vec own = axes.eigenvectors().transpose() * x, squares = radius * radius * axes.eigenvalues();
  const auto level = [&](double t) {
    double sum = -1;
    for (int k = 0; k < 3; ++k) { sum += own[k] * own[k] * squares[k] / ((squares[k] + t) * (squares[k] + t)); }
    return sum;
  };
  double low = -0.9 * squares.minCoeff(), high = 10 * squares.maxCoeff();
  for (int k = 0; k < 200; ++k) { (level(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high); }
  Vec nearest;
  for (int k = 0; k < 3; ++k) { nearest[k] = own[k] * squares[k] / (squares[k] + low); }
  const bool inside = (own.array().square() / squares.array()).sum() < 1;
  return (inside ? -1 : 1) * (own - nearest).norm();
}

/// The ball with a compression along z and a shear, which nothing stops.
GrainShape soft_sphere(double of_radius = radius, int level = 4) {
  GrainShape shape = sphere_of(of_radius, level);
  set_modes(shape, {homogeneous(unit_strains()[1], of_radius), homogeneous(unit_strains()[2], of_radius)}, {1e12, 1e12},
            {0, 0});
  shape.modes.absolute = true;
  return shape;
}

struct Errors {
  double largest = 0, mean = 0;
  std::size_t nodes = 0;
};

/// Depths of the nodes of small balls in the field of a large one, which is deformed in 200 steps, less the depths in
/// the ellipsoid that it becomes.
Errors errors_of(FieldUpdate update, std::optional<std::uint64_t> levels = {}, Precision precision = Precision::mixed) {
  constexpr int steps = 200;
  Scene scene = glass_scene(precision, LawKind::linear_spring_dashpot);
  scene.grain_contacts.field_update = update;
  scene.grain_contacts.field_levels = levels;
  scene.keeps_node_forces = true;
  scene.verlet_distance = 0.5;
  scene.time_step = 1e-3;
  scene.groups.resize(2);
  scene.groups[1].fixed = fixed_translation | fixed_rotation;
  add_soft_shape(scene, soft_sphere());
  add_grain_shape(scene, sphere_of(small, 3));
  const auto q = turn({1, 2, 3}, 0.7);
  add_clump(scene, 0, {}, {}, {}, q);
  const double time = scene.time_step * steps;
  scene.particles.clumps[0].amplitude_rate = {most[0] / time, most[1] / time};
  Mat strain = Mat::Zero();
  for (int a = 0; a < 2; ++a) { strain += most[a] / radius * matrix(unit_strains()[std::size_t(a) + 1]); }
  const Mat f = Mat::Identity() + strain;
  const Mat turned = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  // Small balls in directions far from each other, 0.4 deep.
  for (const Vec& along :
       {Vec{1, 0.1, 0}, Vec{-1, 0.2, 0.1}, Vec{0, 1, 0.2}, Vec{0.1, -1, 0}, Vec{0, 0.2, 1}, Vec{0.2, 0, -1}}) {
    double low = radius, high = 3 * radius;
    const Vec direction = along.normalized();
    for (int k = 0; k < 100; ++k) {
      const double middle = 0.5 * (low + high);
      (distance_from_ellipsoid(f, middle * direction) < small - 0.4 ? low : high) = middle;
    }
    const Vec x = turned * (low * direction);
    add_clump(scene, 1, {x[0], x[1], x[2]}, {}, {}, turn({1, -1, 0.3}, x[0]));
  }
  scene.particles.group.assign(7, 1);
  const auto engine = make_backend_engine(scene);
  engine->advance(steps + 1);  // the contacts of the last step are those of the amplitudes at its beginning
  Errors errors;
  for (const TouchingNode& node : engine->touching_nodes()) {
    const Real3 &p = node.point, &n = node.normal;
    const Vec middle(p[0], p[1], p[2]), normal(n[0], n[1], n[2]);
    const Vec place = turned.transpose() * (middle + (node.of_first ? 0.5 : -0.5) * node.overlap * normal);
    const double error = node.overlap + distance_from_ellipsoid(f, place);
    errors.largest = std::max(errors.largest, std::abs(error));
    errors.mean += error;
    ++errors.nodes;
  }
  errors.mean /= double(std::max<std::size_t>(errors.nodes, 1));
  return errors;
}

// Affine modes are exact on the grid, so the remap has the errors of trilinear interpolation alone, less than
// h^2 / 8R (1/60); corners keep its mean, h^2 / 12 times 2/R (1/60). Precomputed fields miss the product of the two
// deformations and are linear between levels: amplitudes are 0.8 and 0.5 of the largest with one level. The bounds are
// a fifth above what was found.
TEST_F(FieldUpdates, AllKnowTheDepthInAnEllipsoid) {
  struct Case {
    const char* name;
    FieldUpdate update;
    std::optional<std::uint64_t> levels;
    double largest, mean;
  };
  for (const Case& of : {Case{"remap", FieldUpdate::remap, {}, 0.017, 0.001},
                         Case{"corners", FieldUpdate::remap_corners, {}, 0.038, 0.015},
                         Case{"recompute", FieldUpdate::recompute, {}, 0.019, 0.002},
                         Case{"advect", FieldUpdate::advect, {}, 0.034, 0.018},
                         Case{"precomputed 1", FieldUpdate::precomputed, 1, 0.12, 0.06},
                         Case{"precomputed 2", FieldUpdate::precomputed, {}, 0.034, 0.006},
                         Case{"precomputed 4", FieldUpdate::precomputed, 4, 0.035, 0.002}}) {
    for (const Precision precision : {Precision::mixed, Precision::double_}) {
      if (of.update == FieldUpdate::recompute && precision == Precision::mixed) { continue; }  // takes long
      const Errors errors = errors_of(of.update, of.levels, precision);
      EXPECT_GT(errors.nodes, 100U) << of.name;
      EXPECT_LT(errors.largest, of.largest) << of.name;
      EXPECT_LT(std::abs(errors.mean), of.mean) << of.name;
    }
  }
}

/// [N] Force between a large ball, which has modes but is not deformed or is rigid, and a small one.
double force_at_rest(std::optional<FieldUpdate> update, double depth) {
  constexpr double large = 6, other = 4;
  Scene scene = glass_scene(Precision::double_, LawKind::linear_spring_dashpot);
  scene.grain_contacts.field_update = update.value_or(FieldUpdate::remap);
  scene.pairs[0].springs.from_moduli = false;
  scene.pairs[0].springs.stiffness = 1e3;
  scene.verlet_distance = 0.5;
  scene.time_step = 1e-6;
  scene.groups.resize(2);
  scene.groups[1].fixed = fixed_translation | fixed_rotation;
  if (update) {
    add_soft_shape(scene, soft_sphere(large, 3));
  } else {
    add_grain_shape(scene, sphere_of(large, 3));
  }
  add_grain_shape(scene, sphere_of(other, 4));
  add_clump(scene, 0, {});
  // The small ball is the slave, with nodes 0.28 apart: in a direction without symmetry some 25 of them touch.
  const double apart = (large + other - depth) / std::sqrt(14.0);
  add_clump(scene, 1, {apart, 2 * apart, 3 * apart}, {}, {}, turn({1, -1, 0.3}, 0.4));
  scene.particles.group.assign(2, 1);
  const auto engine = make_backend_engine(scene);
  engine->advance(1);
  double square = 0;
  for (const TouchingContact& contact : engine->touching_contacts()) {
    for (const double f : contact.force) { square += f * f; }
  }
  return std::sqrt(square);
}

// A grain that has modes and is not deformed is the rigid one. The force goes with the square of the depth, so an error
// of the bias, h^2 / 6R = 0.028, would change it by more than a half. The distance at a point of the grid is found
// again to some 1e-4 h. Depths of grains with modes are divided by the length of the gradient: interpolated between
// normals that differ by h/R, it is up to h^2 / 4R^2 = 0.7 % short in the middle of a cell.
TEST_F(FieldUpdates, AllMeetTheRigidGrainWithoutDeformation) {
  constexpr double depth = 0.1;
  const double rigid = force_at_rest({}, depth);
  EXPECT_GT(rigid, 0);
  for (const FieldUpdate update : {FieldUpdate::remap, FieldUpdate::remap_corners, FieldUpdate::recompute,
                                   FieldUpdate::advect, FieldUpdate::precomputed}) {
    EXPECT_NEAR(force_at_rest(update, depth) / rigid, 1, 0.014) << int(update);
  }
}

/// Soft balls that fall on each other and on a floor.
Scene pile(FieldUpdate update, Precision precision, double verlet) {
  Scene scene = glass_scene(precision, LawKind::linear_spring_dashpot);
  scene.grain_contacts.field_update = update;
  scene.pairs[0].springs.from_moduli = false;
  scene.pairs[0].springs.stiffness = 2e7;
  scene.pairs[0].springs.shear_stiffness = 1e7;
  scene.verlet_distance = verlet;
  scene.gravity = {0, 0, -10};
  scene.time_step = 2e-4;
  GrainShape ball = sphere_of(4, 3);
  set_strain_modes(ball, 4, 2);
  ball.modes.damping.ratio = 0.1;
  add_soft_shape(scene, ball);
  add_grain_shape(scene, sphere_of(3, 3));
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  add_clump(scene, 0, {0, 0, 3.9}, {0, 0, -8}, {1, 0, 0});
  add_clump(scene, 0, {1, 0.5, 11.6}, {0, 0, -60}, {0, 1, 0}, turn({1, 0, 1}, 0.4));
  add_clump(scene, 1, {-5.5, -1, 6}, {25, 0, -8}, {}, turn({1, 0, 1}, 1.4));
  add_clump(scene, 0, {8, 1, 6}, {-20, 0, -8}, {}, turn({1, 1, 1}, 0.9));
  return scene;
}

class FieldUpdateBits : public BackendTest, public ::testing::WithParamInterface<std::tuple<FieldUpdate, Precision>> {};

TEST_P(FieldUpdateBits, AreTheSameWithAnyListsThreadsAndAfterARestart) {
  const auto [update, precision] = GetParam();
  const Scene scene = pile(update, precision, 0.8), other = pile(update, precision, 0.2);
  const auto whole = make_backend_engine(scene, 1), lists = make_backend_engine(other, 2);
  whole->advance(131);
  lists->advance(131);
  EXPECT_GT(whole->counts().contacts, 1u);
  EXPECT_TRUE(lists->hash() == whole->hash());
  const auto resumed = make_backend_engine(other);
  resumed->restore(whole->save());
  EXPECT_TRUE(resumed->hash() == whole->hash());
  whole->advance(60);
  resumed->advance(60);
  lists->advance(60);
  EXPECT_TRUE(lists->hash() == whole->hash());
  EXPECT_TRUE(resumed->hash() == whole->hash());
  EXPECT_TRUE(resumed->save() == whole->save());
  double deformed = 0;
  for (const SnapshotClump& c : whole->snapshot().clumps) {
    for (const double e : c.amplitude) { deformed = std::max(deformed, std::abs(e)); }
  }
  EXPECT_GT(deformed, 0.02) << "grains deform";
}

INSTANTIATE_TEST_SUITE_P(Updates, FieldUpdateBits,
                         ::testing::Combine(::testing::Values(FieldUpdate::remap_corners, FieldUpdate::recompute,
                                                              FieldUpdate::advect, FieldUpdate::precomputed),
                                            ::testing::Values(Precision::mixed, Precision::double_)));

// Distances from triangles need them.
TEST_F(FieldUpdates, AShapeWithoutTrianglesIsRefusedWhereTheyAreNeeded) {
  for (const FieldUpdate update : {FieldUpdate::recompute, FieldUpdate::precomputed}) {
    Scene scene = pile(update, Precision::mixed, 0.2);
    scene.grain_shapes[0].triangle.clear();
    EXPECT_THROW(static_cast<void>(make_backend_engine(scene)), ContractError);
  }
}

}  // namespace scree::inline SCREE_BACKEND::field_updates_test
