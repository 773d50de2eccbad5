#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include "host/checkpoint/files_hash.hpp"
#include "host/clumps/orientation.hpp"
#include "host/geometry/real3.hpp"
#include "host/scene/build_scene/grains.hpp"
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

bool is_deformed(const Clump& clump) {
  const auto is_not_zero = [](double value) { return value != 0; };
  return std::any_of(clump.amplitude.begin(), clump.amplitude.end(), is_not_zero) ||
         std::any_of(clump.amplitude_rate.begin(), clump.amplitude_rate.end(), is_not_zero);
}

/// The single hashes in a text of modes_hashes().
std::vector<std::string> hashes_in(const std::string& text) {
  std::vector<std::string> hashes;
  std::istringstream in(text);
  for (std::string hash; std::getline(in, hash, ',');) hashes.push_back(hash);
  return hashes;
}

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

/// Converts the index of a shape in the checkpoint to the index in the case. Throws CaseError if the case does not have
/// it.
std::uint32_t StartPoint::shape_called(const Case& input, std::uint32_t old) const {
  if (old >= shape_names_.size()) throw StateError("a clump has a shape that is not in its case");
  const auto found = std::find_if(input.shapes.begin(), input.shapes.end(),
                                  [&](const auto& own) { return own.first == shape_names_[old]; });
  if (found == input.shapes.end()) {
    throw CaseError("start", "clumps of " + file_.string() + " are of the shape \"" + shape_names_[old] +
                                 "\", but \"shapes\" has none of this name");
  }
  const auto* grain = std::get_if<LevelSetTemplate>(&found->second.kind);
  if (grain != nullptr && NodeLayout{grain->grid_spacing, grain->node_spacing} != node_layouts_[old]) {
    throw CaseError("start", "grains of " + file_.string() + " are of the shape \"" + shape_names_[old] +
                                 "\" with another \"grid_spacing\" or \"node_spacing\" than \"shapes." +
                                 shape_names_[old] + "\" of this case; their contacts belong to their nodes");
  }
  return static_cast<std::uint32_t>(found - input.shapes.begin());
}

/// Whether the members of a clump have the places of the shape, and its radii times `room`. This compares the numbers
/// of the state, because files that the other case names may be gone.
bool StartPoint::is_of(const ClumpShape& shape, const Clump& clump, std::size_t end, double room) const {
  if (clump.first + shape.radius.size() != end || shape.grain.has_value() != grain_[clump.first]) return false;
  constexpr double rounding = 1e-6;  // radii may have single precision
  for (std::size_t k = 0; k < shape.radius.size(); ++k) {
    const std::size_t i = clump.first + k;
    const Real3 arm = clumps::turned(clump.orientation, geometry::scaled(shape.position[k], clump.size));
    const Real3 off = geometry::subtract(particles_.position[i], geometry::add(clump.position, arm));
    const double radius = room * clump.size * shape.radius[k];
    if (!(std::abs(particles_.radius[i] - radius) <= rounding * radius)) return false;
    if (!(geometry::length(off) <= rounding * clump.size * shape.bounding_radius)) return false;
  }
  return true;
}

/// Whether mass and moments of inertia are those of the shape. This identifies a grain, which has only one sphere.
bool StartPoint::has_moments_of(const ClumpShape& shape, const Clump& clump, double mass, const Real3& inertia) const {
  const double density = origin_.materials[old_material_[clump.first]].second.density;
  const double cube = std::pow(clump.size, 3);
  const auto near = [](double value, double expected) { return std::abs(value - expected) <= 1e-6 * expected; };
  bool same = near(mass, density * cube * shape.volume);
  for (std::size_t k = 0; k < 3; ++k) {
    same = same && near(inertia[k], density * cube * clump.size * clump.size * shape.inertia[k]);
  }
  return same;
}

void StartPoint::check_shapes(const std::vector<ClumpShape>& shapes, std::vector<InputProblem>& problems) const {
  std::vector<bool> wrong(shapes.size());
  const std::size_t n = particles_.clumps.size();
  std::vector<double> mass, inertia;
  if (std::find(grain_.begin(), grain_.end(), true) != grain_.end()) {
    mass = numbers<double>(checkpoint_.state, "clumps/mass");
    inertia = numbers<double>(checkpoint_.state, "clumps/inertia", 3);
    if (mass.size() != n || inertia.size() != 3 * n) throw StateError("the arrays of clumps differ in length");
  }
  for (std::size_t c = 0; c < n; ++c) {
    const Clump& clump = particles_.clumps[c];
    if (wrong[clump.shape]) continue;
    const std::size_t limit = c + 1 < n ? particles_.clumps[c + 1].first : particles_.size();
    std::size_t end = clump.first;
    while (end < limit && member_[end]) ++end;
    const ClumpShape& shape = shapes[clump.shape];
    const bool fits = !shape.grain || has_moments_of(shape, clump, mass[c], row_of(inertia, c));
    if (fits && is_of(shape, clump, end)) continue;
    // The sphere of a grain that deforms is larger by the room for bulges. Rigid grains may begin to deform, see
    // fit_deformation().
    if (fits && shape.grain && is_of(shape, clump, end, 1 / room_for_bulges)) continue;
    wrong[clump.shape] = true;
    const std::string key = "\"shapes." + shape.name + "\"";
    if (fits && shape.grain && is_of(shape, clump, end, room_for_bulges)) {
      problems.push_back({"start", "grains of " + file_.string() + " that are of the shape \"" + shape.name +
                                       "\" deform there, but " + key +
                                       " of this case is rigid: give it the \"deformation\" that it has there"});
      continue;
    }
    problems.push_back({"start", "clumps of " + file_.string() + " that are of the shape \"" + shape.name +
                                     "\" are not as " + key + " of this case"});
  }
}

void StartPoint::check_modes(const Scene& scene, std::vector<InputProblem>& problems) const {
  if (checkpoint_.modes_hashes.empty()) return;
  const std::vector<std::string> before = hashes_in(checkpoint_.modes_hashes), now = hashes_in(modes_hashes(scene));
  if (before.size() != shape_names_.size()) {
    throw CaseError("start", file_.string() + ": its modes_hashes do not fit its shapes");
  }
  std::vector<bool> wrong(scene.clump_shapes.size());
  for (const Clump& clump : particles_.clumps) {
    if (wrong.at(clump.shape) || !is_deformed(clump)) continue;
    const std::string& name = scene.clump_shapes[clump.shape].name;
    const auto old = std::find(shape_names_.begin(), shape_names_.end(), name) - shape_names_.begin();
    const bool known = clump.shape < now.size() && static_cast<std::size_t>(old) < before.size();
    if (!known || before[static_cast<std::size_t>(old)] == now[clump.shape]) continue;
    wrong[clump.shape] = true;
    problems.push_back({"start", "grains of " + file_.string() + " that are of the shape \"" + name +
                                     "\" are deformed by other modes than those of \"shapes." + name +
                                     "\" of this case"});
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
