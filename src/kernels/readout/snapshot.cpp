#include "kernels/readout/readout.hpp"

#include <numeric>

#include "kernels/backend/collect.hpp"
#include "kernels/backend/large_vector.hpp"
#include "kernels/cell/room.hpp"
#include "kernels/math/real3.hpp"
#include "kernels/readout/coordination.hpp"
#include "kernels/readout/order.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr const char* snapshot_label = "snapshot";

Matrix3 rows_of(const Mat3d& m) { return {{{m.x.x, m.x.y, m.x.z}, {m.y.x, m.y.y, m.y.z}, {m.z.x, m.z.y, m.z.z}}}; }

template <class R>
struct PackedPlace {
  Vec3d position;
  R radius;
  std::uint32_t material;
};

template <class R>
struct PackPlace {
  BodyView<R> bodies;
  SCREE_HD PackedPlace<R> operator()(std::size_t i) const {
    return {bodies.position[i], bodies.radius[i], bodies.material[i]};
  }
};

struct PackedMotion {
  Vec3d velocity, spin;
};

/// The velocities of a body, with the part that rounding has left out so far.
template <class R>
struct MotionOfBody {
  BodyView<R> bodies;
  SCREE_HD PackedMotion operator()(std::size_t i) const {
    PackedMotion motion{convert<double>(bodies.velocity[i]), convert<double>(bodies.angular_velocity[i])};
    if constexpr (loses_increments<R>) {
      motion.velocity += convert<double>(bodies.rest[i].velocity);
      motion.spin += convert<double>(bodies.rest[i].angular_velocity);
    }
    return motion;
  }
};

/// Whether the group of a body fixes its centre.
template <class R>
struct HeldBody {
  SpeedColumn<R, R> inverse_mass;
  SCREE_HD std::uint32_t operator()(std::size_t i) const { return inverse_mass[i] == R(0) ? 1 : 0; }
};

template <class R>
struct ForceOfBody {
  WrenchGather<R> gather;
  RadiusColumn<R> radius;
  SCREE_HD Vec3<R> operator()(std::size_t i) const { return gather(i, radius[i]).force; }
};

struct IdOfBody {
  Span<index_t> id;
  SCREE_HD index_t operator()(std::size_t i) const { return id[i]; }
};

struct ImageOfBody {
  Span<index_t> id;
  Span<Image> of_id;
  SCREE_HD Image operator()(std::size_t i) const { return of_id[id[i]]; }
};

/// The numbers of bonds that a body has had, and has lost.
struct PackedBonds {
  std::uint32_t made, broken;
};
struct BondsOfBody {
  Span<index_t> id;
  Span<std::uint32_t> made, broken;
  SCREE_HD PackedBonds operator()(std::size_t i) const {
    return id[i] < made.size ? PackedBonds{made[id[i]], broken[id[i]]} : PackedBonds{0, 0};
  }
};

/// A given count of each body.
struct CountOfBody {
  Span<std::uint32_t> counts;
  SCREE_HD std::uint32_t operator()(std::size_t i) const { return counts[i]; }
};
/// A given number of each body.
struct NumberOfBody {
  Span<double> values;
  SCREE_HD double operator()(std::size_t i) const { return values[i]; }
};

/// Takes clumps back into the cell and adds the mean flow to their velocities.
template <class R>
void place_in_cell(const RunState<R>& run, const CellFlow<R>& flow, double last_step,
                   std::vector<SnapshotClump>& clumps) {
  const CellFlow<double> whole{flow.any, flow.origin, flow.back, flow.gradient, {}};
  const CellWrap wrap = run.cell.wrap();
  for (SnapshotClump& clump : clumps) {
    const Vec3d place{clump.position[0], clump.position[1], clump.position[2]},
        v{clump.velocity[0], clump.velocity[1], clump.velocity[2]};
    const Vec3d x = wrap.taken_back(place, wrap.image(place));
    clump.position = real3(x);
    if (flow.any) { clump.velocity = real3(v + whole.at(x, v, last_step)); }
  }
}

/// A value of each body, by id.
template <class R, class T, class OfBody, class Convert>
std::vector<T> column(RunState<R>& run, OrderById<R>& order, const OfBody& of_body, Convert convert_value) {
  std::vector<T> values = large_vector<T>(order.size());
  T* const to = values.data();
  order.collect_bodies(run.exec, snapshot_label, of_body,
                       [to, convert_value](std::size_t k, const auto& value) { to[k] = convert_value(value); });
  return values;
}

/// Adds the columns that were requested.
template <class R>
void add_requested(RunState<R>& run, const SnapshotRequest& request, OrderById<R>& order, Snapshot& result) {
  const Span<index_t> id = run.bodies.id.view();
  const bool listed = run.lists.rebuilds > 0;
  if (request.force) {
    const ForceOfBody<R> force{wrench_gather(run), run.bodies.radius().view()};
    result.force = listed ? column<R, Real3>(run, order, force, [](const Vec3<R>& f) { return real3(f); })
                          : std::vector<Real3>(order.size());
  }
  if (request.coordination) {
    Buffer<std::uint32_t> of_start;
    if (!listed) { of_start.assign(contacts_of_start(run), "output"); }
    const auto count = [&](const auto& contacts) {
      return column<R, std::uint32_t>(run, order, contacts, [](std::uint32_t n) { return n; });
    };
    result.coordination =
        listed ? count(coordination_of_body(run, acting_pairs(run))) : count(CountOfBody{of_start.view()});
  }
  if (request.held) {
    const HeldBody<R> held{run.bodies.inverse_mass().view()};
    result.held = column<R, std::uint8_t>(run, order, held, [](std::uint32_t n) { return std::uint8_t(n); });
  }
  const auto numbers = [&](Span<double> of_body) {
    return column<R, double>(run, order, NumberOfBody{of_body}, [](double x) { return x; });
  };
  if (request.temperature && run.heat.any()) { result.temperature = numbers(run.heat.temperature()); }
  if (request.film && run.films.any()) { result.film = numbers(run.films.volume()); }
  if (request.dissipated && run.losses.any()) { result.dissipated = numbers(run.losses.energy()); }
  if (request.damage) {
    const BondsOfBody bonds{id, run.contacts.bonds_made.view(), run.contacts.bonds_broken.view()};
    result.damage = column<R, double>(
        run, order, bonds, [](const PackedBonds& b) { return b.made > 0 ? double(b.broken) / double(b.made) : 0; });
  }
}

template <class R>
void add_names(RunState<R>& run, const SnapshotRequest& request, Snapshot& result) {
  if (request.fragment) {
    const std::vector<std::uint32_t> of_id = fragments(run);
    for (const std::uint32_t id : result.id) { result.fragment.push_back(of_id[id]); }
  }
  if (request.group) {
    result.group.resize(result.id.size());
    const std::vector<std::uint16_t> of_id = run.groups.of_id.to_vector();
    for (std::size_t k = 0; !of_id.empty() && k < result.id.size(); ++k) { result.group[k] = of_id[result.id[k]]; }
  }
}

template <class R>
void add_places(RunState<R>& run, OrderById<R>& order, Snapshot& result) {
  const std::size_t n = order.size();
  result.position = large_vector<Real3>(n), result.radius = large_vector<double>(n);
  result.id = large_vector<std::uint32_t>(n), result.material = large_vector<std::uint32_t>(n);
  if (order.is_whole()) {
    std::iota(result.id.begin(), result.id.end(), std::uint32_t(0));
  } else {
    result.id = column<R, std::uint32_t>(run, order, IdOfBody{run.bodies.id.view()}, [](index_t id) { return id; });
  }
  Snapshot* const to = &result;
  order.collect_bodies(run.exec, snapshot_label, PackPlace<R>{view(run.bodies)},
                       [to](std::size_t k, const PackedPlace<R>& place) {
                         to->position[k] = real3(place.position);
                         to->radius[k] = double(place.radius);
                         to->material[k] = place.material;
                       });
}

template <class R>
void add_motion(RunState<R>& run, OrderById<R>& order, Snapshot& result) {
  result.velocity = large_vector<Real3>(order.size()), result.angular_velocity = large_vector<Real3>(order.size());
  Snapshot* const to = &result;
  order.collect_bodies(run.exec, snapshot_label, MotionOfBody<R>{view(run.bodies)},
                       [to](std::size_t k, const PackedMotion& motion) {
                         to->velocity[k] = real3(motion.velocity);
                         to->angular_velocity[k] = real3(motion.spin);
                       });
}

/// Takes the particles back into the cell and adds the mean flow to their velocities.
template <class R>
void place_in_cell(RunState<R>& run, OrderById<R>& order, Snapshot& result) {
  result.image.resize(order.size());
  result.fluctuation = result.velocity;
  const CellFlow<R> flow = cell_flow(run);
  const CellWrap wrap = run.cell.wrap();
  Snapshot* const to = &result;
  order.collect_bodies(run.exec, snapshot_label, ImageOfBody{run.bodies.id.view(), run.in_cell.image.view()},
                       [to, flow, wrap](std::size_t k, const Image& image) {
                         const Vec3d out = vec(to->position[k]);
                         const Image away = wrap.image(out), all = image + away;
                         const Vec3d x = wrap.taken_back(out, away);
                         to->image[k] = {all.a, all.b, all.c};
                         to->position[k] = real3(x);
                         if (!flow.any) { return; }
                         const Vec3d v = vec(to->velocity[k]), spin = vec(to->angular_velocity[k]);
                         to->velocity[k] = real3(v + flow.at(x, convert<R>(v), to->step_length));
                         to->angular_velocity[k] = real3(spin + convert<double>(flow.spin));
                       });
}

}  // namespace

template <class R>
Snapshot snapshot_of(RunState<R>& run, const SnapshotRequest& request) {
  SCREE_EXPECT(run.forces_known || !request.force, "contact forces are not known between a search and the next step");
  Snapshot result;
  result.step = run.step;
  result.time = run.time();
  result.step_length = run.clock.at(run.step).last;
  OrderById<R> order(run);
  add_places(run, order, result);
  add_motion(run, order, result);
  add_requested(run, request, order, result);
  add_names(run, request, result);
  if (run.clumps.any()) { result.clumps = run.clumps.snapshot(run); }
  if (run.cell.any()) {
    place_in_cell(run, cell_flow(run), result.step_length, result.clumps);
    place_in_cell(run, order, result);
  }
  return result;
}

template <class R>
std::optional<CellState> cell_state(RunState<R>& run) {
  if (!run.cell.any()) { return std::nullopt; }
  const CellGeometry& g = run.cell.geometry();
  CellState state;
  state.edges = rows_of(transpose(g.edges));
  state.origin = {run.cell.origin().x, run.cell.origin().y, run.cell.origin().z};
  for (int k = 0; k < 3; ++k) { state.periodic[static_cast<std::size_t>(k)] = run.cell.along(k); }
  state.deformation = rows_of(g.deformation);
  state.velocity_gradient = rows_of(g.gradient);
  state.strain = g.strain;
  state.volume = room_in_cell(run);
  state.stage = static_cast<std::uint32_t>(run.cell.control().state().stage);
  return state;
}

template Snapshot snapshot_of(RunState<float>&, const SnapshotRequest&);
template Snapshot snapshot_of(RunState<double>&, const SnapshotRequest&);
template std::optional<CellState> cell_state(RunState<float>&);
template std::optional<CellState> cell_state(RunState<double>&);

}  // namespace scree::inline SCREE_BACKEND
