#include <cmath>

#include <gtest/gtest.h>

#include "case_errors.hpp"
#include "host/grains/implicit_solid.hpp"
#include "host/grains/make_grain.hpp"
#include "host/modes/elastic_body.hpp"
#include "host/modes/hexahedron.hpp"

namespace scree::modes::modes_elements_test {

using Index = Eigen::Index;

GrainShape ball(double radius) { return grains::make_grain(*grains::make_sphere(radius), {1, 0.9}, "ball").shape; }

/// Displacements G X of the points of a mesh, in its body frame [spacings].
Vector affine(const ElasticBody& body, const GrainShape& shape, const Eigen::Matrix3d& gradient) {
  Vector all(body.unknowns());
  for (std::size_t point = 0; point < body.cells().points(); ++point) {
    const Real3 place = body.cells().place(body.cells().point[point]);
    Eigen::Vector3d at;
    for (Index axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<std::size_t>(axis);
      at[axis] = place[k] + shape.origin[k] / shape.spacing;
    }
    all.segment<3>(static_cast<Index>(3 * point)) = gradient * at;
  }
  return all;
}

Eigen::Matrix3d strain(int i, int j) {
  Eigen::Matrix3d gradient = Eigen::Matrix3d::Zero();
  gradient(i, j) = gradient(j, i) = 1;
  return gradient;
}

/// Twice the energy of a homogeneous strain for a volume and Young's modulus of 1.
double twice_energy(const Eigen::Matrix3d& gradient, double nu) {
  const double shear = 0.5 / (1 + nu), lame = nu / ((1 + nu) * (1 - 2 * nu));
  return lame * gradient.trace() * gradient.trace() + 2 * shear * gradient.squaredNorm();
}

// A patch test: any homogeneous strain has its energy, and no force acts on a point inside.
TEST(FiniteElements, HomogeneousStrainsAreExact) {
  const GrainShape shape = ball(4);
  for (const double nu : {0.0, 0.25, 0.47}) {  // the last one with averaged dilatation
    const ElasticBody body(shape, nu);
    double volume = 0;
    for (const double part : body.cells().fraction) volume += part;
    for (const auto& [i, j] : {std::pair(0, 0), {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}}) {
      const Eigen::Matrix3d gradient = strain(i, j);
      const Vector u = affine(body, shape, gradient), force = body.stiffness() * u;
      EXPECT_NEAR(u.dot(force) / (volume * twice_energy(gradient, nu)), 1, 1e-12) << nu << " " << i << j;
      for (std::size_t point = 0; point < body.cells().points(); ++point) {
        const Real3 place = body.cells().place(body.cells().point[point]);
        double squares = 0;
        for (std::size_t k = 0; k < 3; ++k) squares += std::pow(place[k] + shape.origin[k], 2);
        if (squares < 1.9 * 1.9) { EXPECT_LT(force.segment<3>(static_cast<Index>(3 * point)).norm(), 1e-12); }
      }
    }
  }
}

// Closed forms of a ball with R = 1, density 1 and Young's modulus 1: integrals of X^2 = 4 pi/15, volume 4 pi/3.
TEST(FiniteElements, HomogeneousStrainsOfABallHaveTheMassAndStiffnessOfClosedForms) {
  const double radius = 6, nu = 0.3, pi = std::acos(-1.0);
  const GrainShape shape = ball(radius);
  const ElasticBody body(shape, nu);
  const double second = 4 * pi / 15 * std::pow(radius, 5), volume = 4 * pi / 3 * std::pow(radius, 3);
  const Vector xx = affine(body, shape, strain(0, 0)), yy = affine(body, shape, strain(1, 1));
  const Vector xy = affine(body, shape, strain(0, 1)), all = affine(body, shape, Eigen::Matrix3d::Identity());
  EXPECT_NEAR(xx.dot(body.mass() * xx) / second, 1, 1e-3);
  EXPECT_NEAR(xy.dot(body.mass() * xy) / (2 * second), 1, 1e-3);
  EXPECT_NEAR(all.dot(body.mass() * all) / (3 * second), 1, 1e-3);
  const double lame = nu / ((1 + nu) * (1 - 2 * nu)), shear = 0.5 / (1 + nu);
  EXPECT_NEAR(xx.dot(body.stiffness() * xx) / (volume * (lame + 2 * shear)), 1, 1e-4);
  EXPECT_NEAR(xx.dot(body.stiffness() * yy) / (volume * lame), 1, 1e-4);
  EXPECT_NEAR(xy.dot(body.stiffness() * xy) / (volume * 4 * shear), 1, 1e-4);
  EXPECT_NEAR(all.dot(body.stiffness() * all) / (volume * 3 / (1 - 2 * nu)), 1, 1e-4);
}

TEST(FiniteElements, RigidMotionsHaveTheMassOfTheGrainAndNoEnergy) {
  const auto solid = grains::make_superellipsoid({6, 5, 4}, 1, 1);
  const GrainShape shape = grains::make_grain(*solid, {1, 0.9}, "ellipsoid").shape;
  const ElasticBody body(shape, 0.3);
  const Matrix& rigid = body.rigid();
  EXPECT_LT((rigid.transpose() * body.mass() * rigid - Matrix::Identity(6, 6)).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((body.stiffness() * rigid).cwiseAbs().maxCoeff(), 1e-13);
  Eigen::Matrix3d turn = Eigen::Matrix3d::Zero();
  turn(0, 1) = 1;
  turn(1, 0) = -1;
  const Vector about_z = affine(body, shape, turn);
  EXPECT_NEAR(about_z.dot(body.mass() * about_z) / shape.inertia[2], 1, 2e-3);
}

TEST(FiniteElements, AFreeBodyIsInEquilibriumWithItsLoadsAndItsInertia) {
  const ElasticBody body(ball(4), 0.3);
  Matrix load = Matrix::Zero(body.unknowns(), 2);
  load(7, 0) = 1;
  load.col(1).setLinSpaced(-1, 1);
  const Matrix u = body.solve(load);
  const Matrix balanced = load - body.mass() * (body.rigid() * (body.rigid().transpose() * load));
  EXPECT_LT((body.stiffness() * u - balanced).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((body.rigid().transpose() * body.mass() * u).cwiseAbs().maxCoeff(), 1e-12 * u.cwiseAbs().maxCoeff());
}

TEST(FiniteElements, ShapeFunctionsGiveLinearFieldsAlsoJustOutside) {
  const GrainShape shape = ball(4);
  const CutCells cells = cut_cells(shape);
  for (const Real3& node : shape.node) {
    const Real3 place = in_spacings(shape, node);
    const auto at = shape_functions(cells, place);
    ASSERT_TRUE(at.has_value());
    Real3 sum{};
    for (std::size_t c = 0; c < 8; ++c) {
      const Real3 corner = cells.place(cells.point[static_cast<std::size_t>(at->point[c])]);
      for (std::size_t axis = 0; axis < 3; ++axis) sum[axis] += at->weight[c] * corner[axis];
    }
    for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(sum[axis], place[axis], 1e-12);
  }
  EXPECT_FALSE(shape_functions(cells, {0, 0, 0}).has_value());
  EXPECT_FALSE(shape_functions(cells, {-1, 5, 5}).has_value());
}

TEST(FiniteElements, RefuseGrainsInPiecesAndMeshesThatAreTooLarge) {
  GrainShape shape = ball(4);
  const auto middle = static_cast<std::size_t>(shape.size[0] / 2);
  for (std::size_t k = 0; k < shape.size[2]; ++k) {
    for (std::size_t j = 0; j < shape.size[1]; ++j) {
      for (const std::size_t i : {middle, middle + 1}) { shape.phi[(k * shape.size[1] + j) * shape.size[0] + i] = 1; }
    }
  }
  EXPECT_IN("ball: the grain falls into 2 pieces", test::error_of([&] { ElasticBody(shape, 0.3); }));
  EXPECT_IN("ball: the mesh is too large", test::error_of([] { ElasticBody(ball(33), 0.3); }));
}

}  // namespace scree::modes::modes_elements_test
