#include "host/modes/energy_fit.hpp"

#include <algorithm>
#include <cmath>

#include "host/modes/contact_solver.hpp"

namespace scree::modes {
namespace {

using Index = Eigen::Index;

/// The force dU/de from energies alone: the energy is taken as a power of the amplitude between the neighbours.
double force_from_energies(const std::vector<EnergySample>& samples, std::size_t k) {
  const EnergySample& here = samples[k];
  const EnergySample& before = samples[k > 0 ? k - 1 : k];
  const EnergySample& behind = samples[std::min(k + 1, samples.size() - 1)];
  double exponent = 2;
  if (before.amplitude[0] < behind.amplitude[0]) {
    exponent = std::log(behind.energy / before.energy) / std::log(behind.amplitude[0] / before.amplitude[0]);
  }
  return exponent * here.energy / here.amplitude[0];
}

/// The term c_ab e_a^2 e_b^2 with c_ab = 1, and its derivatives.
double value_of(const Vector& e, Index a, Index b) { return e[a] * e[a] * e[b] * e[b]; }
double slope_of(const Vector& e, Index a, Index b, Index by) {
  double slope = 0;
  if (by == a) slope += 2 * e[a] * e[b] * e[b];
  if (by == b) slope += 2 * e[b] * e[a] * e[a];
  return slope;
}

double largest_of(const std::vector<EnergySample>& samples, bool of_force) {
  double largest = 0;
  for (const EnergySample& sample : samples) {
    const double value = of_force ? (sample.force.size() > 0 ? sample.force.cwiseAbs().maxCoeff() : 0) : sample.energy;
    largest = std::max(largest, std::fabs(value));
  }
  return largest > 0 ? largest : 1;
}

}  // namespace

std::vector<ModeKnot> fit_table(const std::vector<EnergySample>& samples) {
  std::vector<ModeKnot> table;
  table.reserve(samples.size());
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const double force = samples[k].force.size() > 0 ? samples[k].force[0] : force_from_energies(samples, k);
    table.push_back({samples[k].amplitude[0], force});
  }
  return table;
}

double table_force(const std::vector<ModeKnot>& table, double amplitude) {
  ModeKnot before;
  for (std::size_t k = 0; k < table.size(); ++k) {
    if (amplitude <= table[k].amplitude || k + 1 == table.size()) {
      const double slope = (table[k].force - before.force) / (table[k].amplitude - before.amplitude);
      return before.force + slope * (amplitude - before.amplitude);
    }
    before = table[k];
  }
  return 0;
}

double table_energy(const std::vector<ModeKnot>& table, double amplitude) {
  double energy = 0;
  ModeKnot before;
  for (std::size_t k = 0; k < table.size(); ++k) {
    const double end = k + 1 == table.size() ? amplitude : std::min(amplitude, table[k].amplitude);
    energy += 0.5 * (before.force + table_force(table, end)) * (end - before.amplitude);
    if (amplitude <= table[k].amplitude) break;
    before = table[k];
  }
  return energy;
}

std::vector<ModeTerm> fit_terms(const Matrix& stiffness, const std::vector<EnergySample>& samples) {
  const Index n = stiffness.rows(), terms = n * (n + 1) / 2;
  const double energy_unit = largest_of(samples, false), force_unit = largest_of(samples, true);
  const auto most_rows = static_cast<Index>(samples.size()) * (1 + n);
  Matrix rows = Matrix::Zero(most_rows, terms);
  Vector right = Vector::Zero(most_rows);
  Index row = 0;
  for (const EnergySample& sample : samples) {
    const Vector& e = sample.amplitude;
    const Vector quadratic = stiffness * e;
    for (Index by = -1; by < (sample.force.size() > 0 ? n : 0); ++by) {  // -1: the energy
      Index column = 0;
      const double unit = by < 0 ? energy_unit : force_unit;
      for (Index a = 0; a < n; ++a) {
        for (Index b = a; b < n; ++b) {
          rows(row, column++) = (by < 0 ? value_of(e, a, b) : slope_of(e, a, b, by)) / unit;
        }
      }
      right[row++] = (by < 0 ? sample.energy - 0.5 * e.dot(quadratic) : sample.force[by] - quadratic[by]) / unit;
    }
  }
  const Vector coefficient = least_squares_above_zero(rows, right);
  const Vector share = rows.cwiseAbs().colwise().maxCoeff().transpose().cwiseProduct(coefficient);
  constexpr double least_share = 1e-6;  // of the largest energy or force
  std::vector<ModeTerm> found;
  Index column = 0;
  for (Index a = 0; a < n; ++a) {
    for (Index b = a; b < n; ++b, ++column) {
      if (!(share[column] > least_share)) continue;
      const auto first = static_cast<std::uint32_t>(a), second = static_cast<std::uint32_t>(b);
      found.push_back({coefficient[column], {first, first, second, second}});
    }
  }
  return found;
}

double energy_of(const Matrix& stiffness, const std::vector<ModeTerm>& terms, const Vector& amplitude) {
  double energy = 0.5 * amplitude.dot(stiffness * amplitude);
  for (const ModeTerm& term : terms) {
    double product = term.coefficient;
    for (const auto mode : term.mode) product *= amplitude[static_cast<Index>(mode)];
    energy += product;
  }
  return energy;
}

Vector least_squares_above_zero(const Matrix& rows, const Vector& right) {
  // The conditions of this minimum are those of a contact with the compliance A^T A.
  constexpr double least_skin = 1e-8;
  const Vector scale = rows.colwise().norm().transpose().cwiseMax(1e-300);
  const Matrix scaled = rows * scale.cwiseInverse().asDiagonal();
  const Matrix normal = scaled.transpose() * scaled;
  const Vector pull = scaled.transpose() * right;
  if (!(pull.cwiseAbs().maxCoeff() > 0)) return Vector::Zero(rows.cols());
  return solve_contact(normal, least_skin, {Matrix(rows.cols(), 0)}, pull).cwiseQuotient(scale);
}

}  // namespace scree::modes
