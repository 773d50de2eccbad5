#include "host/checkpoint/check_state.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "host/scene/build_scene/groups.hpp"
#include "host/scene/meetings.hpp"
#include "host/storage/state_arrays.hpp"
#include "host/text/text.hpp"
#include "scree/body_access.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

[[noreturn]] void refuse_inlet(std::size_t index, const std::string& what) {
  throw StateError("the state of inlet " + std::to_string(index) + " has " + what);
}

void expect_mass(double mass, const char* array, std::size_t index) {
  if (std::isfinite(mass) && mass >= 0) { return; }
  refuse_inlet(index, std::string("a mass in ") + array + " that must be finite and >= 0 kg, got " + number_text(mass));
}

/// Refuses impossible masses of the parts of a mixture. An inlet without a mixture has no such masses.
void expect_possible_parts(const InletState& is, std::size_t parts, std::size_t index) {
  constexpr double rounding = 1e-6;
  if (is.part_mass.size() != (parts > 1 ? parts : 0)) { refuse_inlet(index, "another mixture"); }
  double sum = 0;
  for (const double mass : is.part_mass) {
    expect_mass(mass, "inlets/part_mass", index);
    sum += mass;
  }
  if (parts > 1 && !(std::fabs(sum - is.mass) <= rounding * is.mass)) {
    refuse_inlet(index, "parts whose masses must add up to " + number_text(is.mass) +
                            " kg, the mass of its particles, got " + number_text(sum) + " kg");
  }
}

/// Bounds for the particles of an inlet.
struct InletParticles {
  double least_mass = std::numeric_limits<double>::infinity();       ///< [kg] below the mass of each particle
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();  ///< spheres of a particle, at least
  std::uint64_t most = 1;                                            ///< spheres of a particle, at most
};

/// The bounds for the inlet whose parts have the indices `begin` to `end` - 1 in Scene::inlets.
InletParticles particles_of_inlet(const Scene& scene, std::size_t begin, std::size_t end) {
  InletParticles bounds;
  for (std::size_t p = begin; p < end; ++p) {
    const SceneInlet& inlet = scene.inlets[p];
    const double radius = inlet.smallest_particle(), density = scene.materials[inlet.material].density;
    bounds.least_mass = std::min(bounds.least_mass, density * 4 * radius * radius * radius);
    const std::uint64_t count = inlet.shape ? scene.clump_shapes[*inlet.shape].radius.size() : 1;
    bounds.fewest = std::min(bounds.fewest, count);
    bounds.most = std::max(bounds.most, count);
  }
  return bounds;
}

/// The largest number of particles that an inlet can have inserted up to a time [s], with its largest rate in any
/// stage.
double most_due(const Inlet& source, const Scene& scene, std::size_t entry, double time, double least_mass) {
  const double open = std::max(std::min(time, source.until) - source.from, 0.0);
  double rate = source.rate ? *source.rate : *source.mass_flow;
  for (const SceneStage& stage : scene.stages) {
    for (const SceneStagedInlet& staged : stage.inlets) {
      if (staged.entry == entry) {
        rate = std::max({rate, staged.change.rate.value_or(0), staged.change.mass_flow.value_or(0)});
      }
    }
  }
  return source.rate ? rate * open : rate * open / least_mass;
}

}  // namespace

void expect_possible_inlets(const Case& input, const Scene& scene, const std::vector<InletState>& inlets,
                            const EngineState& state, double time, std::uint64_t fragments) {
  std::vector<std::size_t> first;  // [n_inlets + 1] index in scene.inlets of the first part of each
  for (std::size_t k = 0; k < scene.inlets.size(); ++k) {
    if (scene.inlets[k].part == 0) { first.push_back(k); }
  }
  const std::size_t n = first.size();
  first.push_back(scene.inlets.size());
  if (inlets.size() != n) {
    throw StateError("it has the state of " + std::to_string(inlets.size()) + " inlets, but the case has " +
                     std::to_string(n));
  }
  std::uint64_t least = fragments, most = fragments;  // numbers of particles, with members of clumps
  for (std::size_t k = 0; k < n; ++k) {
    const InletState& is = inlets[k];
    if (is.entry != scene.inlets[first[k]].entry) { refuse_inlet(k, "another entry of the case"); }
    expect_mass(is.mass, "inlets/mass", k);
    expect_possible_parts(is, first[k + 1] - first[k], k);
    const InletParticles kinds = particles_of_inlet(scene, first[k], first[k + 1]);
    const double due = most_due(*input.particles.at(is.entry).inlet, scene, is.entry, time, kinds.least_mass);
    if (!(static_cast<double>(is.made) <= due * 1.001 + 1)) {
      refuse_inlet(k,
                   count_text(is.made) + " particles, more than the " + short_number_text(due, 6) + " that were due");
    }
    constexpr std::uint64_t limit = std::numeric_limits<std::uint32_t>::max();
    least += is.made * kinds.fewest;
    if (is.made > limit / kinds.most || (most += is.made * kinds.most) > limit) {
      refuse_inlet(k, count_text(is.made) + " particles, with which there are more than " + count_text(limit));
    }
  }
  const auto inserted = numbers<std::uint64_t>(state, "totals/particles_inserted");
  if (inserted.size() != 1 || inserted[0] < least || inserted[0] > most) {
    throw StateError("totals/particles_inserted must be from " + std::to_string(least) + " to " + std::to_string(most) +
                     ", the particles of inlets and breakage, got " +
                     (inserted.size() == 1 ? std::to_string(inserted[0]) : counted(inserted.size(), "row", "rows")));
  }
}

namespace {

bool never(std::size_t) { return false; }

/// Throws StateError unless rows with the same id are equal in both states, for all arrays of a group. If `start` does
/// not have the id of row i of `state`, other(i) says whether the row is possible; if the rows differ, changed(i) does.
template <class Other, class Changed = bool (*)(std::size_t)>
void expect_same_rows(const EngineState& start, const EngineState& state, const std::string& group,
                      const std::string& name, const Other& other, const Changed& changed = never) {
  const auto before = numbers<std::uint32_t>(start, group + "/id"), now = numbers<std::uint32_t>(state, group + "/id");
  const StateArray& kept = array_of(start, group + "/" + name);
  const StateArray& told = array_of(state, group + "/" + name);
  if (told.type != kept.type || told.columns != kept.columns || told.rows() != now.size() ||
      kept.rows() != before.size()) {
    throw StateError("the array " + told.name + " does not have the type and length that it had at the start");
  }
  std::size_t k = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    while (k < before.size() && before[k] < now[i]) { ++k; }
    const std::byte* row = told.bytes.data() + i * told.row_bytes();
    const bool from_start = k < before.size() && before[k] == now[i];
    const bool differs =
        from_start && std::memcmp(row, kept.bytes.data() + k * kept.row_bytes(), told.row_bytes()) != 0;
    if (from_start ? differs && !changed(i) : !other(i)) {
      const char* what = group == "bodies" ? "particle " : "clump ";
      throw StateError("the " + told.name + " of " + what + std::to_string(now[i]) +
                       " is not that of the start or of an inlet");
    }
  }
}

/// [n_groups] Whether stages hold the centres of the particles of a group and also release them.
std::vector<bool> switched_groups(const Scene& scene) {
  const auto held = groups_that_ever(scene, [](const SceneGroup& group) { return group.is_held(); });
  auto switched = groups_that_ever(scene, [](const SceneGroup& group) { return !group.is_held(); });
  for (std::size_t k = 0; k < held.size(); ++k) { switched[k] = switched[k] && held[k]; }
  return switched;
}

}  // namespace

void expect_possible_particles(const Scene& scene, const EngineState& start, const EngineState& state) {
  const RadiusRange sizes = inlet_radii(scene);
  constexpr double rounding = 1e-5;  // radii of members are products of two numbers
  const auto radius = numbers<double>(state, "bodies/radius"), position = numbers<double>(state, "bodies/position", 3);
  const auto any = [](std::size_t) { return true; };
  expect_same_rows(start, state, "bodies", "radius", [&](std::size_t i) {
    return radius[i] >= sizes.smallest * (1 - rounding) && radius[i] <= sizes.largest * (1 + rounding);
  });
  expect_same_rows(start, state, "bodies", "material", any);
  if (start.find("clumps/id") != nullptr) {
    for (const char* name : {"shape", "first_member", "size", "mass", "inertia"}) {
      expect_same_rows(start, state, "clumps", name, any);
    }
  }
  // Particles that have just been removed no longer have their mass, so they are left out.
  EngineState there;
  for (const char* name :
       {"bodies/id", "bodies/radius", "bodies/inverse_mass", "bodies/inverse_inertia", "bodies/group"}) {
    if (state.find(name) == nullptr) { continue; }
    const StateArray& all = array_of(state, name);
    StateArray& some = there.arrays.emplace_back(StateArray{all.name, all.unit, all.type, all.columns, {}});
    for (std::size_t i = 0; i < radius.size(); ++i) {
      if (is_removed(row_of(position, i))) { continue; }
      const auto row = all.bytes.begin() + static_cast<std::ptrdiff_t>(i * all.row_bytes());
      some.bytes.insert(some.bytes.end(), row, row + static_cast<std::ptrdiff_t>(all.row_bytes()));
    }
  }
  const std::vector<bool> switched = switched_groups(scene);
  const bool has_groups = there.find("bodies/group") != nullptr;
  const auto group = has_groups ? numbers<std::uint32_t>(there, "bodies/group") : std::vector<std::uint32_t>{};
  const auto r = numbers<double>(there, "bodies/radius"), mass = numbers<double>(there, "bodies/inverse_mass"),
             inertia = numbers<double>(there, "bodies/inverse_inertia");
  expect_same_rows(start, there, "bodies", "inverse_mass", any, [&](std::size_t i) {
    if (i >= group.size() || group[i] >= switched.size() || !switched[group[i]]) { return false; }
    // The mass of a released particle follows from its moment of inertia. Members of clumps have no moment of inertia.
    const double own = 0.4 * inertia[i] * r[i] * r[i];
    return mass[i] == 0 || (inertia[i] == 0 && mass[i] > 0) || std::fabs(mass[i] - own) <= rounding * own;
  });
  expect_same_rows(start, there, "bodies", "inverse_inertia", any);
}

}  // namespace scree
