#include <algorithm>
#include <cmath>

#include "kernels/cell/bodies_in_cell.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Number of steps from one measure of stiffness and unbalanced force to the next. These change slowly, and cost more
/// than the stress.
constexpr std::uint64_t slow_measures = 100;

/// The unit of each kind of term, a power of two. It leaves room for the sum of all terms in an integer of 64 bits.
struct TermUnits {
  double unit[n_cell_terms];
  CellUnits inverse{};

  /// Chooses the units from the largest terms that the lanes have found.
  explicit TermUnits(const std::vector<CellLane>& lanes) {
    // This counts contacts and bodies, not listed pairs, because units must not depend on the length of lists.
    std::uint64_t n_terms = 2;
    for (const CellLane& lane : lanes) { n_terms += lane.contacts + lane.bodies; }
    const int room = 61 - std::ilogb(double(n_terms));
    for (int t = 0; t < n_cell_terms; ++t) {
      double largest = 0;
      for (const CellLane& lane : lanes) { largest = std::max(largest, lane.largest[t]); }
      const int exponent =
          largest > 0 && std::isfinite(largest) ? std::clamp(std::ilogb(largest) + 1 - room, -900, 900) : 0;
      unit[t] = std::ldexp(1.0, exponent);
      inverse.inverse[t] = std::ldexp(1.0, -exponent);
    }
  }

  [[nodiscard]] double value(CellTerm term, std::int64_t sum) const {
    return double(sum) * unit[static_cast<int>(term)];
  }
};

/// The sums over all lanes.
CellLane sum_of(const std::vector<CellLane>& lanes) {
  CellLane all{};
  for (const CellLane& lane : lanes) {
    for (int k = 0; k < 6; ++k) {
      all.moment[k] += lane.moment[k];
      all.momentum_flux[k] += lane.momentum_flux[k];
      all.stiffness[k] += lane.stiffness[k];
    }
    all.force += lane.force, all.net_force += lane.net_force;
    all.contacts += lane.contacts, all.bodies += lane.bodies;
  }
  return all;
}

/// Converts the sums to a measure. Stiffness and unbalanced force are set with `slow`; otherwise they stay as they are.
/// `volume` [m3] is that of the cell.
void take_measure(const CellLane& all, const TermUnits& units, double volume, bool slow, CellMeasure& measure) {
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    measure.stress[k] =
        -(units.value(CellTerm::moment, all.moment[k]) + units.value(CellTerm::momentum_flux, all.momentum_flux[k])) /
        volume;
    if (slow) { measure.stiffness[k] = units.value(CellTerm::stiffness, all.stiffness[k]) / volume; }
  }
  measure.contacts = all.contacts;
  if (!slow) { return; }
  const double force = units.value(CellTerm::force, all.force), net = units.value(CellTerm::net_force, all.net_force);
  const bool any = all.contacts > 0 && all.bodies > 0 && force > 0;
  measure.unbalanced_force = any ? (net / double(all.bodies)) / (force / double(all.contacts)) : 0;
}

}  // namespace

template <class R>
void BodiesInCell<R>::look(RunState<R>& run, Buffer<ContactStiffness<R>>& pair_stiffness) {
  if (run.step == 0 || measured_step == run.step || !run.cell.control().wants_measure(run.step)) { return; }
  SCREE_EXPECT(run.forces_known, "contact forces are not known between a search and the next step");
  const bool slow = run.step % slow_measures == 0 || !measured_slow;
  const PairViews<R> pairs = pair_views(run);
  if (slow) {
    pair_stiffness.discard_and_resize(run.contacts.pairs.size(), "time step");
    for (RunLaw<R>* law : run.laws.among_particles) {
      law->pair_stiffness(run.exec, run.contacts.pairs.size(), pairs, pair_stiffness.view());
    }
  }
  // With few bodies, waking a team of threads costs more than the work.
  const std::size_t n_lanes_used =
      SCREE_ON_CUDA ? 2048
                    : (run.contacts.pairs.size() + run.count.bodies < 20000 ? 1 : std::size_t(run.exec.threads()));
  const auto shared = [&](std::size_t n) { return n_lanes_used > 1 ? n : std::size_t(1); };
  std::vector<CellLane> sums(n_lanes_used);
  Span<ContactStiffness<R>> stiffness = pair_stiffness.view();
  if (!slow) { stiffness.size = 0; }
  CellContacts<R> contacts{.bodies = view(run.bodies),
                           .pairs = run.contacts.pairs.bodies.view(),
                           .force = run.contacts.pairs.force.view(),
                           .touching = run.contacts.pairs.touching.view(),
                           .cell = pairs.cell,
                           .back = inverse(identity<double>() + run.cell.geometry().stretch),
                           .time_step = run.clock.at(run.step).last,
                           .clumps = view(run.clumps.fields),
                           .clump_of = run.clumps.clump_of.view(),
                           .stiffness = stiffness,
                           .find_largest = true,
                           .units = {},
                           .lanes = {},
                           .n = run.contacts.pairs.size()};
  const Vec3d gravity{run.scene.gravity[0], run.scene.gravity[1], run.scene.gravity[2]};
  CellBodies<R> bodies{.bodies = view(run.bodies),
                       .gather = wrench_gather(run),
                       .gravity = gravity,
                       .clumps = view(run.clumps.fields),
                       .members = run.clumps.members(),
                       .forces = slow,
                       .find_largest = true,
                       .units = {},
                       .lanes = {},
                       .n = run.count.bodies,
                       .n_clumps = run.clumps.size()};
  const auto pass = [&] {
    lanes.assign(sums, "periodic cell");
    contacts.lanes = bodies.lanes = lanes.view();
    run.exec.for_lanes("measure cell", sums.size(), shared(run.contacts.pairs.size()), contacts);
    run.exec.for_lanes("measure cell", sums.size(), shared(run.count.bodies), bodies);
    sums = lanes.to_vector();
  };
  pass();
  const TermUnits units(sums);
  contacts.units = bodies.units = units.inverse;
  contacts.find_largest = bodies.find_largest = false;
  pass();
  take_measure(sum_of(sums), units, run.cell.volume(), slow, measure);
  measured_step = run.step;
  measured_slow = true;
}

template void BodiesInCell<float>::look(RunState<float>&, Buffer<ContactStiffness<float>>&);
template void BodiesInCell<double>::look(RunState<double>&, Buffer<ContactStiffness<double>>&);

}  // namespace scree::inline SCREE_BACKEND
