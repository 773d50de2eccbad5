#pragma once

#include "host/case/contact_values.hpp"
#include "host/case/describe_heat.hpp"
#include "host/case/laws.hpp"

/// Materials and rules of contacts, and what stands beside their laws.
namespace scree {

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

inline auto describe(Of<BondForm>) {
  return Words<BondForm>{{{"start", BondForm::start}, {"near", BondForm::near}, {"kept", BondForm::kept}}};
}
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
      field("form", &Bond::form, "",
            "start: bonds are made at the start; near: also whenever two spheres come within the interaction range; "
            "kept: never, but those of the run from which this one starts go on."),
      field("form_until", &Bond::form_until, "s", "With near: no bonds are made from then on; left out: no end.",
            above(0)),
      field("moment_contribution", &Bond::moment_contribution, "",
            "Part of the stresses by bending and torsion that counts when a bond of spheres breaks; above 0 needs "
            "rolling "
            "of type C with a stiffness.",
            from_up_to(0, 1)));
}
inline void check(const Bond& bond, Complaints& complaints) {
  if (bond.form_until && bond.form != BondForm::near) {
    complaints.add("form_until", "has no effect without form \"near\"");
  }
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
            "Bridges take their liquid from the films of the particles, at most the volume that is given."),
      field("viscosity", &LiquidBridges::viscosity, "Pa s", "Of the liquid; left out: bridges do not resist motion.",
            above(0)),
      field("roughness", &LiquidBridges::roughness, "m",
            "Height of asperities, needed with a viscosity: surfaces that are nearer count as this far apart.",
            above(0)));
}
inline void check(const LiquidBridges& liquid, Complaints& complaints) {
  if (liquid.volume && liquid.volume_fraction) {
    complaints.add("volume", "excludes volume_fraction; give one of them");
  }
  if (!liquid.volume && !liquid.volume_fraction) {
    complaints.add("volume_fraction", "is missing; give it, or the volume of a bridge");
  }
  if (liquid.viscosity && !liquid.roughness) {
    complaints.add("roughness", "is missing; a viscous liquid needs it, since its force grows as surfaces come near");
  }
  if (liquid.roughness && !liquid.viscosity) complaints.add("roughness", "has no effect without \"viscosity\"");
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

inline auto describe(Of<Material>) {
  return object("A material of particles and boundaries.",
                required("density", &Material::density, "kg/m3", "Mass density of the solid.", above(0)),
                required("young_modulus", &Material::young_modulus, "Pa", "Young's modulus of the solid.", above(0)),
                required("poisson_ratio", &Material::poisson_ratio, "",
                         "Poisson's ratio; for cundall_strack and bonded the shear-to-normal stiffness ratio.",
                         from_below(0, 0.5)),
                required("friction", &Material::friction, "", "Coefficient of friction.", at_least(0)),
                field("restitution", &Material::restitution, "",
                      "Coefficient of restitution; needed by laws whose dashpots follow from it.", above_up_to(0, 1)),
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

static_assert(lists_every_member<Material> && lists_every_member<ContactRule> &&
              lists_every_member<RollingResistance> && lists_every_member<Bond> && lists_every_member<LinearCohesion> &&
              lists_every_member<LiquidBridges> && lists_every_member<Plasticity>);

}  // namespace scree
