#include "host/modes/given/field_integrals.hpp"

namespace scree::modes {
namespace {

using Index = Eigen::Index;

/// [3 x 6] The displacements at a place by unit shifts and rotations about the origin.
Matrix motions_at(const Real3& x) {
  Matrix all = Matrix::Zero(3, 6);
  for (Index axis = 0; axis < 3; ++axis) {
    const Index next = (axis + 1) % 3, last = (axis + 2) % 3;
    all(axis, axis) = 1;
    all(last, 3 + axis) = x[static_cast<std::size_t>(next)];
    all(next, 3 + axis) = -x[static_cast<std::size_t>(last)];
  }
  return all;
}

Matrix moduli(double nu) {
  const double shear = 0.5 / (1 + nu), lame = nu / ((1 + nu) * (1 - 2 * nu));
  Matrix all = Matrix::Zero(6, 6);
  all.topLeftCorner(3, 3).setConstant(lame);
  for (Index k = 0; k < 3; ++k) {
    all(k, k) += 2 * shear;
    all(3 + k, 3 + k) = shear;
  }
  return all;
}

}  // namespace

RigidPart rigid_part(const GivenField& field) {
  const auto n = static_cast<Index>(field.count());
  Matrix mass = Matrix::Zero(6, 6), shared = Matrix::Zero(6, n);
  field.for_each_sample([&](const GivenField::Sample& sample) {
    const Matrix motions = motions_at(sample.place);
    mass += sample.weight * motions.transpose() * motions;
    shared += sample.weight * motions.transpose() * sample.displacement;
  });
  RigidPart part;
  part.motion = mass.ldlt().solve(shared);
  part.mass = shared.transpose() * part.motion;
  return part;
}

ModeMatrices integrals(const GivenField& field, double poisson_ratio) {
  const auto n = static_cast<Index>(field.count());
  const Matrix elasticity = moduli(poisson_ratio);
  ModeMatrices all{Matrix::Zero(n, n), Matrix::Zero(n, n)};
  field.for_each_sample([&](const GivenField::Sample& sample) {
    all.mass += sample.weight * sample.displacement.transpose() * sample.displacement;
    all.stiffness += sample.weight * sample.strain.transpose() * (elasticity * sample.strain);
  });
  return all;
}

}  // namespace scree::modes
