#include "host/scene/build_scene/groups.hpp"

#include <algorithm>

#include "host/case/describe_groups.hpp"
#include "host/geometry/real3.hpp"

namespace scree {
namespace {

std::uint32_t fixed_bits(const std::vector<std::string>& fixed) {
  const auto& names = motion_components();
  std::uint32_t bits = 0;
  for (const std::string& name : fixed) {
    bits |= 1U << static_cast<std::uint32_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }
  return bits;
}

void impose(const std::optional<Real3>& imposed, std::uint32_t fixed, Real3& velocity) {
  for (std::uint32_t k = 0; imposed && k < 3; ++k) {
    if ((fixed >> k & 1U) != 0) velocity[k] = (*imposed)[k];
  }
}

std::optional<Rotation> resolved(std::optional<Rotation> rotation) {
  if (rotation) rotation = Rotation{geometry::unit(rotation->axis), rotation->origin, rotation->radians_per_second()};
  return rotation;
}

SceneGroup resolved(const std::string& name, const GroupSettings& settings, double damping) {
  SceneGroup group;
  group.name = name;
  group.fixed = fixed_bits(settings.fixed);
  group.rotation = resolved(settings.rotation);
  group.force = settings.force;
  group.torque = settings.torque;
  group.damping = settings.damping.value_or(damping);
  group.own_damping = settings.damping.has_value();
  group.gravity = settings.gravity;
  group.velocity = settings.velocity;
  group.angular_velocity = settings.angular_velocity;
  return group;
}

/// Whether particles of an entry may belong to a group. The lines of a file may name any group.
bool may_hold(const ParticleGroup& entry, const std::string& group) {
  if (entry.group == group || (entry.file && !entry.group)) return true;
  if (entry.membrane && entry.membrane->ends == group) return true;
  return std::any_of(entry.mixture.begin(), entry.mixture.end(), [&](const auto& part) { return part.group == group; });
}

}  // namespace

std::vector<SceneGroup> make_groups(const Case& input, std::vector<std::string>& warnings,
                                    std::vector<InputProblem>& problems) {
  const Integration& motion = input.integration;
  std::vector<SceneGroup> groups;
  const bool stages_damp = std::any_of(input.stages.begin(), input.stages.end(),
                                       [](const RunStage& stage) { return stage.viscous_damping.value_or(0) > 0; });
  const bool any_membrane = std::any_of(input.particles.begin(), input.particles.end(),
                                        [](const ParticleGroup& entry) { return entry.membrane.has_value(); });
  if (input.groups.empty() && !any_membrane && !input.fluid && motion.viscous_damping == 0 && motion.damp_gravity &&
      !stages_damp)
    return groups;
  groups.emplace_back().damping = motion.damping;
  for (const auto& [name, settings] : input.groups) {
    const bool used = std::any_of(input.particles.begin(), input.particles.end(),
                                  [&, &key = name](const ParticleGroup& entry) { return may_hold(entry, key); });
    const bool fills = std::any_of(input.stages.begin(), input.stages.end(), [&, &key = name](const RunStage& stage) {
      return std::any_of(stage.groups.begin(), stage.groups.end(),
                         [&](const auto& staged) { return staged.first == key && staged.second.join; });
    });
    if (!used && !fills) warnings.push_back("groups." + name + ": no entry of \"particles\" belongs to it");
    groups.push_back(resolved(name, settings, motion.damping));
  }
  constexpr std::size_t most_groups = 65536;
  if (groups.size() > most_groups) problems.push_back({"groups", "at most 65535 are possible"});
  return groups;
}

GroupChange change_of(const StagedGroup& change) {
  GroupChange result{.velocity = change.velocity,
                     .angular_velocity = change.angular_velocity,
                     .rotation = resolved(change.rotation),
                     .force = change.force,
                     .torque = change.torque,
                     .damping = change.damping,
                     .gravity = change.gravity};
  if (change.fixed) { result.fixed = fixed_bits(*change.fixed); }
  return result;
}

namespace {

/// Sets `is_true` for each group that exchanges particles with a group for which it is set, when a stage begins.
/// Returns whether this changed anything.
bool spread_by_joining(const Scene& scene, std::vector<bool>& is_true) {
  bool changed = false;
  for (const SceneStage& stage : scene.stages) {
    for (const SceneStagedGroup& staged : stage.groups) {
      if (!staged.join) { continue; }
      const std::vector<std::string>& from = staged.join->groups;
      std::vector<std::size_t> together{staged.group};
      for (std::size_t g = 0; g < scene.groups.size(); ++g) {
        const bool joins = from.empty() || std::find(from.begin(), from.end(), scene.groups[g].name) != from.end();
        if (joins) { together.push_back(g); }
      }
      const bool any = std::any_of(together.begin(), together.end(), [&](std::size_t g) { return is_true[g]; });
      for (const std::size_t g : together) {
        changed = changed || is_true[g] != any;
        is_true[g] = any;
      }
    }
  }
  return changed;
}

}  // namespace

std::vector<bool> groups_that_ever(const Scene& scene, const std::function<bool(const SceneGroup&)>& holds) {
  std::vector<SceneGroup> now = scene.groups;
  std::vector<bool> ever(now.size());
  std::transform(now.begin(), now.end(), ever.begin(), holds);
  for (const SceneStage& stage : scene.stages) {
    for (const SceneStagedGroup& staged : stage.groups) {
      now[staged.group] = changed(std::move(now[staged.group]), staged.change);
      ever[staged.group] = ever[staged.group] || holds(now[staged.group]);
    }
  }
  while (spread_by_joining(scene, ever)) {}
  return ever;
}

std::uint32_t group_index(const Case& input, const std::optional<std::string>& name) {
  for (std::size_t i = 0; name && i < input.groups.size(); ++i) {
    if (input.groups[i].first == *name) return static_cast<std::uint32_t>(i + 1);
  }
  return 0;
}

void impose_motion(const std::vector<SceneGroup>& groups, ParticleSet& particles) {
  for (std::size_t i = 0; i < particles.group.size(); ++i) {
    const SceneGroup& group = groups[particles.group[i]];
    if (group.rotation) {
      const Real3 spin = geometry::scaled(group.rotation->axis, group.rotation->radians_per_second());
      particles.angular_velocity[i] = spin;
      particles.velocity[i] = geometry::cross(spin, geometry::subtract(particles.position[i], group.rotation->origin));
      continue;
    }
    impose(group.velocity, group.fixed, particles.velocity[i]);
    impose(group.angular_velocity, group.fixed >> 3, particles.angular_velocity[i]);
  }
  if (particles.group.empty()) return;
  for (Clump& clump : particles.clumps) {
    const SceneGroup& group = groups[particles.group[clump.first]];
    if (group.rotation) {
      clump.angular_velocity = geometry::scaled(group.rotation->axis, group.rotation->radians_per_second());
      clump.velocity =
          geometry::cross(clump.angular_velocity, geometry::subtract(clump.position, group.rotation->origin));
      continue;
    }
    impose(group.velocity, group.fixed, clump.velocity);
    impose(group.angular_velocity, group.fixed >> 3, clump.angular_velocity);
  }
}

}  // namespace scree
