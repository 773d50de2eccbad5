#include "host/modes/mode_errors.hpp"

#include <algorithm>
#include <cmath>

#include "host/modes/energy_fit.hpp"
#include "host/text/text.hpp"

namespace scree::modes {
namespace {

using Index = Eigen::Index;

Vector lengths(const Vector& displacement) {
  return Eigen::Map<const Eigen::Matrix<double, 3, Eigen::Dynamic>>(displacement.data(), 3, displacement.size() / 3)
      .colwise()
      .norm()
      .transpose();
}

std::string percent(double value) { return short_number_text(100 * value, 2) + " %"; }

}  // namespace

Matrix amplitudes(const ElasticBody& body, const Matrix& modes, const Matrix& displacements) {
  const Matrix momentum = body.mass() * modes;
  const Matrix mass = modes.transpose() * momentum;
  return mass.llt().solve(momentum.transpose() * displacements);
}

std::vector<LevelError> errors_between(const ElasticBody& body, const LoadCase& load, const Matrix& modes,
                                       const GrainModes& made, double spacing) {
  const Matrix stiffness = modes.transpose() * (body.stiffness() * modes);
  std::vector<LevelError> errors;
  for (std::size_t k = 0; k + 1 < static_cast<std::size_t>(load.depth.size()); ++k) {
    LevelError error;
    error.depth = depth_between(load, k);
    const PressedGrain::State state = load.planes->press(error.depth);
    if (state.touching == 0) continue;  // the planes do not reach the first node
    const Vector amplitude = amplitudes(body, modes, state.displacement);
    const Vector off = lengths(state.displacement - modes * amplitude);
    const double most = lengths(state.displacement).maxCoeff();
    error.largest = off.maxCoeff() / most;
    error.rms = std::sqrt(off.squaredNorm() / static_cast<double>(off.size())) / most;
    if (made.table.empty()) {
      error.energy = energy_of(stiffness, {}, amplitude) / state.energy - 1;
      error.force = load.planes->press_reduced(modes, stiffness, error.depth).force / state.force - 1;
    } else {
      const double unit = made.table.back().amplitude / (load.depth[load.depth.size() - 1] * spacing);
      const double at = error.depth * unit * spacing;
      error.energy = table_energy(made.table, at) / (state.energy * spacing * spacing * spacing) - 1;
      error.force = table_force(made.table, at) * unit / (state.force * spacing * spacing) - 1;
    }
    errors.push_back(error);
  }
  return errors;
}

void report_errors(const ElasticBody& body, const LoadCase& load, const Matrix& modes, const GrainModes& made,
                   double spacing, std::vector<std::string>& report) {
  const std::vector<LevelError> errors = errors_between(body, load, modes, made, spacing);
  if (errors.empty()) return;
  LevelError worst;
  for (const LevelError& error : errors) {
    worst.rms = std::max(worst.rms, error.rms);
    worst.largest = std::max(worst.largest, error.largest);
    worst.energy = std::max(worst.energy, std::fabs(error.energy));
    worst.force = std::max(worst.force, std::fabs(error.force));
  }
  const std::string source = made.table.empty() ? "" : " of the table";
  const auto text = [&](const LevelError& error) {
    return "displacements off by " + percent(error.rms) + " (root mean square) and " + percent(error.largest) +
           " (largest) of the largest one there, energy" + source + " by " + percent(std::fabs(error.energy)) +
           ", force between the planes" + source + " by " + percent(std::fabs(error.force));
  };
  report.push_back(load.name + ", levels between those of the snapshots: at the last one " + text(errors.back()) +
                   "; at the worst of " + std::to_string(errors.size()) + " " + text(worst));
}

}  // namespace scree::modes
