#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "host/grains/make_grain.hpp"

namespace scree::grains {
namespace {

constexpr double largest_value = 1e30;
constexpr std::size_t highest_degree = 8;  ///< largest number of modes in a term of the energy

bool is_finite(double value) { return std::fabs(value) <= largest_value; }

template <class Rows>
bool are_finite(const Rows& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const auto& row) {
    return std::all_of(row.begin(), row.end(), [](auto value) { return is_finite(static_cast<double>(value)); });
  });
}

std::optional<std::string> fault_of_counts(const GrainShape& shape) {
  const GrainModes& modes = shape.modes;
  const std::size_t n = modes.count;
  const auto rows = [](const char* what, std::size_t have, std::size_t need) {
    return "modes." + std::string(what) + " has " + std::to_string(have) + " rows instead of " + std::to_string(need);
  };
  if (n > most_modes) return "there are " + std::to_string(n) + " modes, at most " + std::to_string(most_modes);
  if (modes.field.size() != n * shape.points()) return rows("field", modes.field.size(), n * shape.points());
  if (modes.at_node.size() != n * shape.node.size()) {
    return rows("at_node", modes.at_node.size(), n * shape.node.size());
  }
  if (modes.mass.size() != n * n) return rows("mass", modes.mass.size(), n * n);
  if (modes.stiffness.size() != n * n) return rows("stiffness", modes.stiffness.size(), n * n);
  if (modes.largest.size() != n) return rows("largest", modes.largest.size(), n);
  return std::nullopt;
}

bool is_symmetric(std::span<const double> matrix, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double value = matrix[i * n + j], scale = std::sqrt(std::fabs(matrix[i * n + i] * matrix[j * n + j]));
      if (!is_finite(value) || !(std::fabs(value - matrix[j * n + i]) <= 1e-9 * scale)) return false;
    }
  }
  return true;
}

/// Whether a Cholesky factorisation succeeds and no pivot loses more than 12 digits.
bool is_positive_definite(std::vector<double> matrix, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    const double first = matrix[k * n + k];
    double pivot = first;
    for (std::size_t j = 0; j < k; ++j) pivot -= matrix[k * n + j] * matrix[k * n + j];
    if (!(first > 0) || !(pivot > 1e-12 * first)) return false;
    matrix[k * n + k] = std::sqrt(pivot);
    for (std::size_t i = k + 1; i < n; ++i) {
      for (std::size_t j = 0; j < k; ++j) matrix[i * n + k] -= matrix[i * n + j] * matrix[k * n + j];
      matrix[i * n + k] /= matrix[k * n + k];
    }
  }
  return true;
}

std::optional<std::string> fault_of_energy(const GrainModes& modes) {
  if (!modes.table.empty() && modes.count != 1) return "only a single mode has a table of its force";
  double before = 0;
  for (const ModeKnot& knot : modes.table) {
    if (!(knot.amplitude > before) || !is_finite(knot.amplitude) || !(knot.force >= 0) || !is_finite(knot.force)) {
      return "the table of a mode has finite forces of at least 0, and amplitudes that ascend from above 0";
    }
    before = knot.amplitude;
  }
  for (const ModeTerm& term : modes.terms) {
    if (!is_finite(term.coefficient) || term.mode.size() < 3 || term.mode.size() > highest_degree ||
        !std::is_sorted(term.mode.begin(), term.mode.end()) || term.mode.back() >= modes.count) {
      return "a term of the energy of modes has a finite coefficient and three to eight modes in ascending order";
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> fault_of_modes(const GrainShape& shape) {
  const GrainModes& modes = shape.modes;
  if (auto fault = fault_of_counts(shape)) return fault;
  if (!are_finite(modes.field) || !are_finite(modes.at_node)) return "the displacements of the modes must be finite";
  if (!is_symmetric(modes.mass, modes.count) || !is_positive_definite(modes.mass, modes.count)) {
    return "the mass of the modes must be symmetric and positive definite";
  }
  if (!is_symmetric(modes.stiffness, modes.count)) return "the stiffness of the modes must be symmetric";
  for (const double value : modes.largest) {
    if (!(value >= 0) || !is_finite(value)) return "the largest amplitudes must be finite and at least 0";
  }
  if (!(modes.poisson_ratio > -1 && modes.poisson_ratio < 0.5)) {
    return "Poisson's ratio of the modes must be above -1 and below 0.5";
  }
  return fault_of_energy(modes);
}

}  // namespace scree::grains
