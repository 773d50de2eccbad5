#pragma once

#include "host/case/contact_values.hpp"
#include "host/case/describe_heat.hpp"
#include "host/case/laws.hpp"

/// Materials, rules of contacts, and the forces that act in addition to contact laws.
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
            "A: a moment of constant magnitude; B: a moment proportional to the speed of rolling; C: springs that "
            "yield."),
      field("stiffness", &RollingResistance::stiffness, "", "Rolling stiffness over r1 r2 times the shear stiffness.",
            at_least(0)),
      field("friction", &RollingResistance::friction, "",
            "Largest rolling moment over the smaller radius times the normal force.", at_least(0)),
      field("twisting_stiffness", &RollingResistance::twisting_stiffness, "",
            "Twisting stiffness over r1 r2 times the shear stiffness.", at_least(0)),
      field("twisting_friction", &RollingResistance::twisting_friction, "",
            "Largest twisting moment over the smaller radius times the normal force.", at_least(0)),
      field("damping", &RollingResistance::damping, "", "Damping ratio of rolling and of twisting.", at_least(0)),
      field("viscosity", &RollingResistance::viscosity, "s/m",
            "For type B: rolling moment over the product of smaller radius, normal force and speed of rolling.",
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
      "Bonds between particles that are near each other when the run starts, or that come near each other later.",
      required("tensile_strength", &Bond::tensile_strength, "Pa", "Tension at which a bond breaks.", at_least(0)),
      required("cohesion", &Bond::cohesion, "Pa", "Shear stress at which a bond without normal force breaks.",
               at_least(0)),
      field("interaction_range", &Bond::interaction_range, "",
            "Largest distance of the centres of two bonded spheres, over the sum of their radii.", from_up_to(1, 3)),
      field("strain", &Bond::strain, "", "Measure of strain of a bond of spheres: linear or logarithmic."),
      field("gap", &Bond::gap, "m",
            "Level-set grains need this: their nodes are bonded to another surface up to this distance.", above(0)),
      field("normal_stiffness", &Bond::normal_stiffness, "Pa/m",
            "Normal stiffness per area of bonds of level-set grains; left out: Young's modulus over the sum of the "
            "radii.",
            above(0)),
      field("shear_stiffness", &Bond::shear_stiffness, "Pa/m",
            "Shear stiffness per area of bonds of level-set grains; left out: normal_stiffness times Poisson's ratio.",
            above(0)),
      field("damping", &Bond::damping, "", "Damping ratio of the bonds and contacts of this rule.", at_least(0)),
      field(
          "weibull_modulus", &Bond::weibull_modulus, "",
          "Weibull modulus of the scatter of strengths, with the two given strengths as scale parameters; left out: no "
          "scatter.",
          at_least(1)),
      field("form", &Bond::form, "",
            "start: bonds are made at the start; near: bonds are made also whenever two spheres come within the "
            "interaction range; kept: no bonds are made, but the bonds of the checkpoint in \"start\" remain."),
      field("form_until", &Bond::form_until, "s",
            "With form near: no bonds are made from this time on; left out: they are made until the end.", above(0)),
      field(
          "moment_contribution", &Bond::moment_contribution, "",
          "Factor of the stresses by bending and torsion in the criterion of breaking of a bond of spheres; above 0 it "
          "needs rolling of type C with a stiffness.",
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
  return object(
      "An attraction in addition to the force of the law: an energy density times an area of the contact.",
      required("energy_density", &LinearCohesion::energy_density, "J/m3", "Attractive force over area.", above(0)),
      field("area", &LinearCohesion::area, "",
            "Area with the effective radius R* and the overlap u: hertz: pi R* u; intersection: the circle in "
            "which two spheres intersect; sjkr2: 4 pi R* u."),
      field("reduces_friction", &LinearCohesion::reduces_friction, "",
            "Coulomb's limit counts the normal force with the attraction, not the force of the law alone."));
}

inline auto describe(Of<LiquidForce>) {
  return Words<LiquidForce>{{{"willett", LiquidForce::willett}, {"rabinovich", LiquidForce::rabinovich}}};
}
inline auto describe(Of<LiquidBridges>) {
  return object(
      "Capillary bridges: a bridge forms when two bodies touch, and pulls on them until it ruptures.",
      required("surface_tension", &LiquidBridges::surface_tension, "N/m", "Surface tension of the liquid.", above(0)),
      field("contact_angle", &LiquidBridges::contact_angle, "rad", "Contact angle between liquid and solid.",
            from_below(0, 1.57)),
      field("volume", &LiquidBridges::volume, "m3", "Volume of a bridge; give this or volume_fraction.", above(0)),
      field("volume_fraction", &LiquidBridges::volume_fraction, "",
            "Volume of a bridge over the volume of the smaller sphere.", above_up_to(0, 1)),
      field("force", &LiquidBridges::force, "",
            "Formula of the force over the gap: willett (2000) or rabinovich (2005)."),
      field("from_films", &LiquidBridges::from_films, "",
            "A bridge takes its liquid from the films of the two particles, at most the given volume."),
      field("viscosity", &LiquidBridges::viscosity, "Pa s",
            "Viscosity of the liquid; left out: bridges do not resist motion.", above(0)),
      field("roughness", &LiquidBridges::roughness, "m",
            "Height of asperities, needed with a viscosity: smaller gaps count as this gap.", above(0)));
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
  return object("Yielding and adhesion of contacts of the laws eepa and luding.",
                required("ratio", &Plasticity::ratio, "", "Plastic part of the largest overlap, 1 - k1/k2.",
                         from_up_to(0, 0.999)),
                field("pull_off", &Plasticity::pull_off, "N", "Constant adhesive force.", at_least(0)),
                field("adhesion", &Plasticity::adhesion, "",
                      "Stiffness of the adhesive branch over the stiffness of first loading.", at_least(0)));
}

inline auto describe(Of<LoadHistorySettings>) {
  return object(
      "How the law jaeger simplifies the load history of a contact; by default it does not.",
      field("merging", &LoadHistorySettings::merging, "",
            "Segments of elastic loading are merged if their slopes differ by less than this fraction of the friction.",
            from_up_to(0, 1)),
      field("most_segments", &LoadHistorySettings::most_segments, "",
            "Largest number of segments per contact; beyond it the least important segments are merged; left out: no "
            "limit.",
            at_least(2)),
      field("exact_sliding", &LoadHistorySettings::exact_sliding, "",
            "Integrate the direction of sliding over each step; this matters for large steps."));
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
                field("thermal", &Material::thermal, "", "Thermal properties; needed with \"heat\"."));
}

inline auto describe(Of<ContactRule>) {
  return object(
      "Contact law and values of pairs of materials; the first rule that matches a pair applies.",
      required("between", &ContactRule::between, "", "Names of two materials; \"*\" matches any material."),
      field("law", &ContactRule::law, "", "Contact law."),
      field("friction", &ContactRule::friction, "",
            "Coefficient of friction; left out: the smaller value of the two materials.", at_least(0)),
      field("restitution", &ContactRule::restitution, "",
            "Coefficient of restitution; left out: the smaller value of the two materials.", above_up_to(0, 1)),
      field("restitution_tangential", &ContactRule::restitution_tangential, "",
            "Coefficient of restitution of the tangential dashpot; left out: the value of restitution.",
            above_up_to(0, 1)),
      field("exact_restitution", &ContactRule::exact_restitution, "",
            "Choose linear dashpots for impacts that end at zero force, not at zero overlap."),
      field("contact_time", &ContactRule::contact_time, "s",
            "Duration of an impact, from which the stiffness of linear springs follows.", above(0)),
      field("normal_stiffness", &ContactRule::normal_stiffness, "N/m", "Normal stiffness of linear springs.", above(0)),
      field("shear_stiffness", &ContactRule::shear_stiffness, "N/m", "Shear stiffness of linear springs.", at_least(0)),
      field("normal_damping", &ContactRule::normal_damping, "N s/m", "Coefficient of the normal linear dashpot.",
            at_least(0)),
      field("shear_damping", &ContactRule::shear_damping, "N s/m", "Coefficient of the shear linear dashpot.",
            at_least(0)),
      field("young_modulus", &ContactRule::young_modulus, "Pa",
            "Effective modulus E* of Hertz's laws; left out: from the materials.", above(0)),
      field("shear_modulus", &ContactRule::shear_modulus, "Pa",
            "Effective modulus G* of Hertz's laws; left out: from the materials.", above(0)),
      field("surface_energy", &ContactRule::surface_energy, "J/m2",
            "Surface energy of each surface, half of the work of adhesion; for adhesive and elasto-plastic laws.",
            above(0)),
      field("rolling", &ContactRule::rolling, "",
            "Resistance to rolling and twisting; left out: from the two materials."),
      field("bond", &ContactRule::bond, "", "Bonds; the law bonded needs them."),
      field("load_history", &ContactRule::load_history, "", "How the law jaeger simplifies load histories."),
      field("cohesion", &ContactRule::cohesion, "", "Linear cohesion in addition to the law."),
      field("liquid", &ContactRule::liquid, "", "Liquid bridges in addition to the law."),
      field("plasticity", &ContactRule::plasticity, "", "Yielding and adhesion; the laws eepa and luding need it."));
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
