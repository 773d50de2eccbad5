#include "host/case/check/fluid.hpp"

namespace scree {
namespace {

/// Complains about each damping of the motion: the drag of the fluid is in its place.
void refuse_damping(const Case& input, Problems& problems) {
  const auto refuse = [&](const std::optional<double>& damping, const std::string& path) {
    if (damping.value_or(0) == 0) return;
    problems.add(path, "does not go with \"fluid\", whose drag damps the motion; leave it out");
  };
  refuse(input.integration.damping, "integration.damping");
  refuse(input.integration.viscous_damping, "integration.viscous_damping");
  for (const auto& [name, group] : input.groups) refuse(group.damping, "groups." + name + ".damping");
  for (std::size_t k = 0; k < input.stages.size(); ++k) {
    const RunStage& stage = input.stages[k];
    const std::string path = "stages." + std::to_string(k);
    refuse(stage.damping, path + ".damping");
    refuse(stage.viscous_damping, path + ".viscous_damping");
    for (const auto& [name, group] : stage.groups) refuse(group.damping, path + ".groups." + name + ".damping");
  }
}

/// Complains about each condition on the unbalanced force: it counts contacts and weight, which do not balance in a
/// fluid.
void refuse_unbalanced_forces(const Case& input, Problems& problems) {
  const auto refuse = [&](const auto& conditions, const std::string& path) {
    if (!conditions.unbalanced_force) return;
    problems.add(path + ".unbalanced_force",
                 "does not go with \"fluid\", whose buoyancy and drag it does not count; give \"kinetic_energy\" or "
                 "\"speed\" instead");
  };
  for (std::size_t k = 0; k < input.stages.size(); ++k) {
    const std::optional<RunStageEnd>& until = input.stages[k].until;
    if (!until) continue;
    const std::string path = "stages." + std::to_string(k) + ".until";
    refuse(*until, path);
    for (std::size_t j = 0; j < until->all_of.size(); ++j) {
      refuse(until->all_of[j], path + ".all_of." + std::to_string(j));
    }
  }
}

}  // namespace

void check_fluid(const Case& input, Problems& problems) {
  if (!input.fluid) return;
  refuse_damping(input, problems);
  refuse_unbalanced_forces(input, problems);
  for (std::size_t k = 0; k < input.particles.size(); ++k) {
    if (!input.particles[k].membrane) continue;
    problems.add("particles." + std::to_string(k) + ".membrane",
                 "does not go with \"fluid\": what a fluid does to a sheet is not known");
  }
  const auto refuse = [&](bool given, const char* path) {
    if (given) problems.add(path, "does not go with \"fluid\", which does not deform with the cell");
  };
  refuse(input.domain.velocity_gradient.has_value(), "domain.velocity_gradient");
  refuse(!input.domain.control.empty(), "domain.control");
}

}  // namespace scree
