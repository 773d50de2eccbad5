#include <algorithm>
#include <cmath>

#include "kernels/contact/cell_measure.hpp"
#include "kernels/system.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Stiffness and unbalanced force change slowly, and cost more: they are measured in every so many-th step only.
constexpr std::uint64_t slow_measures = 100;

}  // namespace

template <class R>
void System<R>::measure_cell() {
  if (step_ == 0 || measured_step_ == step_ || !cell_.control().wants_measure(step_)) { return; }
  SCREE_EXPECT(forces_known_, "contact forces are not known between a search and the next step");
  const bool slow = step_ % slow_measures == 0 || !measured_slow_;
  const PairViews<R> pairs = pair_views();
  if (slow) {
    pair_stiffness_.discard_and_resize(n_pairs_, "time step");
    for (RunLaw<R>* law : laws_.among_particles) {
      law->pair_stiffness(exec_, n_pairs_, pairs, pair_stiffness_.view());
    }
  }
  // Waking a team costs more than what few bodies need.
  const std::size_t n_lanes_used =
      SCREE_ON_CUDA ? 2048 : (n_pairs_ + n_bodies_ < 20000 ? 1 : std::size_t(exec_.threads()));
  const auto shared = [&](std::size_t n) { return n_lanes_used > 1 ? n : std::size_t(1); };
  std::vector<CellLane> lanes(n_lanes_used);
  Span<ContactStiffness<R>> stiffness = pair_stiffness_.view();
  if (!slow) { stiffness.size = 0; }
  CellContacts<R> contacts{view(bodies_),
                           pairs_.bodies.view(),
                           pairs_.force.view(),
                           pairs_.touching.view(),
                           pairs.cell,
                           inverse(identity<double>() + cell_.geometry().stretch),
                           clock_.at(step_).last,
                           view(clumps_),
                           clump_of_.view(),
                           stiffness,
                           true,
                           {},
                           {},
                           n_pairs_};
  const Vec3d gravity{scene_.gravity[0], scene_.gravity[1], scene_.gravity[2]};
  CellBodies<R> bodies{view(bodies_), wrench_gather(),    gravity, view(clumps_), clump_members(), slow, true, {}, {},
                       n_bodies_,     clumps_.mass.size()};
  const auto pass = [&] {
    cell_lanes_.assign(lanes, "periodic cell");
    contacts.lanes = bodies.lanes = cell_lanes_.view();
    exec_.for_lanes("measure cell", lanes.size(), shared(n_pairs_), contacts);
    exec_.for_lanes("measure cell", lanes.size(), shared(n_bodies_), bodies);
    lanes = cell_lanes_.to_vector();
  };
  pass();
  CellUnits units{};
  double unit[n_cell_terms];
  std::uint64_t n_terms = 2;  // not listed pairs: units must not depend on how long lists are
  for (const CellLane& lane : lanes) { n_terms += lane.contacts + lane.bodies; }
  const int room = 61 - std::ilogb(double(n_terms));
  for (int t = 0; t < n_cell_terms; ++t) {
    double largest = 0;
    for (const CellLane& lane : lanes) { largest = std::max(largest, lane.largest[t]); }
    const int exponent =
        largest > 0 && std::isfinite(largest) ? std::clamp(std::ilogb(largest) + 1 - room, -900, 900) : 0;
    unit[t] = std::ldexp(1.0, exponent);
    units.inverse[t] = std::ldexp(1.0, -exponent);
  }
  contacts.units = bodies.units = units;
  contacts.find_largest = bodies.find_largest = false;
  pass();
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
  const double volume = cell_.volume();
  const auto term = [&](CellTerm t, std::int64_t sum) { return double(sum) * unit[static_cast<int>(t)]; };
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    cell_measure_.stress[k] =
        -(term(CellTerm::moment, all.moment[k]) + term(CellTerm::momentum_flux, all.momentum_flux[k])) / volume;
    if (slow) { cell_measure_.stiffness[k] = term(CellTerm::stiffness, all.stiffness[k]) / volume; }
  }
  cell_measure_.contacts = all.contacts;
  if (slow) {
    const double force = term(CellTerm::force, all.force), net = term(CellTerm::net_force, all.net_force);
    const bool any = all.contacts > 0 && all.bodies > 0 && force > 0;
    cell_measure_.unbalanced_force = any ? (net / double(all.bodies)) / (force / double(all.contacts)) : 0;
  }
  measured_step_ = step_;
  measured_slow_ = true;
}

template void System<float>::measure_cell();
template void System<double>::measure_cell();

}  // namespace scree::inline SCREE_BACKEND
