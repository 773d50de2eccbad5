#include <algorithm>
#include <cmath>

#include "kernels/motion/step_limits.hpp"

#include "kernels/archive/state_io.hpp"
#include "kernels/motion/step_limit.hpp"
#include "kernels/run_state.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// x^(1/5) for x > 0 by Newton's method. Uses only + * /, so that the bits are the same everywhere.
double fifth_root(double x) {
  int exponent = 0;
  double part = std::frexp(x, &exponent);  // x = part * 2^exponent
  const int rest = ((exponent % 5) + 5) % 5;
  part = std::ldexp(part, rest);  // in [0.5, 16)
  double root = 2;                // starts above the root, so that the iteration only descends
  for (int k = 0; k < 12; ++k) {
    const double square = root * root;
    root = (4 * root + part / (square * square)) / 5;
  }
  return std::ldexp(root, (exponent - rest) / 5);
}

/// Number of steps from one check of all contacts to the next, if the step is fixed.
constexpr std::uint64_t look_interval = 200;

/// An adaptive step grows by at most this factor per check.
constexpr double most_growth = 1.05;

/// Finds the lowest id among the bodies with a value, and where this body stands in memory.
struct LowestWith {
  Span<double> value;
  double sought;
  Span<index_t> id;
  std::uint64_t* lowest;  ///< id * 2^32 + position
  SCREE_HD void operator()(std::size_t i) const {
    if (value[i] == sought) { atomic_min(lowest, (std::uint64_t(id[i]) << 32) | i); }
  }
};

/// [m] How far each body reaches from the origin, but for its coordinates along axes on which the cell repeats.
template <class R>
struct ReachOfBody {
  BodyView<R> bodies;
  bool repeats[3];
  Span<double> reach;
  SCREE_HD void operator()(std::size_t i) const {
    const Vec3d x = bodies.position[i];
    const Vec3d away{repeats[0] ? 0 : x.x, repeats[1] ? 0 : x.y, repeats[2] ? 0 : x.z};
    reach[i] = is_parked(x) ? 0 : norm(away) + double(bodies.radius[i]);
  }
};

/// The elements [begin, end).
template <class T>
std::vector<T> part_of(Buffer<T>& buffer, std::size_t begin, std::size_t end) {
  std::vector<T> values(end - begin);
  copy_from_backend(values.data(), buffer.data() + begin, values.size() * sizeof(T));
  return values;
}

}  // namespace

/// Computes the limits of all bodies and clumps from the present contacts. Pairs have the overlaps of the present
/// positions; contacts with boundaries are as they were evaluated last.
template <class R>
void StepLimits<R>::measure(RunState<R>& run) {
  pair_stiffness_.discard_and_resize(run.contacts.pairs.size(), "time step");
  slot_stiffness_.discard_and_resize(run.contacts.near.slot.size(), "time step");
  for (Buffer<double>* each : {&first_limit_, &first_dashpot_, &body_limit_, &square_speed_, &body_overlap_}) {
    each->discard_and_resize(run.count.bodies, "time step");
  }
  limiting_component_.discard_and_resize(run.count.bodies, "time step");
  const BoundaryContactViews<R> near = boundary_contact_views(run);
  const PairViews<R> pairs = pair_views(run);
  for (const auto& law : run.laws.laws) {
    law->boundary_stiffness(run.exec, run.contacts.near.body_of_row.size(), near, slot_stiffness_.view());
  }
  for (RunLaw<R>* law : run.laws.among_particles) {
    law->pair_stiffness(run.exec, run.contacts.pairs.size(), pairs, pair_stiffness_.view());
  }
  least_limit_.assign({~std::uint64_t(0), ~std::uint64_t(0)}, "time step");
  for (const LimitPass pass : {LimitPass::first, LimitPass::nearly_least, LimitPass::others}) {
    const BodyStepLimit<R> of_bodies{.bodies = view(run.bodies),
                                     .pairs = run.contacts.pairs.bodies.view(),
                                     .incident_start = run.contacts.pairs.incident_start.view(),
                                     .incident = run.contacts.pairs.incident.view(),
                                     .boundary_row = run.contacts.near.row_of_body.view(),
                                     .row_start = run.contacts.near.row_start.view(),
                                     .slots = run.contacts.near.slot.view(),
                                     .of_pair = pair_stiffness_.view(),
                                     .of_slot = slot_stiffness_.view(),
                                     .groups = run.groups.table(),
                                     .cell = cell_pairs(run),
                                     .pass = pass,
                                     .first = first_limit_.view(),
                                     .first_dashpot = first_dashpot_.view(),
                                     .limit = body_limit_.view(),
                                     .square_speed = square_speed_.view(),
                                     .component = limiting_component_.view(),
                                     .overlap = body_overlap_.view(),
                                     .least_first = least_limit_.data(),
                                     .least = least_limit_.data() + 1,
                                     .boundaries = run.boundary.view(),
                                     .nodes = run.grains.views(),
                                     .sheets = run.membranes.ids.view()};
    run.exec.for_each("time step", run.count.bodies, of_bodies);
    run.exec.for_each("time step", run.clumps.size(),
                      ClumpStepLimit<R>{of_bodies, view(run.clumps.fields), run.clumps.members(), run.modes.any(),
                                        run.modes.moduli()});
  }
}

/// The body with the lowest id among those whose value is `sought`.
template <class R>
typename StepLimits<R>::Found StepLimits<R>::first_with(RunState<R>& run, Buffer<double>& values, double sought) {
  Buffer<std::uint64_t> lowest;
  lowest.assign({~std::uint64_t(0)}, "time step");
  run.exec.for_each("time step", run.count.bodies,
                    LowestWith{values.view(), sought, run.bodies.id.view(), lowest.data()});
  const std::uint64_t found = lowest.element(0);
  return {static_cast<index_t>(found >> 32), static_cast<index_t>(found & 0xffffffffu)};
}

template <class R>
std::uint64_t StepLimits<R>::bytes() const {
  return pair_stiffness_.bytes() + slot_stiffness_.bytes() + first_limit_.bytes() + first_dashpot_.bytes() +
         body_limit_.bytes() + square_speed_.bytes() + body_overlap_.bytes() + body_reach_.bytes() +
         limiting_component_.bytes();
}

template <class R>
void StepLimits<R>::save(StateWriter& out) const {
  out("totals/watch", "1, s", watch_);
}

template <class R>
void StepLimits<R>::restore(StateReader& in) {
  in("totals/watch", "1, s", watch_);
}

/// Updates watch() by the limits and overlaps that measure() has found in `step`.
template <class R>
void StepLimits<R>::note(RunState<R>& run, std::uint64_t step) {
  constexpr double worth_a_name = 0.01;  // the particle of a smaller overlap is not looked up
  watch_.step = double(step);
  watch_.overlap = run.primitives.maximum(body_overlap_.view(), run.count.bodies);
  if (watch_.overlap > watch_.most_overlap) {
    watch_.most_overlap = watch_.overlap;
    watch_.most_overlap_step = double(step);
    watch_.most_overlap_particle =
        watch_.overlap > worth_a_name ? first_with(run, body_overlap_, watch_.overlap).id : 0;
  }
  const double limit = run.primitives.minimum(body_limit_.view(), run.count.bodies);
  watch_.critical = limit < 1e300 ? limit : 0;
  if (!(limit < 1e300) || (watch_.least_critical > 0 && !(limit < watch_.least_critical))) { return; }
  watch_.least_critical = limit;
  watch_.least_critical_step = double(step);
  watch_.least_critical_particle = run.clock.next() > limit ? first_with(run, body_limit_, limit).id : 0;
}

template <class R>
bool StepLimits<R>::look(RunState<R>& run, std::uint64_t index) {
  // Also without bodies: when the search drops those that were removed must not matter.
  if (steps_to_look(run, index) != 0) { return false; }
  measure(run);
  if (run.scene.adaptive) { choose_step(run, index); }
  note(run, index);
  return run.scene.adaptive.has_value();
}

template <class R>
std::uint64_t StepLimits<R>::steps_to_look(const RunState<R>& run, std::uint64_t index) {
  const auto& rule = run.scene.adaptive;
  const std::uint64_t every = rule && rule->fixed == 0 ? rule->every : look_interval;
  return (every - index % every) % every;
}

/// [m] No point of a body is farther from the origin. Unlike the reach of the lists, it does not depend on when bodies
/// were searched last, nor on the Verlet distance. Bodies may be on any side of a cell's faces, so the cell counts.
template <class R>
double StepLimits<R>::reach_of_bodies(RunState<R>& run) {
  const CellSystem& cell = run.cell;
  const auto repeats = [&](int k) { return cell.any() && cell.along(k); };
  body_reach_.discard_and_resize(run.count.bodies, "time step");
  run.exec.for_each("time step", run.count.bodies,
                    ReachOfBody<R>{view(run.bodies), {repeats(0), repeats(1), repeats(2)}, body_reach_.view()});
  const double own = run.primitives.maximum(body_reach_.view(), run.count.bodies);
  if (!cell.any()) { return own; }
  Vec3d low{0, 0, 0}, high{0, 0, 0};
  cell.set_bounds(low, high);
  return own + norm(Vec3d{std::max(-low.x, high.x), std::max(-low.y, high.y), std::max(-low.z, high.z)});
}

/// Chooses the length of the step that is about to be made, from the limits that measure() has found.
template <class R>
void StepLimits<R>::choose_step(RunState<R>& run, std::uint64_t index) {
  const AdaptiveStep& rule = *run.scene.adaptive;
  if (rule.fixed > 0) { return run.clock.set_next(rule.fixed); }
  const double by_contacts = run.primitives.minimum(body_limit_.view(), run.count.bodies);
  // Two of the fastest bodies may meet.
  double speed = 2 * math::sqrt(run.primitives.maximum(square_speed_.view(), run.count.bodies));
  if (run.boundary.moving()) {
    speed += run.boundary.most_travel(run.time(), run.clock.next(), reach_of_bodies(run)) / run.clock.next();
  }
  double limit = std::min(by_contacts, rule.impact_limit);
  if (speed > 0) { limit = std::min(limit, rule.impact_limit_at_unit_speed * fifth_root(1 / speed)); }
  if (!(by_contacts < 1e300)) { limit = std::min(limit, rule.free_limit); }
  double next = rule.safety * limit;
  if (index > 0) { next = std::min(next, most_growth * run.clock.next()); }
  if (!(next < 1e300)) { next = run.clock.next(); }
  run.clock.set_next(next);
}

template <class R>
CriticalStep StepLimits<R>::critical(RunState<R>& run) {
  CriticalStep result;
  if (run.step == 0 || run.count.bodies == 0 || !run.forces_known) { return result; }
  measure(run);
  const double limit = run.primitives.minimum(body_limit_.view(), run.count.bodies);
  if (!(limit < 1e300)) { return result; }
  const Found worst = first_with(run, body_limit_, limit);
  result.value = limit;
  result.particle = worst.id;
  result.radius = double(run.bodies.radius().element(worst.place));
  result.material = run.bodies.material.element(worst.place);
  result.rotation = limiting_component_.element(worst.place) >= 3;
  double most = -1;
  look_at_partners(run, worst.place, most, result);
  look_at_boundaries(run, worst.place, most, result);
  return result;
}

/// Counts the contacts of a body with other bodies, and looks for the stiffest.
template <class R>
void StepLimits<R>::look_at_partners(RunState<R>& run, index_t body, double& most, CriticalStep& result) {
  Pairs<R>& pairs = run.contacts.pairs;
  const std::size_t begin = pairs.incident_start.element(body), end = pairs.incident_start.element(body + 1);
  for (const std::uint32_t entry : part_of(pairs.incident, begin, end)) {
    const double normal = double(pair_stiffness_.element(entry >> 1).normal);
    if (!(normal > 0)) { continue; }
    ++result.contacts;
    if (normal > most) {
      most = normal;
      const BodyPair pair = pairs.bodies.element(entry >> 1);
      const index_t other = (entry & 1u) != 0 ? pair.first : pair.second;
      result.partner = run.bodies.id.element(other);
      result.partner_material = run.bodies.material.element(other);
    }
  }
}

/// The same for its contacts with boundaries.
template <class R>
void StepLimits<R>::look_at_boundaries(RunState<R>& run, index_t body, double& most, CriticalStep& result) {
  BoundaryList<R>& near = run.contacts.near;
  if (near.row_of_body.size() <= body) { return; }
  const index_t row = near.row_of_body.element(body);
  if (row == no_index) { return; }
  const std::size_t begin = near.row_start.element(row), end = near.row_start.element(row + 1);
  const auto slots = part_of(near.slot, begin, end);
  const auto stiffness = part_of(slot_stiffness_, begin, end);
  for (std::size_t k = 0; k < slots.size(); ++k) {
    if (slots[k].touching == 0) { continue; }
    ++result.contacts;
    if (double(stiffness[k].normal) > most) {
      most = double(stiffness[k].normal);
      result.partner = run.boundary.features()[slots[k].feature].boundary;
      result.partner_material = run.scene.boundaries[result.partner].material;
      result.with_boundary = true;
    }
  }
}

template class StepLimits<float>;
template class StepLimits<double>;

}  // namespace scree::inline SCREE_BACKEND
