#include "kernels/steering/steering.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/backend/rearrange.hpp"
#include "kernels/bodies/clump_start.hpp"
#include "kernels/math/real3.hpp"
#include "kernels/run_state.hpp"
#include "scree/body_access.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr const char* label = "steering";

template <class T>
constexpr ValueType type_of = sizeof(T) == 8 ? ValueType::float64 : ValueType::float32;

/// The member of all records, as a column of `columns` numbers of type `type`.
template <class Member>
BodyColumn column_of(const char* name, const char* unit, const Member& member, ValueType type, std::size_t columns,
                     std::size_t stride) {
  return {name, unit, member.view().data, type, columns, stride};
}

template <class R>
struct ForgetRest {
  Span<BodySpeed<R>> before, now;
  Span<VelocityRest<R>> rest;
  SCREE_HD void operator()(std::size_t i) const {
    const auto differ = [](const Vec3<R>& a, const Vec3<R>& b) { return a.x != b.x || a.y != b.y || a.z != b.z; };
    if (differ(before[i].velocity, now[i].velocity)) { rest[i].velocity = {R(0), R(0), R(0)}; }
    if (differ(before[i].angular_velocity, now[i].angular_velocity)) { rest[i].angular_velocity = {R(0), R(0), R(0)}; }
  }
};

template <class R>
void enter_cell(RunState<R>& run) {
  if (!run.cell.any()) { return; }
  run.in_cell.round_positions(run, 0);
  run.in_cell.some_are_out = true;
}

/// Makes the next search find out again how far bodies are from boundaries.
template <class R>
void forget_clearance(RunState<R>& run) {
  run.bodies.clearance.zero();
}

/// Stores the position in memory of each body by its id; one thread per body.
struct NotePlaceOfId {
  Span<index_t> id, place;
  SCREE_HD void operator()(std::size_t i) const { place[id[i]] = static_cast<index_t>(i); }
};

/// Writes new values; one thread per change. An empty span changes nothing.
template <class R>
struct WriteBody {
  Span<index_t> body;
  Span<Vec3d> position, velocity, spin;
  BodyView<R> bodies;

  SCREE_HD void operator()(std::size_t k) const {
    const std::size_t i = body[k];
    if (position.size > 0) { bodies.position[i] = position[k]; }
    if (velocity.size > 0) { bodies.velocity[i] = convert<R>(velocity[k]); }
    if (spin.size > 0) { bodies.angular_velocity[i] = convert<R>(spin[k]); }
    if constexpr (loses_increments<R>) {
      if (velocity.size > 0) {
        bodies.rest[i].velocity = convert<R>(velocity[k] - convert<double>(bodies.velocity[i]));
      }
      if (spin.size > 0) {
        bodies.rest[i].angular_velocity = convert<R>(spin[k] - convert<double>(bodies.angular_velocity[i]));
      }
    }
  }
};

void expect(bool condition, const std::string& sentence) {
  if (!condition) { throw ContractError(sentence); }
}

/// The values as vectors; they must be finite and as many as ids, or none.
std::vector<Vec3d> vectors(const std::vector<Real3>& values, std::size_t n, const char* what) {
  expect(values.empty() || values.size() == n,
         std::string(what) + ": " + std::to_string(values.size()) + " values for " + std::to_string(n) + " ids");
  std::vector<Vec3d> result;
  for (const Real3& a : values) {
    expect(std::isfinite(a[0]) && std::isfinite(a[1]) && std::isfinite(a[2]),
           std::string(what) + ": a value is not a finite number");
    result.push_back(vec(a));
  }
  return result;
}

/// One thread writes each change, so of two values for one body either could win.
void expect_once(std::vector<std::uint32_t> ids, const char* what) {
  std::sort(ids.begin(), ids.end());
  const auto twice = std::adjacent_find(ids.begin(), ids.end());
  if (twice != ids.end()) { throw ContractError(std::string(what) + " " + std::to_string(*twice) + " is named twice"); }
}

template <class R>
void expect_velocities_can_be_set(const RunState<R>& run, bool any) {
  expect(!any || !run.cell.any() || !run.cell.deforms(),
         "velocities cannot be set while the periodic cell deforms, since they are relative to its flow");
}

template <class T>
Buffer<T> on_backend(const std::vector<T>& values) {
  Buffer<T> buffer;
  buffer.assign(values, label);
  return buffer;
}

/// Replaces the values of some elements of a field.
template <class T>
void replace(Buffer<T>& field, const std::vector<index_t>& places, const std::vector<T>& values) {
  for (std::size_t k = 0; k < values.size(); ++k) { field.set_element(places[k], values[k]); }
}

}  // namespace

static_assert(parking_place == removed_place, "a program finds removed bodies where the kernels park them");

template <class R>
std::vector<index_t> places_of_spheres(RunState<R>& run, const std::vector<std::uint32_t>& ids) {
  expect_once(ids, "particle");
  const auto expect_there = [](bool is_there, std::uint32_t id) {
    expect(is_there, "there is no particle " + std::to_string(id) + " in the run");
  };
  for (const std::uint32_t id : ids) { expect_there(id < run.count.ids(), id); }
  Buffer<index_t> of_id;
  of_id.discard_and_resize(run.count.ids(), label);
  run.exec.for_each(label, of_id.size(), FillIndex{of_id.view()});
  run.exec.for_each(label, run.count.bodies, NotePlaceOfId{run.bodies.id.view(), of_id.view()});
  const std::vector<index_t> result = elements_at(run.exec, label, on_backend(ids).view(), of_id);
  for (std::size_t k = 0; k < ids.size(); ++k) { expect_there(result[k] != no_index, ids[k]); }
  Buffer<index_t> at = on_backend(result);
  const auto place = elements_at(run.exec, label, at.view(), run.bodies.place);
  const auto speed = elements_at(run.exec, label, at.view(), run.bodies.speed);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    expect_there(!is_parked(place[k].position), ids[k]);
    expect(!run.clumps.any() || !is_member(speed[k].inverse_inertia),
           "particle " + std::to_string(ids[k]) + " is a member of a clump or a grain: set that");
  }
  return result;
}

template <class R>
BodyColumns body_columns(RunState<R>& run) {
  BodyColumns result;
  result.rows = run.count.bodies;
  result.on_gpu = SCREE_ON_CUDA;
  wait_for_backend();
  Bodies<R>& b = run.bodies;
  constexpr ValueType real = type_of<R>;
  constexpr std::size_t place = sizeof(BodyPlace<R>), speed = sizeof(BodySpeed<R>);
  result.columns = {column_of("position", "m", b.position(), ValueType::float64, 3, place),
                    column_of("radius", "m", b.radius(), real, 1, place),
                    column_of("velocity", "m/s", b.velocity(), real, 3, speed),
                    column_of("angular_velocity", "rad/s", b.angular_velocity(), real, 3, speed),
                    column_of("inverse_mass", "1/kg", b.inverse_mass(), real, 1, speed),
                    {"id", "1", b.id.data(), ValueType::uint32, 1, sizeof(index_t)},
                    {"material", "1", b.material.data(), ValueType::uint32, 1, sizeof(std::uint32_t)}};
  if (run.heat.any()) {
    result.columns.push_back({"temperature", "K", run.heat.temperature().data, ValueType::float64, 1, sizeof(double)});
  }
  return result;
}

template <class R>
void BodyEdit<R>::begin(RunState<R>& run) {
  if constexpr (loses_increments<R>) {
    before_.discard_and_resize(run.count.bodies, label);
    copy_within_backend(before_.data(), run.bodies.speed.data(), run.count.bodies * sizeof(BodySpeed<R>));
  }
}

template <class R>
void BodyEdit<R>::end(RunState<R>& run) {
  if constexpr (loses_increments<R>) {
    SCREE_EXPECT(before_.size() == run.count.bodies, "no body came or went during an edit");
    run.exec.for_each(label, run.count.bodies,
                      ForgetRest<R>{before_.view(), run.bodies.speed.view(), run.bodies.rest.view()});
  }
  enter_cell(run);
  forget_clearance(run);
  run.lists.spent = true;
}

template <class R>
void set_bodies(RunState<R>& run, const BodyChange& change) {
  const std::size_t n = change.id.size();
  const auto position = vectors(change.position, n, "position"), velocity = vectors(change.velocity, n, "velocity"),
             spin = vectors(change.angular_velocity, n, "angular_velocity");
  expect_velocities_can_be_set(run, !velocity.empty() || !spin.empty());
  if (n == 0) { return; }
  Buffer<index_t> body = on_backend(places_of_spheres(run, change.id));
  Buffer<Vec3d> x = on_backend(position), v = on_backend(velocity), w = on_backend(spin);
  run.exec.for_each(label, n, WriteBody<R>{body.view(), x.view(), v.view(), w.view(), view(run.bodies)});
  if (position.empty()) { return; }
  enter_cell(run);
  forget_clearance(run);
}

template <class R>
void set_clumps(RunState<R>& run, const ClumpChange& change) {
  const std::size_t n = change.id.size();
  const auto position = vectors(change.position, n, "position"), velocity = vectors(change.velocity, n, "velocity"),
             spin = vectors(change.angular_velocity, n, "angular_velocity");
  expect_velocities_can_be_set(run, !velocity.empty() || !spin.empty());
  std::vector<Quaterniond> orientation;
  for (const auto& q : change.orientation) {
    const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    expect(std::isfinite(length) && length > 0, "orientation: a value is no quaternion");
    orientation.push_back(normalised(Quaterniond{q[0], q[1], q[2], q[3]}));
  }
  expect(orientation.empty() || orientation.size() == n, "orientation: as many values as ids are needed");
  if (n == 0) { return; }
  expect_once(change.id, "clump");
  std::vector<index_t> at(run.clumps.n_made, no_index);
  if (run.clumps.any()) {
    const auto id = run.clumps.fields.id.to_vector();
    const auto mass = run.clumps.fields.mass.to_vector();
    for (std::size_t c = 0; c < id.size(); ++c) {
      if (mass[c] != 0) { at[id[c]] = static_cast<index_t>(c); }
    }
  }
  std::vector<index_t> places;
  for (const std::uint32_t id : change.id) {
    expect(id < at.size() && at[id] != no_index, "there is no clump " + std::to_string(id) + " in the run");
    places.push_back(at[id]);
  }
  Clumps& fields = run.clumps.fields;
  replace(fields.position, places, position), replace(fields.velocity, places, velocity);
  replace(fields.orientation, places, orientation), replace(fields.angular_velocity, places, spin);
  Buffer<index_t> changed = on_backend(places);
  const bool turns_anew = !orientation.empty() || !spin.empty();
  run.exec.for_each(
      label, n,
      ClumpRestart<R>{changed.view(), view(fields), run.clumps.members(), view(run.bodies), turns_anew ? 1u : 0u});
  if (turns_anew) { run.modes.restart(run, changed.view()); }
  if (run.cell.any()) { run.in_cell.some_are_out = true; }
  forget_clearance(run);
  run.grains.refresh(run);
}

/// Recorded launches have gravity among their parameters.
template <class R>
void set_gravity(RunState<R>& run, const Real3& gravity) {
  static_cast<void>(vectors({gravity}, 1, "gravity"));
  run.scene.gravity = gravity;
  if (run.groups.any()) { run.groups.make(run.scene, run.clock.next()); }
  buffer_changes().fetch_add(1, std::memory_order_relaxed);
}

/// Recorded launches may have the parameters of a law among their own.
template <class R>
void set_friction(RunState<R>& run, const std::vector<PairFriction>& changes) {
  const std::size_t n = run.scene.materials.size();
  for (const PairFriction& change : changes) {
    expect(change.first < n && change.second < n, "there is no such material");
    expect(std::isfinite(change.friction) && change.friction >= 0, "friction must be a number that is not negative");
    expect(!needs_of(run.scene.law_of(change.first, change.second)).load_history,
           "the friction of the law jaeger stays as it is: what its contacts remember holds for one friction");
  }
  for (const PairFriction& change : changes) {
    run.scene.pairs[change.first * n + change.second].friction = change.friction;
    run.scene.pairs[change.second * n + change.first].friction = change.friction;
  }
  update_laws(run.laws, run.scene);
  buffer_changes().fetch_add(1, std::memory_order_relaxed);
}

template <class R>
void set_damping(RunState<R>& run, double damping, double viscous) {
  expect(damping >= 0 && damping < 1, "damping must lie in [0, 1)");
  expect(std::isfinite(viscous) && viscous >= 0, "viscous damping must be a number that is not negative");
  expect(viscous == 0 || run.groups.any(), "viscous damping can be set only if the case has groups or viscous damping");
  run.scene.integration.damping = damping;
  run.scene.integration.viscous_damping = viscous;
  for (SceneGroup& group : run.scene.groups) {
    if (!group.own_damping) { group.damping = damping; }
  }
  if (run.groups.any()) { run.groups.make(run.scene, run.clock.next()); }
  buffer_changes().fetch_add(1, std::memory_order_relaxed);
}

template <class R>
void set_time_step(RunState<R>& run, double fixed, double safety, std::uint64_t since) {
  expect(run.scene.adaptive.has_value(), "the time step of this scene is constant");
  expect(since <= run.step, "a time step cannot be set for a later step");
  expect(std::isfinite(fixed) && fixed >= 0, "the time step must be a number that is not negative");
  expect(fixed > 0 || (safety > 0 && safety <= 1), "the safety of a time step must lie in (0, 1]");
  run.scene.adaptive->fixed = fixed;
  if (fixed == 0) { run.scene.adaptive->safety = safety; }
  if (fixed > 0 && since == run.step) { run.clock.set_next(fixed); }
}

template <class R>
void set_present(RunState<R>& run, std::size_t boundary, bool present) {
  run.boundary.set_present(boundary, present);
  forget_clearance(run);
}

template <class R>
void set_boundary_heat(RunState<R>& run, std::size_t boundary, std::optional<double> temperature,
                       std::optional<double> heat_flux) {
  expect(run.heat.any(), "the scene has no heat");
  expect(boundary < run.scene.boundaries.size(), "there is no such boundary");
  expect(!temperature || !heat_flux, "a boundary has a temperature or a flux");
  expect(!temperature || (std::isfinite(*temperature) && *temperature > 0), "a temperature must be a number above 0");
  expect(!heat_flux || std::isfinite(*heat_flux), "a flux of heat must be a number");
  run.scene.boundaries[boundary].temperature = temperature;
  run.scene.boundaries[boundary].heat_flux = heat_flux;
  run.heat.set_boundary(boundary, run.scene.boundaries[boundary]);
}

template std::vector<index_t> places_of_spheres(RunState<float>&, const std::vector<std::uint32_t>&);
template std::vector<index_t> places_of_spheres(RunState<double>&, const std::vector<std::uint32_t>&);
template BodyColumns body_columns(RunState<float>&);
template BodyColumns body_columns(RunState<double>&);
template class BodyEdit<float>;
template class BodyEdit<double>;
template void set_bodies(RunState<float>&, const BodyChange&);
template void set_bodies(RunState<double>&, const BodyChange&);
template void set_clumps(RunState<float>&, const ClumpChange&);
template void set_clumps(RunState<double>&, const ClumpChange&);
template void set_gravity(RunState<float>&, const Real3&);
template void set_gravity(RunState<double>&, const Real3&);
template void set_friction(RunState<float>&, const std::vector<PairFriction>&);
template void set_friction(RunState<double>&, const std::vector<PairFriction>&);
template void set_damping(RunState<float>&, double, double);
template void set_damping(RunState<double>&, double, double);
template void set_time_step(RunState<float>&, double, double, std::uint64_t);
template void set_time_step(RunState<double>&, double, double, std::uint64_t);
template void set_present(RunState<float>&, std::size_t, bool);
template void set_present(RunState<double>&, std::size_t, bool);
template void set_boundary_heat(RunState<float>&, std::size_t, std::optional<double>, std::optional<double>);
template void set_boundary_heat(RunState<double>&, std::size_t, std::optional<double>, std::optional<double>);

}  // namespace scree::inline SCREE_BACKEND
