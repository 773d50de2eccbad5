#include "host/modes/given/modes_of_file.hpp"

#include <algorithm>
#include <cmath>

#include "host/geometry/real3.hpp"
#include "host/grains/make_grain.hpp"
#include "host/modes/given/field_integrals.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::modes {
namespace {

using Index = Eigen::Index;

[[noreturn]] void refuse(const GivenChoice& choice, const std::string& why) {
  throw CaseError(choice.file.string(), why);
}

std::unique_ptr<GivenField> field_of(const GrainShape& shape, const GivenChoice& choice, const GivenModes& given) {
  const FileFrame frame =
      choice.in_body_frame ? FileFrame{} : FileFrame{.center = shape.center, .to_file = shape.to_source};
  std::vector<Real3> displacement;
  displacement.reserve(given.displacement.size());
  for (const Real3& u : given.displacement) displacement.push_back(frame.direction_in_body(u));
  if (given.lattice) {
    Lattice lattice = *given.lattice;
    lattice.origin = geometry::scaled(lattice.origin, choice.scale);
    lattice.spacing = geometry::scaled(lattice.spacing, choice.scale);
    return field_on_lattice(shape, frame, lattice, given.count, std::move(displacement));
  }
  geometry::VolumeMesh mesh = given.mesh;
  for (Real3& point : mesh.points) point = frame.in_body(geometry::scaled(point, choice.scale));
  try {
    return field_on_mesh(shape, std::move(mesh), given.count, std::move(displacement));
  } catch (const CaseError& error) { refuse(choice, error.problems().front().message); }
}

/// The blends at the nodes. Throws CaseError (path: the file) if a node lies more than one spacing outside.
std::vector<Blend> blends_of_nodes(const GrainShape& shape, const GivenChoice& choice, const GivenField& field) {
  std::vector<Blend> blends;
  std::size_t worst = 0;
  for (const Real3& node : shape.node) {
    blends.push_back(field.at(node));
    if (blends.back().outside > blends[worst].outside) worst = blends.size() - 1;
  }
  const double away = blends[worst].outside;
  if (!(away <= shape.spacing)) {
    refuse(choice, "does not cover the grain: a node of it lies " + short_number_text(away, 3) + " m outside of " +
                       field.description() + ", at most one spacing of the grid, " + number_text(shape.spacing) +
                       " m, is allowed; are its frame and its --scale those of the grain?");
  }
  return blends;
}

Matrix square_of(const std::vector<double>& numbers, std::size_t n) {
  Matrix all(n, n);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) all(static_cast<Index>(a), static_cast<Index>(b)) = numbers[a * n + b];
  }
  return all;
}

/// The squared angular frequencies for density and Young's modulus 1. Throws CaseError (path: the file) if modes are
/// only rigid-body motion, depend on each other, or have a stiffness that is not positive.
Vector eigenvalues(const GivenChoice& choice, const ModeMatrices& of, const Vector& mass_before) {
  constexpr double least_part = 1e-9, least_angle = 1e-8;
  for (Index a = 0; a < of.mass.rows(); ++a) {
    if (!(of.mass(a, a) > least_part * mass_before[a])) {
      refuse(choice, "its mode " + std::to_string(a) + " is only a motion of a rigid body");
    }
  }
  const Vector size = of.mass.diagonal().cwiseSqrt();
  const Matrix unit = size.cwiseInverse().asDiagonal() * of.mass * size.cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> angles(unit);
  if (!(angles.eigenvalues()[0] > least_angle)) refuse(choice, "its modes are not independent of each other");
  const Matrix stiffness = size.cwiseInverse().asDiagonal() * of.stiffness * size.cwiseInverse().asDiagonal();
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(stiffness, unit);
  Vector values = solver.eigenvalues();
  if (!(values[0] > 1e-12 * values[values.size() - 1])) {
    refuse(choice, "the stiffness of its modes is not positive: some sum of them costs no energy");
  }
  return values;
}

void fill(const GrainShape& shape, const GivenChoice& choice, const std::vector<Blend>& nodes, const GivenField& field,
          GrainModes& modes) {
  const grains::Grid grid = grains::grid_of(shape);
  modes.field.resize(modes.count * shape.points());
  grains::for_each_point(grid, 0, [&](std::size_t at, std::size_t i, std::size_t j, std::size_t k) {
    const Blend blend = field.at(grid.place(i, j, k));
    if (!std::isfinite(blend.outside)) refuse(choice, "has cells so distorted that a point of the grid is in none");
    for (std::size_t mode = 0; mode < modes.count; ++mode) {
      const Real3 u = field.displacement(mode, blend);
      for (std::size_t c = 0; c < 3; ++c) modes.field[mode * shape.points() + at][c] = static_cast<float>(u[c]);
    }
  });
  modes.at_node.clear();
  for (std::size_t mode = 0; mode < modes.count; ++mode) {
    for (const Blend& node : nodes) modes.at_node.push_back(field.displacement(mode, node));
  }
}

/// Scales each mode such that the largest displacement of a node is 1.
void scale_to_nodes(const GivenChoice& choice, const std::vector<Blend>& nodes, GivenField& field, ModeMatrices& of) {
  for (std::size_t mode = 0; mode < field.count(); ++mode) {
    double most = 0;
    for (const Blend& node : nodes) most = std::max(most, geometry::length(field.displacement(mode, node)));
    if (!(most > 0)) refuse(choice, "its mode " + std::to_string(mode) + " moves no node of the grain");
    field.scale(mode, 1 / most);
    const auto a = static_cast<Index>(mode);
    for (Matrix* matrix : {&of.mass, &of.stiffness}) {
      matrix->row(a) /= most;
      matrix->col(a) /= most;
    }
  }
}

void append(const Matrix& matrix, std::vector<double>& numbers) {
  for (Index a = 0; a < matrix.rows(); ++a) {
    for (Index b = 0; b < matrix.cols(); ++b) numbers.push_back(0.5 * (matrix(a, b) + matrix(b, a)));
  }
}

}  // namespace

MadeModes modes_of_file(const GrainShape& shape, const ModesChoice& choice, const Progress& progress) {
  constexpr double worst_volume = 0.2, noted_motion = 1e-6;
  progress("reading " + choice.given.file.string());
  const GivenModes given = read_given_modes(choice.given.file);
  const std::unique_ptr<GivenField> field = field_of(shape, choice.given, given);
  const std::vector<Blend> nodes = blends_of_nodes(shape, choice.given, *field);
  if (!(std::fabs(field->volume() / shape.volume - 1) <= worst_volume)) {
    refuse(choice.given, "is not the body of the grain: it is " + field->description());
  }
  progress("integrals over the grain");
  const RigidPart rigid = rigid_part(*field);
  field->subtract_motions(rigid.motion);
  ModeMatrices of = integrals(*field, choice.poisson_ratio);
  Vector with_motion = of.mass.diagonal() + rigid.mass.diagonal();
  const double scale = choice.given.scale;
  if (!given.mass.empty()) {
    of.mass = scale * scale * scale * square_of(given.mass, given.count);
    with_motion = of.mass.diagonal();
    of.mass -= rigid.mass;
  }
  if (!given.stiffness.empty()) of.stiffness = scale * square_of(given.stiffness, given.count);
  const Vector values = eigenvalues(choice.given, of, with_motion);
  scale_to_nodes(choice.given, nodes, *field, of);

  MadeModes made;
  GrainModes& modes = made.modes;
  modes.count = given.count;
  modes.poisson_ratio = choice.poisson_ratio;
  modes.largest.assign(modes.count, 0);
  modes.source = std::to_string(modes.count) + " of the file " + choice.given.file.filename().string();
  append(of.mass, modes.mass);
  append(of.stiffness, modes.stiffness);
  fill(shape, choice.given, nodes, *field, modes);

  made.report.push_back(counted(modes.count, "mode on ", "modes on ") + field->description());
  if (!given.name.empty()) made.report.push_back("modes: " + quoted_list(given.name));
  if (!given.mass.empty()) made.report.push_back("the mass is that of the file");
  if (!given.stiffness.empty()) made.report.push_back("the stiffness is that of the file");
  const double motion = rigid.mass.diagonal().cwiseQuotient(with_motion).maxCoeff();
  if (motion > noted_motion) {
    made.report.push_back("rigid motion, up to " + short_number_text(100 * motion, 3) +
                          " % of the mass of a mode, is taken out");
  }
  std::string line = "angular frequencies times equivalent radius times sqrt(density / Young's modulus):";
  for (const double value : values) line += " " + short_number_text(std::sqrt(value) * shape.equivalent_radius, 4);
  made.report.push_back(line);
  return made;
}

}  // namespace scree::modes
