#include "host/run/memory_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>

#include "host/case/laws.hpp"
#include "host/output/contact_frame.hpp"
#include "host/output/output_queue.hpp"
#include "host/output/particle_fields.hpp"
#include "host/scene/meetings.hpp"
#include "scree/contact_test.hpp"

namespace scree {
namespace {

// A contact keeps two segments in its record and up to eight, six in the mean, beside it (kernels/state/stack_end.hpp).
constexpr double segments_at_contact = 7, segments_per_page = 8;
constexpr std::uint64_t stack_end_mixed = 128, stack_end_double = 192;  // [bytes]
constexpr std::size_t ledger_values = 8, collision_values = 4;          // in the history of a contact

double mean_diameter(const Scene& scene) {
  const auto& radius = scene.particles.radius;
  if (!radius.empty()) {
    return 2 * std::accumulate(radius.begin(), radius.end(), 0.0) / static_cast<double>(radius.size());
  }
  return scene.inlets.empty() ? 0 : 2 * scene.inlets.front().median_radius;
}

/// [-] Mean range of the contacts of a particle with others of its material.
double mean_range(const Scene& scene) {
  const std::vector<std::uint32_t>& material = scene.particles.material;
  if (scene.pairs.empty()) { return scene.interaction_range; }
  if (material.empty()) {
    return scene.inlets.empty() ? 1 : scene.range_of(scene.inlets.front().material, scene.inlets.front().material);
  }
  double sum = 0;
  for (const std::uint32_t m : material) { sum += scene.range_of(m, m); }
  return sum / static_cast<double>(material.size());
}

/// The number of listed pairs per particle in a dense random packing. 6 neighbours touch, and by the radial
/// distribution there are 11 sqrt(g) more up to a relative gap g.
double listed_pairs(const Scene& scene) {
  const double diameter = mean_diameter(scene);
  const double gap = (diameter > 0 ? scene.verlet_distance / diameter : 0) + mean_range(scene) - 1;
  return 3 + 5.5 * std::sqrt(std::max(gap, 0.0));
}

double most_segments(const Scene& scene) {
  double most = 0;
  for (const MaterialPair& pair : scene.pairs) {
    if (!needs_of(pair.law.value_or(scene.law)).load_history) { continue; }
    const auto limit = pair.jaeger.most_segments;
    most = std::max(most, limit ? static_cast<double>(*limit) : std::numeric_limits<double>::infinity());
  }
  return most;
}

std::uint64_t triangles(const Scene& scene) {
  std::uint64_t count = 0;
  for (const SceneBoundary& boundary : scene.boundaries) {
    if (boundary.is_mesh()) { count += boundary.mesh.triangles.size(); }
  }
  return count;
}

std::uint64_t nodes_of_membranes(const Scene& scene) {
  std::uint64_t count = 0;
  for (const SceneMembrane& membrane : scene.membranes) { count += membrane.lattice.nodes(); }
  return count;
}

/// A scene with the materials of one pair, for a contact test.
Scene only(const Scene& scene, std::size_t a, std::size_t b) {
  Scene pair;
  pair.precision = scene.precision;
  pair.law = scene.law;
  pair.no_ratcheting = scene.no_ratcheting;
  for (const std::size_t first : {a, b}) {
    pair.materials.push_back(scene.materials[first]);
    for (const std::size_t second : {a, b}) { pair.pairs.push_back(scene.pair(first, second)); }
  }
  return pair;
}

}  // namespace

MemoryPlan::Laws MemoryPlan::laws_of(const Scene& scene) {
  Laws laws;
  std::set<std::tuple<LawKind, Attraction, bool, bool, bool, bool, bool>>
      seen;  // what the size of a history depends on
  meeting_materials(scene).for_each_pair([&](std::size_t a, std::size_t b) {
    const MaterialPair& pair = scene.pair(a, b);
    const LawKind law = scene.law_of(a, b);
    const LoadHistorySettings& kept = pair.jaeger;
    if (!seen.emplace(law, pair.attraction(), pair.rolling.acts(), pair.rolling.is_moment(), kept.merging > 0,
                      kept.most_segments.has_value(), kept.exact_sliding)
             .second) {
      return;
    }
    laws.history = std::max<std::size_t>(laws.history,
                                         make_contact_test(only(scene, a, b), {{0, 1}, {1, 1}, false})->history_size());
    laws.couples = laws.couples || pair.rolling.acts();
  });
  if (scene.energies) { laws.history += ledger_values; }
  if (scene.collisions) { laws.history += collision_values; }
  return laws;
}

MemoryPlan::MemoryPlan(const Scene& scene, std::size_t particles)
    : particles_(static_cast<double>(particles)),
      pairs_per_particle_(listed_pairs(scene)),
      mixed_(scene.precision == Precision::mixed),
      most_segments_(most_segments(scene)) {
  const double n = particles_, pairs = pairs_per_particle_ * n, contacts = contacts_per_particle * n,
               real = mixed_ ? 4 : 8;
  const Laws laws = laws_of(scene);
  const double extra = static_cast<double>(laws.history) * real, couple = laws.couples ? 3 * real : 0;
  // of the energy ledger: for pairs, and for slots at boundaries
  const double beside = scene.energies ? couple : 0, beside_slot = scene.energies ? real + couple : 0;
  // particles at the faces of a cube
  const double near = scene.boundaries.empty() ? 0 : std::min(n, 6 * std::pow(n, 2.0 / 3.0));
  const double slot =
      (mixed_ ? 72 : 112) + (most_segments_ > 0 ? static_cast<double>(stack_end()) : 0) + extra + couple + beside_slot;
  // where more than gravity acts, the ledger keeps the sum of the contact forces on each particle
  const bool only_falls = scene.integration.damping == 0 && scene.integration.viscous_damping == 0 &&
                          scene.groups.size() <= 1 && !scene.cell;
  const double cell = scene.cell ? 45 * n + pairs : 0,
               ledger = (scene.energies ? (only_falls ? 8 : 16) * real : 0) * n +
                        (scene.notes_losses() ? (2 * real + 8) * pairs : 0) + (scene.sums_losses ? 16 * n : 0);
  const double clumps = scene.particles.clumps.empty()
                            ? 0
                            : 180 * static_cast<double>(scene.particles.clumps.size()) + (8 + 6 * real) * n;
  // the group of each body; the place in memory of each node, and the force of the pressure on it
  const double groups = scene.groups.size() > 1 ? 2 * n : 0,
               nodes = (4 + 3 * real) * static_cast<double>(nodes_of_membranes(scene));
  const auto add = [&](const char* name, double bytes) { items_.push_back({name, static_cast<std::uint64_t>(bytes)}); };
  const double grid =
      scene.fluid && scene.fluid->grid ? 24 * static_cast<double>(scene.fluid->grid->velocity.size()) : 0;
  // of particles far apart; in a bed many particles share the points of the lattice
  const double solids = scene.fluid && scene.fluid->hindrance != Hindrance::none ? 16 * 10 * n : 0;
  const double fluid = scene.fluid ? 10 * real * n + grid + solids : 0;
  add("bodies", (mixed_ ? 116 : 144) * n + groups + nodes + fluid);
  add("neighbour list", 17 * pairs + 12 * n);
  // of the list, and of what is carried over to the next list
  add("contact history", (3 * real + extra + beside) * pairs + extra * contacts);
  add("contact forces", (8 * real + couple) * pairs);
  add("boundary contacts", 8 * n + 2 * near * slot);
  add("energy ledger", ledger);
  add("heat", scene.heat ? 56 * n + 16 * pairs : 0);
  add("liquid", scene.has_films() ? 28 * n + 16 * pairs : 0);
  add("clumps", clumps);
  add("outlets", scene.lists_removed ? 88 * n : 0);  // room for a row of each particle
  add("time step", 9 * real * pairs + 41 * n);
  add("periodic cell", cell);
  add("boundaries", 200 * static_cast<double>(triangles(scene)));
  add("neighbour search", (mixed_ ? 148 : 176) * n);
}

std::uint64_t MemoryPlan::bytes() const {
  return std::accumulate(items_.begin(), items_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const MemoryItem& item) { return sum + item.bytes; });
}

std::vector<double> MemoryPlan::usual_lengths() const {
  std::vector<double> lengths;
  for (const double length : {100.0, 260.0}) {
    if (const double kept = std::min(length, most_segments_); lengths.empty() || kept > lengths.back()) {
      lengths.push_back(kept);
    }
  }
  return lengths;
}

std::uint64_t MemoryPlan::stack_end() const { return mixed_ ? stack_end_mixed : stack_end_double; }

/// The uppermost page of a contact is half full on average, and four contacts in five may take a page in the next
/// steps. The pool grows by a thirty-second, of which half is spare on average. Each page has a link and a place in the
/// ring of free pages.
std::uint64_t MemoryPlan::load_histories(double mean_length) const {
  const double contacts = contacts_per_particle * particles_, pairs = pairs_per_particle_ * particles_;
  const double pages_per_contact =
      mean_length > segments_at_contact ? (mean_length - segments_at_contact) / segments_per_page + 0.5 : 0;
  const auto pages = static_cast<std::uint64_t>(contacts * (pages_per_contact + 0.8) * (1 + 1.0 / 64));
  // while the list is made anew there are two copies for contacts
  const std::uint64_t ends = static_cast<std::uint64_t>(pairs + contacts) * stack_end();
  return pages * (mixed_ ? 128 : 192) + 8 * pages + ends;
}

std::uint64_t frames_in_memory(const Scene& scene, const FrameOutput& output, std::size_t particles) {
  const SnapshotRequest request = snapshot_request(output.fields);
  static_assert(snapshot_arrays == 17, "every array of a snapshot is counted here");
  constexpr std::uint64_t vector = sizeof(Real3), id = sizeof(std::uint32_t), number = sizeof(double);
  std::uint64_t bytes = 3 * vector + number + 2 * id;  // places, velocities, spins; radius; id, material
  if (request.force) { bytes += vector; }
  if (request.coordination) { bytes += id; }
  for (const bool one : {request.damage, request.temperature, request.dissipated, request.film}) {
    if (one) { bytes += number; }
  }
  if (request.fragment) { bytes += id; }
  if (request.group) { bytes += id; }
  if (request.held) { bytes += 1; }
  if (scene.cell) { bytes += vector + 3 * id; }  // fluctuation, image
  return (OutputQueue::most_waiting + 1) * particles * bytes;
}

std::uint64_t contacts_in_memory(const Scene& scene, std::size_t particles) {
  const auto contacts = static_cast<std::uint64_t>(MemoryPlan::contacts_per_particle * static_cast<double>(particles));
  return contacts * ((OutputQueue::most_waiting + 1) *
                         ContactTable::bytes_each(scene.cell.has_value(), !scene.grain_shapes.empty()) +
                     sizeof(TouchingContact) + sizeof(ContactDetail));
}

}  // namespace scree
