#include <cmath>
#include <string>
#include <vector>

#include "kernels/integrators/rotation.hpp"
#include "kernels/math/real3.hpp"
#include "kernels/run_state.hpp"
#include "kernels/steering/steering.hpp"
#include "kernels/step/motion/ledger_motion.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// The velocities that a change imposes on the particles of a group.
struct ImposedMotion {
  std::uint32_t components;  ///< bits x, y, z, rx, ry, rz: these take the values of `velocity` and `spin`
  Vec3d velocity, spin;      ///< [m/s], [rad/s]
  std::uint32_t turns;       ///< 1: they turn by `spin` about an axis through `origin` instead
  Vec3d origin;              ///< [m]

  [[nodiscard]] SCREE_HD bool any() const { return components != 0 || turns != 0; }
  /// Imposes them on a particle at `x`.
  SCREE_HD void impose(const Vec3d& x, Vec3d& v, Vec3d& w) const {
    if (turns != 0) {
      w = spin;
      v = cross(spin, x - origin);
      return;
    }
    v = chosen(components, velocity, v);
    w = chosen(components >> 3, spin, w);
  }

 private:
  SCREE_HD static Vec3d chosen(std::uint32_t bits, const Vec3d& given, const Vec3d& kept) {
    return {(bits & 1u) != 0 ? given.x : kept.x, (bits & 2u) != 0 ? given.y : kept.y,
            (bits & 4u) != 0 ? given.z : kept.z};
  }
};

/// The particles that change: a whole group, or those that join it.
struct ChangedGroup {
  Span<std::uint16_t> of_id;  ///< [n_ids] group of each body; empty: all bodies belong to group 0
  Span<std::uint8_t> joins;   ///< [n_ids] 1: the body joins the group now; empty: the whole group changes
  std::uint16_t index;
  std::uint32_t is_held;  ///< 1: the centres of its particles are fixed from now on
  ImposedMotion imposed;

  [[nodiscard]] SCREE_HD bool has(index_t id) const {
    return joins.size > 0 ? joins[id] != 0 : (of_id.size > 0 ? of_id[id] : 0) == index;
  }
};

/// Changes the single bodies of the group; one thread per body.
template <class R>
struct ChangeSingles {
  BodyView<R> bodies;
  ChangedGroup group;

  SCREE_HD void operator()(std::size_t i) const {
    if (!group.has(bodies.id[i]) || is_parked(bodies.position[i]) || is_member(R(bodies.inverse_inertia[i]))) {
      return;
    }
    const R inverse_mass = bodies.inverse_mass[i];
    if (group.is_held != 0) {
      bodies.inverse_mass[i] = R(0);
    } else if (inverse_mass == R(0)) {
      bodies.inverse_mass[i] = static_cast<R>(1 / ledger_mass(R(0), R(bodies.inverse_inertia[i]), R(bodies.radius[i])));
    }
    if (!group.imposed.any()) { return; }
    const Vec3<R> velocity = bodies.velocity[i], spin = bodies.angular_velocity[i];
    Vec3d v = convert<double>(velocity), w = convert<double>(spin);
    group.imposed.impose(bodies.position[i], v, w);
    const Vec3<R> new_velocity = convert<R>(v), new_spin = convert<R>(w);
    bodies.velocity[i] = new_velocity, bodies.angular_velocity[i] = new_spin;
    if constexpr (loses_increments<R>) {
      VelocityRest<R>& rest = bodies.rest[i];
      rest.velocity = unless_new(velocity, new_velocity, rest.velocity);
      rest.angular_velocity = unless_new(spin, new_spin, rest.angular_velocity);
    }
  }

 private:
  /// The part that rounding has left out belongs to one velocity only, so a new velocity starts without it.
  SCREE_HD static Vec3<R> unless_new(const Vec3<R>& before, const Vec3<R>& now, const Vec3<R>& rest) {
    return {before.x == now.x ? rest.x : R(0), before.y == now.y ? rest.y : R(0), before.z == now.z ? rest.z : R(0)};
  }
};

/// Changes the clumps of the group and their members; one thread per clump.
template <class R>
struct ChangeClumps {
  ClumpView clumps;
  ClumpMembers members;
  BodyView<R> bodies;
  ChangedGroup group;
  std::uint32_t new_momentum;  ///< 1: the angular momentum must follow from the spin, since a rotation was fixed
  double last_step;            ///< [s] 0 at the start

  SCREE_HD void operator()(std::size_t c) const {
    if (clumps.mass[c] == 0 || !group.has(clumps.first[c])) { return; }
    Vec3d v = clumps.velocity[c], w = clumps.angular_velocity[c];
    group.imposed.impose(clumps.position[c], v, w);
    clumps.velocity[c] = v, clumps.angular_velocity[c] = w;
    const Rotor<double> rotor{clumps.orientation[c], w, {}};
    if (new_momentum != 0) { clumps.angular_momentum[c] = momentum_in_the_middle(rotor, clumps.inertia[c], last_step); }
    const RotationMatrix<double> turn = matrix_of(rotor.orientation);
    const R inverse_mass = group.is_held != 0 ? R(0) : static_cast<R>(1 / clumps.mass[c]);
    const std::uint32_t begin = members.shape_start[clumps.shape[c]], end = members.shape_start[clumps.shape[c] + 1];
    for (std::uint32_t m = begin; m < end; ++m) {
      const index_t body = members.body_of_id[clumps.first[c] + (m - begin)];
      bodies.inverse_mass[body] = inverse_mass;
      if (!group.imposed.any()) { continue; }
      const Vec3d arm = turn * (clumps.size[c] * members.place[m]);
      bodies.velocity[body] = convert<R>(v + cross(w, arm));
      bodies.angular_velocity[body] = convert<R>(w);
    }
  }
};

/// Makes the spheres of a clump join with the first of them; one thread per clump.
struct JoinMembers {
  ClumpView clumps;
  ClumpMembers members;
  Span<std::uint16_t> of_id;  ///< [n_ids] group of each body
  Span<std::uint8_t> joins;   ///< [n_ids] 1: the body joins a group now

  SCREE_HD void operator()(std::size_t c) const {
    if (clumps.mass[c] == 0) { return; }
    const index_t first = clumps.first[c];
    const std::uint32_t shape = clumps.shape[c], n = members.shape_start[shape + 1] - members.shape_start[shape];
    for (std::uint32_t m = 1; m < n; ++m) { of_id[first + m] = of_id[first], joins[first + m] = joins[first]; }
  }
};

[[nodiscard]] bool is_finite(const std::optional<Real3>& a) {
  return !a || (std::isfinite((*a)[0]) && std::isfinite((*a)[1]) && std::isfinite((*a)[2]));
}

void expect_possible(const GroupChange& change, const SceneGroup& after, bool cell_deforms) {
  const auto expect = [](bool condition, const char* sentence) {
    if (!condition) { throw ContractError(sentence); }
  };
  expect(is_finite(change.velocity) && is_finite(change.angular_velocity) && is_finite(change.force) &&
             is_finite(change.torque),
         "group: a value is not a finite number");
  expect(!change.damping || (*change.damping >= 0 && *change.damping < 1), "damping must lie in [0, 1)");
  expect(after.fixed <= (fixed_translation | fixed_rotation), "there are six components that can be fixed");
  expect(!cell_deforms || !(change.velocity || change.angular_velocity || change.rotation),
         "velocities cannot be set while the periodic cell deforms, since they are relative to its flow");
  if (!change.rotation) { return; }
  const Rotation& turn = *change.rotation;
  const Vec3d axis = vec(turn.axis);
  expect(after.fixed == (fixed_translation | fixed_rotation), "a group that turns has six fixed components");
  expect(turn.rate || turn.rpm, "a rotation needs a rate");
  expect(is_finite(turn.axis) && is_finite(turn.origin) && std::isfinite(turn.radians_per_second()),
         "rotation: a value is not a finite number");
  expect(std::abs(dot(axis, axis) - 1) < 1e-9, "the axis of a rotation must have length 1");
}

/// The motion that a change imposes on the components that are fixed after it.
ImposedMotion imposed_by(const GroupChange& change, std::uint32_t fixed) {
  ImposedMotion imposed{};
  if (change.rotation) {
    imposed.turns = 1;
    imposed.spin = change.rotation->radians_per_second() * vec(change.rotation->axis);
    imposed.origin = vec(change.rotation->origin);
    return imposed;
  }
  if (change.velocity) { imposed.components |= fixed & fixed_translation, imposed.velocity = vec(*change.velocity); }
  if (change.angular_velocity) {
    imposed.components |= fixed & fixed_rotation, imposed.spin = vec(*change.angular_velocity);
  }
  return imposed;
}

[[nodiscard]] bool holds_rotation(const SceneGroup& group) {
  return group.rotation.has_value() || (group.fixed & fixed_rotation) != 0;
}

/// Throws ContractError if a group fixes rotations of grains whose modes couple to their rotation. This concerns the
/// grains for which belongs(id) is true, and those that inlets bring to group `index`. The case reader rejects such
/// cases, too.
template <class R, class Belongs>
void expect_free_turns(RunState<R>& run, const SceneGroup& group, std::size_t index, Belongs&& belongs) {
  if (!holds_rotation(group) || !run.modes.coupling().any()) { return; }
  const auto expect_free = [&](std::uint32_t shape) {
    const ClumpShape& form = run.scene.clump_shapes.at(shape);
    if (!form.grain || !run.scene.grain_shapes.at(*form.grain).modes.inertia) { return; }
    throw ContractError("group: fixes a rotation of grains of the shape \"" + form.name +
                        "\", whose `deforming_inertia` needs free rotations");
  };
  for (const SceneInlet& inlet : run.scene.inlets) {
    if (inlet.shape && inlet.group == index) { expect_free(*inlet.shape); }
  }
  const auto mass = run.clumps.fields.mass.to_vector();
  const auto shape = run.clumps.fields.shape.to_vector();
  const auto first = run.clumps.fields.first.to_vector();
  for (std::size_t c = 0; c < mass.size(); ++c) {
    if (mass[c] != 0 && belongs(first[c])) { expect_free(shape[c]); }
  }
}

/// Changes the bodies of a group. `rotation_was_held`: the rotation of some of them was fixed before.
template <class R>
void change_bodies(RunState<R>& run, const ChangedGroup& group, bool rotation_was_held) {
  run.exec.for_each("steering", run.count.bodies, ChangeSingles<R>{view(run.bodies), group});
  if (!run.clumps.any()) { return; }
  const ImposedMotion& imposed = group.imposed;
  const bool turns_anew = (imposed.components & fixed_rotation) != 0 || imposed.turns != 0;
  const double last_step = run.step == 0 ? 0 : run.clock.at(run.step).last;
  run.exec.for_each("steering", run.clumps.size(),
                    ChangeClumps<R>{view(run.clumps.fields), run.clumps.members(), view(run.bodies), group,
                                    turns_anew || rotation_was_held ? 1u : 0u, last_step});
}

}  // namespace

/// A change of the forces on the particles needs new rules only.
template <class R>
void set_group(RunState<R>& run, std::size_t index, const GroupChange& change, bool is_made) {
  if (index >= run.scene.groups.size() || !run.groups.any()) { throw ContractError("there is no such group"); }
  const SceneGroup before = run.scene.groups[index], after = changed(before, change);
  expect_possible(change, after, run.cell.any() && run.cell.deforms());
  if (holds_rotation(after) && run.modes.coupling().any()) {
    const std::vector<std::uint16_t> of_id = run.groups.of_id.to_vector();
    expect_free_turns(run, after, index, [&](index_t id) { return (of_id.empty() ? 0u : of_id[id]) == index; });
  }
  run.scene.groups[index] = after;
  run.groups.make(run.scene, run.clock.next());
  if (is_made || !change.moves()) { return; }
  const ImposedMotion imposed = imposed_by(change, after.fixed);
  const ChangedGroup group{
      run.groups.table().of_id, {}, static_cast<std::uint16_t>(index), after.is_held() ? 1u : 0u, imposed};
  change_bodies(run, group, holds_rotation(before));
}

/// Bodies take the rules of their new group with its number.
template <class R>
void join_group(RunState<R>& run, std::size_t index, const std::vector<std::uint32_t>& ids) {
  if (index >= run.scene.groups.size() || run.scene.groups.size() < 2) {
    throw ContractError("there is no such group");
  }
  if (ids.empty()) { return; }
  const SceneGroup& after = run.scene.groups[index];
  const GroupChange motion{
      .velocity = after.velocity, .angular_velocity = after.angular_velocity, .rotation = after.rotation};
  std::vector<std::uint16_t> of_id = run.groups.of_id.to_vector();
  std::vector<std::uint8_t> joins(of_id.size());
  bool rotation_was_held = false;
  for (const std::uint32_t id : ids) {
    if (id >= of_id.size()) { throw ContractError("there is no particle " + std::to_string(id)); }
    rotation_was_held = rotation_was_held || holds_rotation(run.scene.groups[of_id[id]]);
    of_id[id] = static_cast<std::uint16_t>(index);
    joins[id] = 1;
  }
  expect_free_turns(run, after, index, [&](index_t id) { return joins[id] != 0; });
  run.groups.of_id.assign(of_id, "groups");
  Buffer<std::uint8_t> joining;
  joining.assign(joins, "groups");
  if (run.clumps.any()) {
    run.exec.for_each(
        "steering", run.clumps.size(),
        JoinMembers{view(run.clumps.fields), run.clumps.members(), run.groups.of_id.view(), joining.view()});
  }
  const ChangedGroup group{run.groups.table().of_id, joining.view(), static_cast<std::uint16_t>(index),
                           after.is_held() ? 1u : 0u, imposed_by(motion, after.fixed)};
  change_bodies(run, group, rotation_was_held);
}

template void set_group(RunState<float>&, std::size_t, const GroupChange&, bool);
template void set_group(RunState<double>&, std::size_t, const GroupChange&, bool);
template void join_group(RunState<float>&, std::size_t, const std::vector<std::uint32_t>&);
template void join_group(RunState<double>&, std::size_t, const std::vector<std::uint32_t>&);

}  // namespace scree::inline SCREE_BACKEND
