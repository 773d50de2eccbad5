#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "host/case/describe_goals.hpp"
#include "scree/cell.hpp"

/// The stages of `domain.control`.
namespace scree {

/// Describes a struct with one member for each of the six components of the cell, of which at least one must be given.
/// `each(key, member)` describes one member.
template <class Six, class Each>
auto describe_components(std::string_view text, const Each& each) {
  return object(text, each("xx", &Six::xx), each("yy", &Six::yy), each("zz", &Six::zz), each("yz", &Six::yz),
                each("xz", &Six::xz), each("xy", &Six::xy))
      .with_some_key();
}
/// The six members, in the order of cell_component_names.
template <class Six>
std::array<std::optional<double>, n_cell_components> components_of(
    const Six& values) requires std::same_as<decltype(values.xx), std::optional<double>> {
  return {values.xx, values.yy, values.zz, values.yz, values.xz, values.xy};
}

inline auto describe(Of<StressMultiples>) {
  return describe_components<StressMultiples>("Factors of other stresses.", [](std::string_view key, auto member) {
    return field(key, member, "", "Factor of this measured stress.", from_up_to(-10, 10));
  });
}

inline auto describe(Of<StrainMultiples>) {
  return describe_components<StrainMultiples>("Factors of other strains.", [](std::string_view key, auto member) {
    return field(key, member, "", "Factor of this strain.", from_up_to(-10, 10));
  });
}

inline auto describe(Of<ComponentControl>) {
  return object(
             "Control of one component of the cell; each goal is a number, or rows [time since the stage began, "
             "value].",
             field("strain_rate", &ComponentControl::strain_rate, "1/s",
                   "For xx, yy and zz the rate of the logarithmic strain; for xy the gradient along y of the velocity "
                   "along x, likewise for yz and xz."),
             field("strain", &ComponentControl::strain, "", "Strain since the stage began."),
             field("stress", &ComponentControl::stress, "Pa", "Stress, positive in tension."),
             field("follows", &ComponentControl::follows, "",
                   "The strain is the sum of the strains of other components times these factors; with -0.5 for zz in "
                   "both xx and yy the volume stays constant."),
             field("reverse_at_stress", &ComponentControl::reverse_at_stress, "Pa",
                   "The strain rate changes its sign whenever the magnitude of the stress reaches this value.",
                   above(0)),
             field("plus", &ComponentControl::plus, "",
                   "Other measured stresses times these factors are added to the goal of stress, or to the stress "
                   "that reverses the strain rate."))
      .with_exactly_one({"strain_rate", "strain", "stress", "follows"});
}
inline void check(const ComponentControl& component, Complaints& complaints) {
  if (component.reverse_at_stress && !component.strain_rate) {
    complaints.add("reverse_at_stress", "needs \"strain_rate\", of which it changes the sign");
  } else if (component.reverse_at_stress && most_of(*component.strain_rate) == 0) {
    complaints.add("reverse_at_stress", "has no effect, since the strain rate is 0");
  }
  if (component.plus && !component.stress && !component.reverse_at_stress) {
    complaints.add("plus", "needs \"stress\" or \"reverse_at_stress\", to which it adds");
  }
}

inline auto describe(Of<StageStrains>) {
  return describe_components<StageStrains>("One of these strains is reached.", [](std::string_view key, auto member) {
    return field(key, member, "", "The magnitude of this strain since the stage began is at least this.", above(0));
  });
}

inline auto describe(Of<StageStresses>) {
  return describe_components<StageStresses>("One of these stresses is passed.", [](std::string_view key, auto member) {
    return field(key, member, "Pa", "The stress passes this value, from the side on which it was at first.");
  });
}

inline auto describe(Of<VoidRatioCondition>) {
  return object("Void ratio of the whole cell, as in the series.",
                field("above", &VoidRatioCondition::above, "", "The void ratio is at least this.", above(0)),
                field("below", &VoidRatioCondition::below, "", "The void ratio is at most this.", above(0)))
      .with_exactly_one({"above", "below"});
}

inline auto describe(Of<SolidFractionCondition>) {
  return object(
             "Solid fraction: volume of the particles over the volume of the whole cell.",
             field("above", &SolidFractionCondition::above, "", "The solid fraction is at least this.", between(0, 1)),
             field("below", &SolidFractionCondition::below, "", "The solid fraction is at most this.", between(0, 1)))
      .with_exactly_one({"above", "below"});
}

inline auto describe(Of<StageEnd>) {
  return object(
             "Conditions that end a stage: its duration, a strain, a stress, reversals of strain rates, a void ratio "
             "or "
             "solid fraction, or stress error and unbalanced force together.",
             field("duration", &StageEnd::duration, "s", "Time since the stage began.", above(0)),
             field("strain", &StageEnd::strain, "", "One of these strains is reached."),
             field("stress", &StageEnd::stress, "", "One of these stresses is passed."),
             field("reversals", &StageEnd::reversals, "",
                   "Number of changes of sign of strain rates by \"reverse_at_stress\".", at_least(1)),
             field(
                 "stress_error", &StageEnd::stress_error, "",
                 "The difference of each stress from its goal is at most this fraction of the largest goal of stress.",
                 above(0)),
             field("unbalanced_force", &StageEnd::unbalanced_force, "",
                   "Mean force on a particle over mean contact force is at most this.", above(0)),
             field("void_ratio", &StageEnd::void_ratio, "", "The void ratio is above or below a limit."),
             field("solid_fraction", &StageEnd::solid_fraction, "", "The solid fraction is above or below a limit."))
      .with_some_key();
}
/// Describes a stage of the control. `until` is the text of its end, and `more` are further keys.
template <class Stage, class... More>
auto describe_control_stage(std::string_view text, std::string_view until, More... more) {
  const auto component = [](std::string_view key, auto member) {
    return field(key, member, "", "Component of the cell; left out: a strain rate of 0.");
  };
  return object(
      text, field("name", &Stage::name, "", "Name of the stage in the log and in conditions."),
      component("xx", &Stage::xx), component("yy", &Stage::yy), component("zz", &Stage::zz),
      component("yz", &Stage::yz), component("xz", &Stage::xz), component("xy", &Stage::xy),
      field("inertial_number", &Stage::inertial_number, "",
            "Largest inertial number of the strain rates that the program chooses to reach stresses.", above(0)),
      field("until", &Stage::until, "", until), more...);
}
inline auto describe(Of<RepeatedStage>) {
  return describe_control_stage<RepeatedStage>("One of several stages that are repeated.",
                                               "Conditions that end the stage.");
}
inline auto describe(Of<DoubleAmplitudes>) {
  return describe_components<DoubleAmplitudes>(
      "One of these double amplitudes is reached.", [](std::string_view key, auto member) {
        return field(key, member, "", "Largest minus least value of this strain since the round began.", above(0));
      });
}
inline auto describe(Of<RepeatEnd>) {
  return object("Conditions that end all rounds.",
                field("double_amplitude", &RepeatEnd::double_amplitude, "",
                      "The difference between the largest and the least value of a strain within a round is at least "
                      "this."))
      .with_some_key();
}
inline auto describe(Of<StageRepeat>) {
  return object("Stages that are run several times, one after the other.",
                required("times", &StageRepeat::times, "", "Number of rounds.", at_least(1)),
                required("stages", &StageRepeat::stages, "", "The stages of a round.", some_items()),
                field("until", &StageRepeat::until, "", "Conditions that end all rounds earlier."));
}
inline auto describe(Of<ControlStage>) {
  return describe_control_stage<ControlStage>(
      "One stage of the control of a periodic cell, or several that are repeated.",
      "Conditions that end the stage; only the last stage may leave them out: it lasts to the end of the run.",
      field("repeat", &ControlStage::repeat, "", "Stages that are run several times, in place of this stage."));
}
/// The controls of the six components, in the order of cell_component_names.
inline std::array<const std::optional<ComponentControl>*, n_cell_components> components_of(const ControlStage& stage) {
  return {&stage.xx, &stage.yy, &stage.zz, &stage.yz, &stage.xz, &stage.xy};
}
/// The keys of the given conditions on the volume of the cell.
inline std::vector<std::string> keys_of_volume(const StageEnd& end) {
  std::vector<std::string> keys;
  if (end.void_ratio) keys.emplace_back("void_ratio");
  if (end.solid_fraction) keys.emplace_back("solid_fraction");
  return keys;
}
/// Whether a component can reach a strain (its magnitude).
inline bool can_reach(const std::optional<ComponentControl>& component, double strain) {
  if (!component) return false;
  if (component->strain_rate) return most_of(*component->strain_rate) > 0;
  return !component->strain || most_of(*component->strain) >= strain;
}
/// Complains about a component that follows itself, that follows a component without a control, or that follows a
/// component which follows others.
inline void check_follows(const ControlStage& stage, Complaints& complaints) {
  const auto components = components_of(stage);
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    if (!*components[k] || !(*components[k])->follows) continue;
    const auto multiples = components_of(*(*components[k])->follows);
    for (std::size_t j = 0; j < n_cell_components; ++j) {
      if (!multiples[j]) continue;
      const std::string path = std::string(cell_component_names[k]) + ".follows." + cell_component_names[j];
      if (j == k) {
        complaints.add(path, "is the component itself; it can follow only others");
      } else if (!*components[j]) {
        complaints.add(path, "has no control, so there is nothing to follow");
      } else if ((*components[j])->follows) {
        complaints.add(path, "follows others itself; name those here");
      }
    }
  }
}
/// Complains about a component whose own stress is added to its goal.
inline void check_plus(const ControlStage& stage, Complaints& complaints) {
  const auto components = components_of(stage);
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    const auto& component = *components[k];
    if (!component || !component->plus || !components_of(*component->plus)[k]) continue;
    const std::string name = cell_component_names[k];
    complaints.add(std::string(name).append(".plus.").append(name),
                   "is the stress of the component itself; only other stresses can be added");
  }
}
/// Complains about an end that the controls of the components can never reach.
inline void check_until(const ControlStage& stage, const StageEnd& until, Complaints& complaints) {
  const auto components = components_of(stage);
  const auto any = [&](const auto& has) {
    return std::any_of(components.begin(), components.end(), [&](const auto* c) { return *c && has(**c); });
  };
  if (until.reversals && !any([](const ComponentControl& c) { return c.reverse_at_stress.has_value(); })) {
    complaints.add("until.reversals", "needs a component with \"reverse_at_stress\"");
  }
  if (until.strain) {
    const auto strains = components_of(*until.strain);
    for (std::size_t k = 0; k < n_cell_components; ++k) {
      if (!strains[k] || can_reach(*components[k], *strains[k])) continue;
      complaints.add(std::string("until.strain.") + cell_component_names[k],
                     std::string("is never reached by what is asked for of \"") + cell_component_names[k] + "\", got " +
                         number_text(*strains[k]));
    }
  }
  if (until.stress_error && !any([](const ComponentControl& c) { return c.stress.has_value(); })) {
    complaints.add("until.stress_error", "needs a component with a goal of stress");
  }
  if (stage.xx || stage.yy || stage.zz) return;
  for (const std::string& key : keys_of_volume(until)) {
    complaints.add("until." + key, "is never reached, since the stage controls none of \"xx\", \"yy\" and \"zz\"");
  }
}
/// Complains about a stage that is not a repetition.
inline void check_single(const ControlStage& stage, Complaints& complaints) {
  check_plus(stage, complaints);
  check_follows(stage, complaints);
  if (stage.until) check_until(stage, *stage.until, complaints);
}
inline ControlStage whole(const RepeatedStage& stage) {
  return {stage.name, stage.xx, stage.yy, stage.zz, stage.yz, stage.xz, stage.xy, stage.inertial_number, stage.until};
}
inline void check(const RepeatedStage& stage, Complaints& complaints) {
  check_single(whole(stage), complaints);
  if (!stage.until) complaints.add("until", "is missing; without it the stage never ends, and no round is over");
}
inline void check(const StageRepeat& repeat, Complaints& complaints) {
  constexpr std::size_t most = 10000;  // each stage of each round is kept on its own
  if (repeat.stages.empty()) return;
  if (repeat.times > most / repeat.stages.size()) {
    complaints.add("times", "makes more than " + std::to_string(most) + " stages of " +
                                std::to_string(repeat.stages.size()) + ", got " + std::to_string(repeat.times));
  }
  if (!repeat.until || !repeat.until->double_amplitude) return;
  const auto amplitudes = components_of(*repeat.until->double_amplitude);
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    if (!amplitudes[k]) continue;
    const bool any = std::any_of(repeat.stages.begin(), repeat.stages.end(), [k](const RepeatedStage& stage) {
      const ControlStage as_one = whole(stage);
      return components_of(as_one)[k]->has_value();
    });
    if (any) continue;
    complaints.add(std::string("until.double_amplitude.") + cell_component_names[k],
                   std::string("is never reached, since no stage controls \"") + cell_component_names[k] + "\"");
  }
}
inline void check(const ControlStage& stage, Complaints& complaints) {
  if (!stage.repeat) return check_single(stage, complaints);
  const auto refuse = [&](bool given, const std::string& key) {
    if (given) complaints.add(key, "is not possible beside \"repeat\"; give it in its stages");
  };
  const auto components = components_of(stage);
  for (std::size_t k = 0; k < n_cell_components; ++k) refuse(components[k]->has_value(), cell_component_names[k]);
  refuse(stage.until.has_value(), "until");
  refuse(stage.inertial_number != ControlStage{}.inertial_number, "inertial_number");
}

/// Calls visit(path, stage) once for each stage of the control, also for a stage that is repeated. The path is such as
/// "control.2" or "control.2.repeat.stages.0".
template <class Visit>
void visit_control(const Domain& domain, const Visit& visit) {
  for (std::size_t s = 0; s < domain.control.size(); ++s) {
    const std::string path = "control." + std::to_string(s);
    if (!domain.control[s].repeat) {
      visit(path, domain.control[s]);
      continue;
    }
    const std::vector<RepeatedStage>& stages = domain.control[s].repeat->stages;
    for (std::size_t k = 0; k < stages.size(); ++k) {
      visit(path + ".repeat.stages." + std::to_string(k), whole(stages[k]));
    }
  }
}

static_assert(lists_every_member<ComponentControl> && lists_every_member<StressMultiples> &&
              lists_every_member<StrainMultiples> && lists_every_member<StageStrains> &&
              lists_every_member<StageStresses> && lists_every_member<VoidRatioCondition> &&
              lists_every_member<SolidFractionCondition> && lists_every_member<StageEnd> &&
              lists_every_member<DoubleAmplitudes> && lists_every_member<RepeatEnd> &&
              lists_every_member<RepeatedStage> && lists_every_member<StageRepeat> && lists_every_member<ControlStage>);

}  // namespace scree
