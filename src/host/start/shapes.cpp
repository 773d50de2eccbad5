#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "host/checkpoint/files_hash.hpp"
#include "host/clumps/orientation.hpp"
#include "host/geometry/real3.hpp"
#include "host/scene/build_scene/grains.hpp"
#include "host/start/start_from.hpp"
#include "host/storage/state_arrays.hpp"
#include "scree/errors.hpp"

// Whether clumps and grains of the checkpoint are of the shapes of the case.
namespace scree {
namespace {

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

}  // namespace scree
