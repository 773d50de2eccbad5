#pragma once

#include "kernels/backend/primitives.hpp"
#include "kernels/bodies/population.hpp"
#include "kernels/bodies/rigid_bodies.hpp"
#include "kernels/boundaries/boundary_system.hpp"
#include "kernels/boundaries/facet_meter.hpp"
#include "kernels/cell/bodies_in_cell.hpp"
#include "kernels/contact_lists.hpp"
#include "kernels/fluid/fluid_system.hpp"
#include "kernels/grains/bond_store.hpp"
#include "kernels/grains/grain_store.hpp"
#include "kernels/grains/mode_store.hpp"
#include "kernels/heat/heat_system.hpp"
#include "kernels/interactions/run_laws.hpp"
#include "kernels/ledger/collision_log.hpp"
#include "kernels/ledger/contact_losses.hpp"
#include "kernels/liquid/film_system.hpp"
#include "kernels/membranes/membranes.hpp"
#include "kernels/motion/batch_plan.hpp"
#include "kernels/motion/groups.hpp"
#include "kernels/motion/outlets.hpp"
#include "kernels/motion/step_clock.hpp"
#include "kernels/neighbours/skins.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/control.hpp"
#include "kernels/step/boundaries/boundary_views.hpp"
#include "kernels/step/pairs/acting_pairs.hpp"
#include "kernels/step/pairs/pair_views.hpp"
#include "scree/scene.hpp"

/// The state of a run, which all parts of the system read and write.
namespace scree::inline SCREE_BACKEND {

/// The state of the lists of contacts.
struct ListState {
  bool spent = true;           ///< new lists are needed before the next step
  std::uint64_t rebuilds = 0;  ///< searches that have made lists; 0: there are no lists yet
  std::uint64_t step = 0;      ///< step in which the lists were made
  double boundary_skin = 0;    ///< [m] how far boundaries may move before the next search
  double boundary_travel = 0;  ///< [m] upper bound of their movement since the lists were made
  double reach = 0;            ///< [m] bound of the distance of all bodies from the world's origin
  PositionBounds room{};       ///< [m] bounds of the centres of bodies and clumps until the next search
  std::uint64_t life = 0;      ///< steps that the last lists served until kernels found them spent; 0: unknown
  bool new_speeds = false;     ///< speeds were set since the last step, so they do not bound the moves in it
  bool wide = false;           ///< the lists were made with such speeds: they are longer than usual, and serve one step

  /// [m] How far boundaries may still move before the list is spent.
  [[nodiscard]] double travel_left() const { return 0.98 * boundary_skin - boundary_travel; }
};

/// State and settings of a run, each in a type of its own. A part of the system gets the whole RunState and changes
/// what its name says. Data that no other part needs are members of the part itself.
template <class R>
struct RunState {
  RunState(const Scene& scene, int threads);

  Scene scene;  ///< without its particles and meshes once they are on the backend
  Exec exec;
  Primitives primitives;
  Buffer<Control> control;
  Buffer<std::uint32_t> blocks_ended;  ///< work space of a GPU: see for_each_then
  Control seen;                        ///< the control word as the driver last read or wrote it

  std::uint64_t step = 0;  ///< steps made
  StepClock clock;
  bool forces_known = true;  ///< false between a search out of turn and the next step

  RunLaws<R> laws;
  ExpectedBodies expected;
  Bodies<R> bodies;
  Population count;
  RigidBodies<R> clumps;
  ModeStore<R> modes;
  GrainStore<R> grains;
  BondStore<R> bonds;
  GroupRules<R> groups;
  OutletSystem outlets;
  ContactLists<R> contacts;
  ListState lists;
  BoundarySystem boundary;
  FacetMeter faces;
  CellSystem cell;
  BodiesInCell<R> in_cell;
  ContactLosses<R> losses;
  CollisionLog<R> collisions;
  HeatSystem<R> heat;
  FilmSystem<R> films;
  Membranes<R> membranes;
  FluidSystem<R> fluid;
  BatchPlan<R> plan;

  [[nodiscard]] double time() const { return clock.at(step).now; }
};

/// The data of kernels of contacts between two batches. The step that led here has updated the contacts.
template <class R>
[[nodiscard]] PairViews<R> pair_views(RunState<R>& run);
template <class R>
[[nodiscard]] BoundaryContactViews<R> boundary_contact_views(RunState<R>& run);
template <class R>
[[nodiscard]] WrenchGather<R> wrench_gather(RunState<R>& run);
/// The present cell, as pairs and bodies see it. Empty without a cell.
template <class R>
[[nodiscard]] CellPairs<R> cell_pairs(RunState<R>& run);
template <class R>
[[nodiscard]] CellFlow<R> cell_flow(const RunState<R>& run);

/// The listed pairs that readouts show as contacts. The run must have lists.
template <class R>
[[nodiscard]] ActingPairs<R> acting_pairs(RunState<R>& run) {
  Pairs<R>& pairs = run.contacts.pairs;
  return {.touching = pairs.touching.view(),
          .bodies = view(run.bodies),
          .pairs = pairs.bodies.view(),
          .extra = pairs.rows.extra.view(),
          .n_extra = run.laws.history_size,
          .classes = run.laws.touch_classes(),
          .bonds = run.laws.bits.makes_bonds != 0};
}

/// The rules for new bonds. Only for runs whose laws make bonds.
template <class R>
[[nodiscard]] BondMaking bond_making(RunState<R>& run) {
  return {run.laws.bond_rules.view(), run.scene.seed, static_cast<index_t>(run.count.start)};
}

/// The same for launches of a step, without the values that change from step to step.
template <class R>
[[nodiscard]] PairViews<R> pair_views_of_steps(RunState<R>& run);
template <class R>
[[nodiscard]] BoundaryContactViews<R> boundary_contact_views_of_steps(RunState<R>& run);
template <class R>
[[nodiscard]] CellPairs<R> cell_pairs_of_steps(RunState<R>& run);
template <class R>
[[nodiscard]] CellFlow<R> cell_flow_of_steps(const RunState<R>& run);
/// The values of the cell that change from step to step: the mean flow of the last step, as contacts see it.
template <class R>
[[nodiscard]] CellFlowStep<R> cell_flow_step(const CellSystem& cell);
template <class R>
[[nodiscard]] ContactMoment<R> contact_moment(const CellSystem& cell, const StepTimes& times) {
  return {static_cast<R>(times.last), static_cast<R>(lean_of_step(times.step)), cell_flow_step<R>(cell),
          static_cast<std::uint32_t>(times.step % 2)};
}

/// The places of the ledger's values for pairs and for contacts with boundaries.
template <class R>
[[nodiscard]] LedgerPlace<R> ledger_of_pairs(RunState<R>& run) {
  Pairs<R>& pairs = run.contacts.pairs;
  return {pairs.rows.extra.view(), run.laws.history_size, pairs.entry_rest()};
}
template <class R>
[[nodiscard]] LedgerPlace<R> ledger_of_boundaries(RunState<R>& run) {
  ContactRows<R>& rows = run.contacts.near.rows;
  return {rows.extra.view(), run.laws.history_size, rows.entry_rest()};
}

/// Computes the losses of contacts in a step; to be used after the motion. `before` [n_bodies] has the velocities
/// before the motion.
template <class R>
[[nodiscard]] ContactLoss<R> contact_loss(RunState<R>& run, Span<BodySpeed<R>> before) {
  return {.bodies = view(run.bodies),
          .before = before,
          .pair_place = ledger_of_pairs(run),
          .slot_place = ledger_of_boundaries(run),
          .slot_slip = run.losses.of_boundaries(),
          .boundaries = run.boundary.view()};
}

/// Computes the losses of bodies at contacts in a step, after PairLosses has computed the losses of pairs.
template <class R, class Share>
[[nodiscard]] BodyLosses<R, Share> body_losses(RunState<R>& run, Span<BodySpeed<R>> before, const Share& share) {
  Pairs<R>& listed = run.contacts.pairs;
  BoundaryList<R>& near = run.contacts.near;
  return {.loss = contact_loss(run, before),
          .share = share,
          .pairs = listed.bodies.view(),
          .of_pair = run.losses.lost_by_pairs(),
          .incident_start = listed.incident_start.view(),
          .incident = listed.incident.view(),
          .row_of_body = near.row_of_body.view(),
          .row_start = near.row_start.view(),
          .slots = near.slot.view()};
}

/// The kernel that ends a step.
template <class R>
[[nodiscard]] StepEnd step_end(RunState<R>& run) {
  return {run.control.data(), run.contacts.stacks.view().counters, run.contacts.stacks.least_free()};
}

/// A functor as it is launched in a step; see InStep.
template <class F, class R>
[[nodiscard]] InStep<F, R> in_step(RunState<R>& run, const F& functor) {
  return {functor, run.plan.moments(run.control.data())};
}

}  // namespace scree::inline SCREE_BACKEND
