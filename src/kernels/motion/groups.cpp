#include "kernels/motion/groups.hpp"

#include <algorithm>

#include "kernels/archive/state_io.hpp"
#include "kernels/math/decay.hpp"
#include "kernels/math/real3.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// The rotation of a group as mean velocity over steps of this length [s].
AxisTurn axis_turn(const Rotation& rotation, double time_step) {
  const double rate = rotation.radians_per_second(), angle = rate * time_step;
  const math::SineCosine whole = math::sincos(angle), half = math::sincos(0.5 * angle);
  return {vec(rotation.axis), vec(rotation.origin), whole.sine / time_step, 2 * half.sine * half.sine / time_step,
          rate};
}

}  // namespace

template <class R>
void GroupRules<R>::make(const Scene& scene, double time_step) {
  std::vector<GroupRule<R>> fresh;
  const Vec3<R> gravity = convert<R>(vec(scene.gravity)), none{R(0), R(0), R(0)};
  for (const SceneGroup& group : scene.groups) {
    SCREE_EXPECT(!group.rotation || group.fixed == (fixed_translation | fixed_rotation), "a group that turns is fixed");
    GroupRule<R> rule{};
    rule.force = convert<R>(vec(group.force));
    rule.torque = convert<R>(vec(group.torque));
    rule.damped_gravity = group.gravity && scene.integration.damp_gravity ? gravity : none;
    rule.free_gravity = group.gravity && !scene.integration.damp_gravity ? gravity : none;
    rule.damping = static_cast<R>(group.damping);
    rule.fixed = group.fixed;
    rule.turns = group.rotation ? 1 : 0;
    if (group.rotation) { rule.turn = axis_turn(*group.rotation, time_step); }
    fresh.push_back(rule);
  }
  SCREE_EXPECT(!fresh.empty() || (scene.integration.damp_gravity && scene.integration.viscous_damping == 0),
               "these settings need a group");
  SCREE_EXPECT(fresh.size() <= 65536, "at most 65536 groups");
  rules.assign(fresh, "groups");
}

template <class R>
void GroupRules<R>::plan(const Scene& scene, const StepTimes& times, MotionMoment<R>& motion) {
  const bool turns =
      std::any_of(scene.groups.begin(), scene.groups.end(), [](const SceneGroup& g) { return g.rotation.has_value(); });
  if (scene.adaptive && turns) { make(scene, times.next); }  // the mean velocity of a turn depends on the step
  const double time = times.kick(), rate = scene.integration.viscous_damping;
  const Decay part = decay(rate * time);
  motion.keep = static_cast<R>(part.left);
  motion.loss = static_cast<R>(rate * time * part.mean);
  motion.group_kick = static_cast<R>(part.mean * time);
  motion.lead = static_cast<R>(time - 0.5 * times.next);
}

template <class R>
void GroupRules<R>::save(const std::vector<index_t>& ids, StateWriter& out) const {
  if (of_id.size() == 0) { return; }
  const auto all = of_id.to_vector();
  std::vector<std::uint32_t> group(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) { group[i] = all[ids[i]]; }
  out.rows(
      "bodies/group", "1", group.size(), [&](std::size_t i) -> const auto& { return group[i]; });
}

template <class R>
void GroupRules<R>::restore(const std::vector<index_t>& ids, std::size_t n_ids, StateReader& in) {
  of_id.assign({});
  if (rules.size() <= 1) { return; }
  std::vector<std::uint32_t> group(ids.size());
  in.rows(
      "bodies/group", "", group.size(), [&](std::size_t i) -> auto& { return group[i]; });
  std::vector<std::uint16_t> all(n_ids);  // groups of bodies that no longer exist are never read
  for (std::size_t i = 0; i < ids.size(); ++i) {
    expect_state(group[i] < rules.size(), [&] {
      return broken_rule(StateEntry{"bodies/group", "particle", ids[i]}.text(),
                         "below " + std::to_string(rules.size()) + ", the number of groups", std::uint64_t(group[i]));
    });
    all[ids[i]] = static_cast<std::uint16_t>(group[i]);
  }
  of_id.assign(all);
}

template struct GroupRules<float>;
template struct GroupRules<double>;

}  // namespace scree::inline SCREE_BACKEND
