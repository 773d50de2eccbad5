#include <array>
#include <cstring>
#include <vector>

#include "host/clumps/orientation.hpp"
#include "host/geometry/real3.hpp"
#include "host/start/start_from.hpp"
#include "host/storage/state_arrays.hpp"
#include "scree/errors.hpp"

// Clumps of the checkpoint. Their shapes are the shapes of the case with the same names.
namespace scree {
namespace {

std::array<double, 4> quaternion_of(const std::vector<double>& values, std::size_t row) {
  return {values[4 * row], values[4 * row + 1], values[4 * row + 2], values[4 * row + 3]};
}

/// The angular velocity [rad/s] of the mean flow in the last step; 0 without a cell.
Real3 old_mean_spin(const EngineState& state) {
  if (state.find("cell/gradient") == nullptr) return {};
  const auto g = numbers<double>(state, "cell/gradient", 9);
  if (g.size() != 9) throw StateError("the array cell/gradient must have one row");
  return {0.5 * (g[7] - g[5]), 0.5 * (g[2] - g[6]), 0.5 * (g[3] - g[1])};
}

/// Amplitudes and rates of the modes of all clumps. The number of columns is that of the shape with the most modes.
struct ModeRows {
  std::size_t columns = 0;              ///< 0: no grain deforms
  std::vector<double> amplitude, rate;  ///< [n_clumps * columns]

  /// Throws StateError if the lengths of the arrays are wrong.
  ModeRows(const EngineState& state, std::size_t n_clumps) {
    const StateArray* const modes = state.find("modes/amplitude");
    if (modes == nullptr) return;
    columns = modes->columns;
    amplitude = numbers<double>(*modes, columns);
    rate = numbers<double>(state, "modes/rate", columns);
    if (amplitude.size() != columns * n_clumps || rate.size() != columns * n_clumps) {
      throw StateError("the arrays of modes and of clumps differ in length");
    }
  }
  /// The values of clump c, from `amplitude` or `rate`.
  [[nodiscard]] std::vector<double> of(const std::vector<double>& all, std::size_t c) const {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(c * columns);
    return {begin, begin + static_cast<std::ptrdiff_t>(columns)};
  }
};

}  // namespace

/// Finds the members of clumps and the clumps, with the indices of their shapes in the case. As for particles, the
/// angular velocity of a clump is relative to the mean flow.
void StartPoint::take_clumps(const Case& input) {
  const EngineState& state = checkpoint_.state;
  const StateArray* ids = state.find("clumps/id");
  member_.assign(particles_.size(), false);
  if (ids == nullptr || ids->rows() == 0) return;
  const auto inverse_inertia = numbers<double>(state, "bodies/inverse_inertia");
  if (inverse_inertia.size() != array_of(state, "bodies/id").rows()) {
    throw StateError("the arrays of bodies differ in length");
  }
  for (std::size_t i = 0; i < row_.size(); ++i) member_[i] = inverse_inertia[row_[i]] == 0;
  const auto shape = numbers<std::uint32_t>(state, "clumps/shape");
  const auto first = numbers<std::uint32_t>(state, "clumps/first_member");
  const auto size = numbers<double>(state, "clumps/size");
  const auto position = numbers<double>(state, "clumps/position", 3);
  const auto velocity = numbers<double>(state, "clumps/velocity", 3);
  const auto spin = numbers<double>(state, "clumps/angular_velocity", 3);
  const auto orientation = numbers<double>(state, "clumps/orientation", 4);
  const std::size_t n = ids->rows();
  if (shape.size() != n || first.size() != n || position.size() != 3 * n || velocity.size() != 3 * n ||
      spin.size() != 3 * n || size.size() != n || orientation.size() != 4 * n) {
    throw StateError("the arrays of clumps differ in length");
  }
  const Real3 mean = old_mean_spin(state);
  const ModeRows modes(state, n);
  for (std::size_t c = 0; c < n; ++c) {
    const std::uint32_t first_now = new_id(first[c], "clumps");
    if (first_now == gone) throw StateError("a clump has no members");
    Clump clump;
    clump.shape = shape_called(input, shape[c]);
    clump.first = first_now;
    clump.size = size[c];
    clump.position = row_of(position, c);
    clump.orientation = quaternion_of(orientation, c);
    clump.velocity = row_of(velocity, c);
    clump.angular_velocity = geometry::subtract(row_of(spin, c), mean);
    clump.amplitude = modes.of(modes.amplitude, c);
    clump.amplitude_rate = modes.of(modes.rate, c);
    if (c > 0 && clump.first <= particles_.clumps.back().first) {
      throw StateError("clumps are not in the order of their members");
    }
    particles_.clumps.push_back(clump);
  }
}

/// Restores the values of clumps that a set of particles does not keep to the last bit, and the angular momentum if it
/// is the state of the integrator. Imposed motions are those of the case.
void StartPoint::put_clumps(const Scene& scene, EngineState& state) const {
  if (particles_.clumps.empty()) return;
  const EngineState& from = checkpoint_.state;
  const auto replace_first = [](StateArray& array, const void* values, std::size_t size) {
    if (array.bytes.size() < size) throw StateError("the array " + array.name + " is too short");
    std::memcpy(array.bytes.data(), values, size);
  };
  const StateArray& orientation = array_of(from, "clumps/orientation");
  replace_first(mutable_array(state, "clumps/orientation"), orientation.bytes.data(), orientation.bytes.size());
  // The angular momentum of another integrator may belong to another time.
  if (!keeps_momentum(scene.integration.rotation) || scene.integration.rotation != origin_.integration.rotation) return;
  const auto old_momentum = numbers<double>(from, "clumps/angular_momentum", 3);
  const auto old_mass = numbers<double>(from, "clumps/mass");
  const auto mass = numbers<double>(state, "clumps/mass"), inertia = numbers<double>(state, "clumps/inertia", 3);
  const Real3 mean = old_mean_spin(from);
  auto momentum = numbers<double>(state, "clumps/angular_momentum", 3);
  const std::size_t n = particles_.clumps.size();
  if (old_momentum.size() != 3 * n || old_mass.size() != n || momentum.size() < 3 * n || mass.size() < n ||
      inertia.size() < 3 * n) {
    throw StateError("the arrays of clumps differ in length");
  }
  for (std::size_t c = 0; c < particles_.clumps.size(); ++c) {
    const Clump& clump = particles_.clumps[c];
    if (scene.particles.clumps[c].angular_velocity != clump.angular_velocity) continue;
    const auto& q = clump.orientation;
    Real3 of_mean = clumps::turned({q[0], -q[1], -q[2], -q[3]}, mean);
    for (std::size_t k = 0; k < 3; ++k) of_mean[k] *= inertia[3 * c + k];
    of_mean = clumps::turned(q, of_mean);
    // If the density has changed, all moments of inertia have changed by the same factor.
    const double ratio = mass[c] / old_mass[c];
    for (std::size_t k = 0; k < 3; ++k) momentum[3 * c + k] = ratio * old_momentum[3 * c + k] - of_mean[k];
  }
  replace_first(mutable_array(state, "clumps/angular_momentum"), momentum.data(), 3 * n * sizeof(double));
}

}  // namespace scree
