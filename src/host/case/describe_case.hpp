#pragma once

#include "host/case/contact_values.hpp"
#include "host/case/describe_boundaries.hpp"
#include "host/case/describe_domain.hpp"
#include "host/case/describe_groups.hpp"
#include "host/case/describe_heat.hpp"
#include "host/case/describe_particles.hpp"
#include "host/case/describe_probes.hpp"
#include "host/case/describe_stages.hpp"
#include "host/case/laws.hpp"
#include "scree/case_file.hpp"

namespace scree {

inline auto describe(Of<Precision>) {
  return Words<Precision>{{{"mixed", Precision::mixed}, {"double", Precision::double_}}};
}

inline auto describe(Of<LawKind>) {
  Words<LawKind> description;
  for (const LawNeeds& law : laws::all) description.words.emplace_back(law.name, law.kind);
  return description;
}

inline auto describe(Of<RollingType>) {
  return Words<RollingType>{
      {{"A", RollingType::directional}, {"B", RollingType::viscous}, {"C", RollingType::elastic_plastic}}};
}
inline auto describe(Of<RollingResistance>) {
  return object(
      "Resistance of contacts to rolling and twisting.",
      field("type", &RollingResistance::type, "",
            "A: a moment of constant size; B: one that goes with the speed of rolling; C: springs that yield."),
      field("stiffness", &RollingResistance::stiffness, "", "Rolling stiffness, in r1 r2 times the shear stiffness.",
            at_least(0)),
      field("friction", &RollingResistance::friction, "",
            "Largest rolling moment, in the smaller radius times the normal force.", at_least(0)),
      field("twisting_stiffness", &RollingResistance::twisting_stiffness, "", "As stiffness, about the normal.",
            at_least(0)),
      field("twisting_friction", &RollingResistance::twisting_friction, "", "As friction, about the normal.",
            at_least(0)),
      field("damping", &RollingResistance::damping, "", "Damping ratio of both.", at_least(0)),
      field("viscosity", &RollingResistance::viscosity, "s/m",
            "Of type B: rolling moment over the smaller radius, the normal force and the speed of rolling.",
            at_least(0)));
}
inline void check(const RollingResistance& rolling, Complaints& complaints) {
  const bool springs = rolling.type == RollingType::elastic_plastic;
  const std::string type = rolling.type == RollingType::viscous ? "B" : "A";
  const auto refuse = [&](const char* key, double value, const std::string& why) {
    if (value > 0) complaints.add(key, why);
  };
  if (rolling.type != RollingType::viscous) refuse("viscosity", rolling.viscosity, "is for the type B");
  if (!springs) {
    const std::string why = "is for the type C; a moment of type " + type + " has no springs";
    refuse("stiffness", rolling.stiffness, why);
    refuse("twisting_stiffness", rolling.twisting_stiffness, why);
    refuse("twisting_friction", rolling.twisting_friction, why);
    refuse("damping", rolling.damping, why);
    if (rolling.type == RollingType::viscous) refuse("friction", rolling.friction, "is for the types A and C");
    return;
  }
  if (rolling.friction > 0 && !(rolling.stiffness > 0)) complaints.add("friction", "has no effect without stiffness");
  if (rolling.twisting_friction > 0 && !(rolling.twisting_stiffness > 0)) {
    complaints.add("twisting_friction", "has no effect without twisting_stiffness");
  }
}

inline auto describe(Of<BondForm>) { return Words<BondForm>{{{"start", BondForm::start}, {"near", BondForm::near}}}; }
inline auto describe(Of<NormalStrain>) {
  return Words<NormalStrain>{{{"linear", NormalStrain::linear}, {"logarithmic", NormalStrain::logarithmic}}};
}
inline auto describe(Of<Bond>) {
  return object(
      "Bonds between particles that are near each other when the run starts, or later.",
      required("tensile_strength", &Bond::tensile_strength, "Pa", "Tension at which a bond breaks.", at_least(0)),
      required("cohesion", &Bond::cohesion, "Pa", "Shear stress at which a bond without normal force breaks.",
               at_least(0)),
      field("interaction_range", &Bond::interaction_range, "",
            "Farthest distance of a bond of spheres, in sums of the two radii.", from_up_to(1, 3)),
      field("strain", &Bond::strain, "", "Strain of spheres in compression: linear, or logarithmic."),
      field("gap", &Bond::gap, "m",
            "Nodes of level-set grains that are not farther from the other surface are bonded; needed by grains.",
            above(0)),
      field("normal_stiffness", &Bond::normal_stiffness, "Pa/m",
            "Of grains; left out: Young's modulus over the sum of the radii.", above(0)),
      field("shear_stiffness", &Bond::shear_stiffness, "Pa/m",
            "Of grains; left out: normal_stiffness times Poisson's ratio.", above(0)),
      field("damping", &Bond::damping, "", "Damping ratio of bonds and of contacts under the law.", at_least(0)),
      field(
          "weibull_modulus", &Bond::weibull_modulus, "",
          "Strengths are scattered by Weibull's law with this modulus, and the two strengths are its scale parameters.",
          at_least(1)),
      field(
          "form", &Bond::form, "",
          "start: bonds of spheres are made at the start; near: also whenever two come within the interaction range."),
      field("form_until", &Bond::form_until, "s", "With near: no bonds are made from then on; left out: no end.",
            above(0)));
}
inline void check(const Bond& bond, Complaints& complaints) {
  if (bond.form_until && bond.form != BondForm::near)
    complaints.add("form_until", "has no effect without form \"near\"");
}

inline auto describe(Of<CohesionArea>) {
  return Words<CohesionArea>{
      {{"hertz", CohesionArea::hertz}, {"intersection", CohesionArea::intersection}, {"sjkr2", CohesionArea::sjkr2}}};
}
inline auto describe(Of<LinearCohesion>) {
  return object("A pull beside the force of the law: an energy density times an area of the contact.",
                required("energy_density", &LinearCohesion::energy_density, "J/m3", "Pull over area.", above(0)),
                field("area", &LinearCohesion::area, "",
                      "hertz: pi R* u; intersection: the circle in which two spheres intersect; sjkr2: 4 pi R* u."),
                field("reduces_friction", &LinearCohesion::reduces_friction, "",
                      "Coulomb's limit is that of the whole normal force, not of that without the pull."));
}

inline auto describe(Of<LiquidForce>) {
  return Words<LiquidForce>{{{"willett", LiquidForce::willett}, {"rabinovich", LiquidForce::rabinovich}}};
}
inline auto describe(Of<LiquidBridges>) {
  return object(
      "Capillary bridges, which begin with a touch and hold bodies that part until they rupture.",
      required("surface_tension", &LiquidBridges::surface_tension, "N/m", "Of the liquid.", above(0)),
      field("contact_angle", &LiquidBridges::contact_angle, "rad", "Between liquid and solid.", from_below(0, 1.57)),
      field("volume", &LiquidBridges::volume, "m3", "Of a bridge; give it or volume_fraction.", above(0)),
      field("volume_fraction", &LiquidBridges::volume_fraction, "",
            "Volume of a bridge over that of the smaller sphere.", above_up_to(0, 1)),
      field("force", &LiquidBridges::force, "", "How the pull falls with the gap: willett or rabinovich."),
      field("from_films", &LiquidBridges::from_films, "",
            "Bridges take their liquid from the films of the particles, at most the volume that is given."));
}
inline void check(const LiquidBridges& liquid, Complaints& complaints) {
  if (liquid.volume && liquid.volume_fraction) {
    complaints.add("volume", "excludes volume_fraction; give one of them");
  }
  if (!liquid.volume && !liquid.volume_fraction) {
    complaints.add("volume_fraction", "is missing; give it, or the volume of a bridge");
  }
}

inline auto describe(Of<Plasticity>) {
  return object("How contacts of the laws eepa and luding yield and stick.",
                required("ratio", &Plasticity::ratio, "", "Plastic part of the largest overlap, 1 - k1/k2.",
                         from_up_to(0, 0.999)),
                field("pull_off", &Plasticity::pull_off, "N", "Constant adhesive force.", at_least(0)),
                field("adhesion", &Plasticity::adhesion, "", "Stiffness of the adhesive branch over that of loading.",
                      at_least(0)));
}

inline auto describe(Of<LoadHistorySettings>) {
  return object(
      "How the law jaeger keeps the load history of a contact; all of it by default.",
      field("merging", &LoadHistorySettings::merging, "",
            "Pieces of elastic loading whose directions differ by less than this fraction of the friction become one.",
            from_up_to(0, 1)),
      field("most_segments", &LoadHistorySettings::most_segments, "",
            "Pieces that are kept per contact, the least important ones joined; left out: all.", at_least(2)),
      field("exact_sliding", &LoadHistorySettings::exact_sliding, "",
            "The direction of sliding is integrated over a step; for steps that are large."));
}

inline auto describe(Of<TimeSettings>) {
  return object(
      "How long and in which steps.", required("duration", &TimeSettings::duration, "s", "Simulated time.", above(0)),
      automatic("step", &TimeSettings::step, "s", "Time step; \"auto\" takes it from stiffness and mass.", above(0)),
      field("safety", &TimeSettings::safety, "",
            "Automatic step as a fraction of the limit; left out: 0.2, or 0.4 with adaptive.", above_up_to(0, 1)),
      field("adaptive", &TimeSettings::adaptive, "", "The automatic step follows the contacts that there are."),
      field("update_interval", &TimeSettings::update_interval, "steps", "Between two looks at them.", at_least(1)));
}

inline void check(const TimeSettings& time, Complaints& complaints) {
  if (time.step && time.adaptive) complaints.add("adaptive", "needs an automatic step, but step is given");
  constexpr double most_steps = 1e15;  // counted exactly in a double
  if (time.step && !(time.duration / *time.step < most_steps)) {
    complaints.add("step", "must be longer than " + number_text(1 / most_steps) + " of the duration, got " +
                               number_text(*time.step));
  }
}

inline auto describe(Of<Material>) {
  return object(
      "A material of particles and boundaries.",
      required("density", &Material::density, "kg/m3", "Mass density of the solid.", above(0)),
      required("young_modulus", &Material::young_modulus, "Pa", "Young's modulus of the solid.", above(0)),
      required("poisson_ratio", &Material::poisson_ratio, "",
               "Poisson's ratio; for cundall_strack the shear-to-normal stiffness ratio.", from_below(0, 0.5)),
      required("friction", &Material::friction, "", "Coefficient of friction.", at_least(0)),
      field("restitution", &Material::restitution, "", "Coefficient of restitution; needed by hertz_mindlin.",
            above_up_to(0, 1)),
      field("rolling", &Material::rolling, "", "Resistance to rolling and twisting."),
      field("thermal", &Material::thermal, "", "Values for heat; needed with \"heat\"."));
}

inline auto describe(Of<ContactRule>) {
  return object(
      "How two materials touch; the first rule that matches wins.",
      required("between", &ContactRule::between, "", "Names of two materials; \"*\" is any."),
      field("law", &ContactRule::law, "", "Contact law."),
      field("friction", &ContactRule::friction, "",
            "Coefficient of friction; left out: the smaller of the two materials'.", at_least(0)),
      field("restitution", &ContactRule::restitution, "",
            "Coefficient of restitution; left out: the smaller of the two materials'.", above_up_to(0, 1)),
      field("restitution_tangential", &ContactRule::restitution_tangential, "",
            "Restitution of the tangential dashpot; left out: as the other.", above_up_to(0, 1)),
      field("exact_restitution", &ContactRule::exact_restitution, "",
            "Linear dashpots for a contact that ends when its force does."),
      field("contact_time", &ContactRule::contact_time, "s", "Duration of an impact, for linear springs.", above(0)),
      field("normal_stiffness", &ContactRule::normal_stiffness, "N/m", "Of linear springs.", above(0)),
      field("shear_stiffness", &ContactRule::shear_stiffness, "N/m", "Of linear springs.", at_least(0)),
      field("normal_damping", &ContactRule::normal_damping, "N s/m", "Of linear dashpots.", at_least(0)),
      field("shear_damping", &ContactRule::shear_damping, "N s/m", "Of linear dashpots.", at_least(0)),
      field("young_modulus", &ContactRule::young_modulus, "Pa",
            "Effective modulus E* of Hertz's laws; left out: from the materials.", above(0)),
      field("shear_modulus", &ContactRule::shear_modulus, "Pa",
            "Effective modulus G* of Hertz's laws; left out: from the materials.", above(0)),
      field("surface_energy", &ContactRule::surface_energy, "J/m2",
            "Of each surface, for adhesive and elasto-plastic laws: half of the work of adhesion.", above(0)),
      field("rolling", &ContactRule::rolling, "",
            "Resistance to rolling and twisting; left out: from the two materials."),
      field("bond", &ContactRule::bond, "", "Bonds; needed by bonded."),
      field("load_history", &ContactRule::load_history, "", "How jaeger keeps load histories."),
      field("cohesion", &ContactRule::cohesion, "", "Linear cohesion beside the law."),
      field("liquid", &ContactRule::liquid, "", "Liquid bridges beside the law."),
      field("plasticity", &ContactRule::plasticity, "", "How contacts yield; needed by eepa and luding."));
}

inline void check(const ContactRule& rule, Complaints& complaints) {
  for (const auto& [key, message] : wrong_values(rule)) complaints.add(key, message);
  const bool bonds = needs_of(rule.law).makes_bonds();
  if (bonds && !rule.bond) complaints.add("bond", "is missing; the law " + law_name(rule.law) + " needs it");
  if (!bonds && rule.bond) {
    complaints.add("bond", "has no effect; only the law " +
                               names_of_laws([](const LawNeeds& law) { return law.makes_bonds(); }) + " has bonds");
  }
}

inline auto describe(Of<RotationScheme>) {
  Words<RotationScheme> description;
  for (const RotationSchemeFacts& facts : rotation_schemes::all) {
    description.words.emplace_back(facts.name, facts.scheme);
  }
  return description;
}

inline auto describe(Of<Integration>) {
  return object("Motion of the particles.",
                field("damping", &Integration::damping, "",
                      "Cundall's non-viscous damping of forces and torques; 0 is none.", from_below(0, 1)),
                field("damp_gravity", &Integration::damp_gravity, "", "Cundall's damping acts on gravity as well."),
                field("viscous_damping", &Integration::viscous_damping, "1/s",
                      "Rate c of the force -c m v and of the torque -c I w on each particle.", at_least(0)),
                field("rotation", &Integration::rotation, "", "Integrator of the rotation of clumps."));
}

inline auto describe(Of<VerletLength>) {
  return single("The same length for all.", required("value", &VerletLength::value, "m", "Length.", above(0)));
}
inline auto describe(Of<VerletFraction>) {
  return single("Fraction of the smallest radius.",
                required("value", &VerletFraction::value, "", "Fraction of the smallest radius.", above(0)));
}
inline auto describe(Of<VerletDistance>) {
  return keyed("A length, or a fraction of the smallest radius.", alternative<VerletLength>(""),
               alternative<VerletFraction>("of_smallest_radius"));
}
inline auto describe(Of<Neighbours>) {
  return object(
      "Search for neighbours; no choice here changes a result.",
      automatic("verlet_distance", &Neighbours::verlet_distance, "m",
                "Gap up to which pairs are listed; \"auto\" takes it from the smallest radius and the speeds.", {}),
      field("target_interval", &Neighbours::target_interval, "steps",
            "How long the list of a particle should last at its speed.", at_least(1)));
}

inline auto describe(Of<FrameOutput>) {
  return object("Files of all particles.",
                required("every", &FrameOutput::every, "s", "Simulated time between two frames.", above(0)),
                field("fields", &FrameOutput::fields, "", "Fields in each frame, beside the positions.",
                      one_of(frame_field_names())),
                field("grain_nodes", &FrameOutput::grain_nodes, "",
                      "Also the nodes of level-set grains that touch, with their forces, and tractions on surfaces."));
}
inline void check(const FrameOutput& frames, Complaints& complaints) {
  for (std::size_t i = 0; i < frames.fields.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (frames.fields[i] == frames.fields[j]) {
        complaints.add("fields." + std::to_string(i), "\"" + frames.fields[i] + "\" is listed twice");
        break;
      }
    }
  }
}

inline auto describe(Of<SeriesOutput>) {
  return object(
      "Table of totals over time.",
      required("every", &SeriesOutput::every, "s", "Simulated time between two rows.", above(0)),
      field("energies", &SeriesOutput::energies, "", "Columns of the energy ledger: who has, gave and lost what."),
      field("probes", &SeriesOutput::probes, "", "Measures in each row, by name."));
}

inline auto describe(Of<ContactOutput>) {
  return object("Files of all touching contacts.",
                required("every", &ContactOutput::every, "s", "Simulated time between two files.", above(0)));
}

inline auto describe(Of<CheckpointOutput>) {
  return object(
      "States from which the run can be resumed.",
      required("every", &CheckpointOutput::every, "s", "Simulated time between two checkpoints.", above(0)),
      field("keep", &CheckpointOutput::keep, "",
            "How many of the newest are kept; 0: none is written, unless the run is interrupted.", at_least(0)));
}

inline auto describe(Of<ParcelRestitution>) {
  return Words<ParcelRestitution>{{{"same", ParcelRestitution::same}, {"scaled", ParcelRestitution::scaled}}};
}
inline auto describe(Of<Parcels>) {
  return object("Coarse graining: parcels that stand for many grains each; all values of the case are of the grains.",
                required("scale", &Parcels::scale, "", "Radius of a parcel over that of the grains it stands for.",
                         from_up_to(1, 1000)),
                field("restitution", &Parcels::restitution, "",
                      "Of impacts between parcels: same as of grains, or scaled to lose as much per volume and time."));
}

inline auto describe(Of<Output>) {
  return object("What is written; nothing by default.",
                field("frames", &Output::frames, "", "Files of all particles, for ParaView."),
                field("series", &Output::series, "", "Table of totals over time, as CSV."),
                field("contacts", &Output::contacts, "", "Files of all touching contacts, with their forces."),
                field("fields", &Output::fields, "", "Means over the cells of grids and over time windows, by name."),
                field("left", &Output::left, "",
                      "A table of the particles that outlets and regions remove: when, where and how fast."),
                field("checkpoints", &Output::checkpoints, "", "States from which `scree run --resume` goes on."));
}

inline auto describe(Of<Case>) {
  return object(
             "A scree case: everything a run depends on, in SI units.",
             field("title", &Case::title, "", "A line for the reader; no effect."),
             required("time", &Case::time, "", "How long and in which steps."),
             field("gravity", &Case::gravity, "m/s2", "Acceleration of gravity."),
             field("precision", &Case::precision, "",
                   "\"mixed\": positions in double precision, the rest in single; \"double\": all in double."),
             field("seed", &Case::seed, "", "Seed of all that is random."),
             field("parcels", &Case::parcels, "", "Coarse graining: particles that stand for many grains each."),
             required("materials", &Case::materials, "", "Materials, by name.", some_items()),
             field("shapes", &Case::shapes, "", "Shapes of particles that are no spheres, by name."),
             field("grain_contacts", &Case::grain_contacts, "", "How level-set grains touch."),
             field("contacts", &Case::contacts, "", "Contact rules; left out: one rule, any with any, hertz_mindlin."),
             field("no_ratcheting", &Case::no_ratcheting, "",
                   "Slip of two particles of which closed cycles of pushing and rolling leave no shear force."),
             field("heat", &Case::heat, "", "Temperatures of the particles; left out: there are none."),
             field("particles", &Case::particles, "", "What particles there are.", some_items()),
             field("start", &Case::start, "",
                   "Checkpoint of another run, or a folder of them (the newest is taken): its particles, contacts and "
                   "periodic cell are those of the start.",
                   existing_path()),
             field("groups", &Case::groups, "", "Settings of groups of particles, by name."),
             field("boundaries", &Case::boundaries, "", "Boundaries, by name."),
             field("stages", &Case::stages, "", "Parts of the run, in order; it ends with the last one."),
             field("domain", &Case::domain, "", "Where particles may be."),
             field("integration", &Case::integration, "", "Motion of the particles."),
             field("neighbours", &Case::neighbours, "", "Search for neighbours."),
             field("output", &Case::output, "", "What is written; nothing by default."))
      .with_exactly_one({"particles", "start"});
}

static_assert(lists_every_member<MemberSphere> && lists_every_member<ClumpTemplate> &&
              lists_every_member<LevelSetTemplate> && lists_every_member<GrainContacts> &&
              lists_every_member<CapsuleForm> && lists_every_member<SuperellipsoidForm> && lists_every_member<Shape> &&
              lists_every_member<TimeSettings> && lists_every_member<Material> && lists_every_member<ContactRule> &&
              lists_every_member<RollingResistance> && lists_every_member<Bond> && lists_every_member<LinearCohesion> &&
              lists_every_member<LiquidBridges> && lists_every_member<Plasticity> && lists_every_member<Integration> &&
              lists_every_member<VerletLength> && lists_every_member<VerletFraction> &&
              lists_every_member<Neighbours> && lists_every_member<FrameOutput> && lists_every_member<SeriesOutput> &&
              lists_every_member<ContactOutput> && lists_every_member<CheckpointOutput> && lists_every_member<Output> &&
              lists_every_member<Parcels> && lists_every_member<Case, 1>);  // `folder` is not part of the JSON

}  // namespace scree
