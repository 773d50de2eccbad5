#include "host/case/io/foreign_keys.hpp"

#include <algorithm>
#include <array>

namespace scree {
namespace {

struct ForeignKey {
  std::string_view key;  ///< lower case, without underscores and hyphens
  std::string_view here;
};

constexpr std::string_view step = R"(is called "step" here: "time": {"step": 1e-6}, or "auto")";
constexpr std::string_view duration = R"(is called "duration" here: "time": {"duration": 2})";
constexpr std::string_view young = R"(is called "young_modulus" here: in a material [Pa])";
constexpr std::string_view poisson = R"(is called "poisson_ratio" here: in a material)";
constexpr std::string_view shear_modulus =
    R"(is not a key of materials here: give "young_modulus" and "poisson_ratio", G = E / (2 (1 + nu)))";
constexpr std::string_view restitution = R"(is called "restitution" here: in a material, or in a rule of "contacts")";
constexpr std::string_view tangential = R"(is called "restitution_tangential" here: in a rule of "contacts")";
constexpr std::string_view friction =
    R"(is called "friction" here: a coefficient, in a material or a rule of "contacts")";
constexpr std::string_view angle =
    R"(is called "friction" here: a coefficient, the tangent of the angle, in a material or a rule of "contacts")";
constexpr std::string_view rolling =
    R"(is called "rolling" here: in a material or a rule of "contacts", "rolling": {"stiffness": 1, "friction": 0.1})";
constexpr std::string_view twisting = R"(is called "rolling" here: "rolling": {"twisting_stiffness": 1, )"
                                      R"("twisting_friction": 0.1}, in a material or a rule of "contacts")";
constexpr std::string_view rolling_damping = R"(is called "damping" here: "rolling": {"damping": 0.3})";
constexpr std::string_view adhesion =
    R"(is called "surface_energy" here [J/m2]: in a rule of "contacts" with "law": "jkr" or "hertz_mindlin_dmt"; )"
    R"(bonds that break have "bond": {"tensile_strength": ..., "cohesion": ...})";
constexpr std::string_view cohesion =
    R"(is called "cohesion" here: "cohesion": {"energy_density": ...} [J/m3] in a rule of "contacts" with "law": )"
    R"("hertz_mindlin" or "linear_spring_dashpot"; for a surface energy see "law": "jkr")";
constexpr std::string_view liquid =
    R"(is called "liquid" here: "liquid": {"surface_tension": ..., "volume_fraction": ..., "viscosity": ...} in a rule )"
    R"(of "contacts")";
constexpr std::string_view plasticity =
    R"(is called "plasticity" here: "plasticity": {"ratio": ...} in a rule of "contacts" with "law": "eepa" or "luding")";
constexpr std::string_view bonds = R"(is called "bond" here: "law": "bonded", "bond": {"tensile_strength": ..., )"
                                   R"("cohesion": ...} in a rule of "contacts")";
constexpr std::string_view bond_tension = R"(is called "tensile_strength" here: in "bond" [Pa])";
constexpr std::string_view bond_cohesion = R"(is called "cohesion" here: in "bond" [Pa])";
constexpr std::string_view bond_moments =
    R"(is called "moment_contribution" here: in "bond", with "rolling" in the same rule of "contacts")";
constexpr std::string_view bond_stiffness =
    R"(follows from "young_modulus" of the materials here: it is the stiffness times the length of a bond)";
constexpr std::string_view bond_ratio =
    R"(follows from "poisson_ratio" of the materials here: it is the ratio of shear to normal stiffness)";
constexpr std::string_view bond_radius = R"(is 1 here: the radius of a bond is that of the smaller sphere)";
constexpr std::string_view normal_stiffness =
    R"(is called "normal_stiffness" here: in a rule of "contacts" with linear springs)";
constexpr std::string_view shear_stiffness =
    R"(is called "shear_stiffness" here: in a rule of "contacts" with linear springs)";
constexpr std::string_view normal_damping =
    R"(is called "normal_damping" here: in a rule of "contacts" with linear springs)";
constexpr std::string_view shear_damping =
    R"(is called "shear_damping" here: in a rule of "contacts" with linear springs)";
constexpr std::string_view law = R"(is called "law" here: in a rule of "contacts")";
constexpr std::string_view servo =
    R"(is called "servo" here for a boundary under a stress or a force, "servo": {"stress": ...}, "drive" for one )"
    R"(with a mass of its own, and "control" in "domain" for stresses of a periodic cell)";
constexpr std::string_view boundaries = R"(is called "boundaries" here: planes, boxes, cylinders, meshes by name)";
constexpr std::string_view particles =
    R"(is called "fill", "lattice", "file" or "inlet" here: in an entry of "particles")";
constexpr std::string_view inlet =
    R"(is called "inlet" here: in an entry of "particles", with "rate" [1/s] or "mass_flow" [kg/s])";
constexpr std::string_view diameter =
    R"(is a key of entries of "particles" and of parts of mixtures; others have "radius", half of it [m])";
constexpr std::string_view sieve =
    R"(is called "diameter" here: "diameter": {"sieve": {"passing": [[diameter, fraction], ...]}})";
constexpr std::string_view porosity = R"(is called "solid_fraction" here: in "fill", 1 - porosity)";
constexpr std::string_view count = R"(is called "count" here: in "fill")";
constexpr std::string_view frames = R"(is called "frames" here: "output": {"frames": {"every": 0.01}} [s])";
constexpr std::string_view series = R"(is called "series" here: "output": {"series": {"every": 0.001}} [s])";
constexpr std::string_view checkpoints =
    R"(is called "checkpoints" here: "output": {"checkpoints": {"every": 0.5}} [s])";
constexpr std::string_view verlet = R"(is called "verlet_distance" here: in "neighbours")";
constexpr std::string_view periodic = R"(is called "periodic" here: "domain": {"periodic": {"size": [1, 1, 1]}})";
constexpr std::string_view gradient = R"(is called "velocity_gradient" here: in "domain")";
constexpr std::string_view rate = R"(is called "rate" [rad/s] or "rpm" [1/min] here: in "motion" of type "rotation")";
constexpr std::string_view rpm =
    R"(belongs to "motion" of type "rotation", or to "rotation" of a group; elsewhere rates are in rad/s, )"
    R"(and 1 rpm is 0.10472 rad/s)";
constexpr std::string_view gravity = R"(is called "gravity" here: [x, y, z] in m/s2)";
constexpr std::string_view damping = R"(is called "damping" here: in "integration")";
constexpr std::string_view threads = R"(is no key of a case: scree run --threads N)";
constexpr std::string_view steps = R"(is no key of a case: give "duration" in "time", or scree run --steps N)";

constexpr auto table = std::to_array<ForeignKey>({
    {"timestep", step},
    {"dt", step},
    {"deltat", step},
    {"stepsize", step},
    {"fixedtimestep", step},
    {"endtime", duration},
    {"stoptime", duration},
    {"totaltime", duration},
    {"runtime", duration},
    {"maxtime", duration},
    {"simulationtime", duration},
    {"nsteps", steps},
    {"numsteps", steps},
    {"maxsteps", steps},
    {"run", steps},
    {"youngsmodulus", young},
    {"young", young},
    {"elasticmodulus", young},
    {"e", young},
    {"ymod", young},
    {"poissonsratio", poisson},
    {"poisson", poisson},
    {"nu", poisson},
    {"shearmodulus", shear_modulus},
    {"g", gravity},
    {"coefficientrestitution", restitution},
    {"coefficientofrestitution", restitution},
    {"restitutioncoefficient", restitution},
    {"en", restitution},
    {"cor", restitution},
    {"es", tangential},
    {"et", tangential},
    {"coefficientfriction", friction},
    {"coefficientoffriction", friction},
    {"frictioncoefficient", friction},
    {"mu", friction},
    {"xmu", friction},
    {"staticfriction", friction},
    {"coefficientofstaticfriction", friction},
    {"slidingfriction", friction},
    {"frictangle", angle},
    {"frictionangle", angle},
    {"tanphi", friction},
    {"rollingfriction", rolling},
    {"coefficientrollingfriction", rolling},
    {"coefficientofrollingfriction", rolling},
    {"rollfriction", rolling},
    {"krolling", rolling},
    {"kr", rolling},
    {"etaroll", rolling},
    {"alphakr", rolling},
    {"rollingresistance", rolling},
    {"ktwist", twisting},
    {"ktw", twisting},
    {"alphaktw", twisting},
    {"etatwist", twisting},
    {"twistingfriction", twisting},
    {"coefficientrollingviscousdamping", rolling_damping},
    {"rollingviscousdamping", rolling_damping},
    {"cohesionenergydensity", cohesion},
    {"cohesion", cohesion},
    {"surfacetension", liquid},
    {"contactangle", liquid},
    {"fluidviscosity", liquid},
    {"minseparationdistanceratio", liquid},
    {"minliquidcontent", liquid},
    {"maxliquidcontent", liquid},
    {"plasticityratio", plasticity},
    {"coefficientplasticitydepth", plasticity},
    {"coefficientmaxelasticstiffness", plasticity},
    {"coefficientadhesionstiffness", plasticity},
    {"unloadingstiffness", plasticity},
    {"loadingstiffness", plasticity},
    {"pulloffforce", plasticity},
    {"adhesion", adhesion},
    {"workofadhesion", adhesion},
    {"surfaceenergy", adhesion},
    {"normalcohesion", bonds},
    {"shearcohesion", bonds},
    {"tensilestrength", bonds},
    {"parallelbond", bonds},
    {"pbten", bond_tension},
    {"pbcoh", bond_cohesion},
    {"pbfa", angle},
    {"pbmcf", bond_moments},
    {"momentcontributionfactor", bond_moments},
    {"pbkn", bond_stiffness},
    {"pbks", bond_ratio},
    {"pbkratio", bond_ratio},
    {"pbrmul", bond_radius},
    {"radiusmultiplier", bond_radius},
    {"kn", normal_stiffness},
    {"ks", shear_stiffness},
    {"kt", shear_stiffness},
    {"cn", normal_damping},
    {"gamman", normal_damping},
    {"cs", shear_damping},
    {"gammat", shear_damping},
    {"contactmodel", law},
    {"model", law},
    {"pairstyle", law},
    {"forcelaw", law},
    {"contactlaw", law},
    {"servo", servo},
    {"servocontrol", servo},
    {"servowall", servo},
    {"stresscontrol", servo},
    {"goal", servo},
    {"stressgoal", servo},
    {"walls", boundaries},
    {"wall", boundaries},
    {"geometry", boundaries},
    {"geometries", boundaries},
    {"meshes", boundaries},
    {"factory", particles},
    {"generator", particles},
    {"insert", particles},
    {"particletemplate", particles},
    {"flowrate", inlet},
    {"massrate", inlet},
    {"massflowrate", inlet},
    {"particlerate", inlet},
    {"insertrate", inlet},
    {"diameter", diameter},
    {"psd", sieve},
    {"psdsizes", sieve},
    {"psdcumm", sieve},
    {"porosity", porosity},
    {"volumefraction", porosity},
    {"volumefractionregion", porosity},
    {"nparticles", count},
    {"numparticles", count},
    {"dump", frames},
    {"vtk", frames},
    {"saveinterval", frames},
    {"outputinterval", frames},
    {"thermo", series},
    {"restart", checkpoints},
    {"skin", verlet},
    {"neighborskin", verlet},
    {"verletdist", verlet},
    {"cell", periodic},
    {"periodiccell", periodic},
    {"velgrad", gradient},
    {"omega", rate},
    {"rpm", rpm},
    {"revolutionsperminute", rate},
    {"angularspeed", rate},
    {"localdamping", damping},
    {"numericaldamping", damping},
    {"threads", threads},
    {"nthreads", threads},
    {"processors", threads},
});

}  // namespace

std::string plain_key(std::string_view key) {
  std::string plain;
  for (const char c : key) {
    if (c != '_' && c != '-') { plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
  }
  return plain;
}

std::optional<std::string> foreign_key(std::string_view key) {
  const std::string plain = plain_key(key);
  return first_answer(table, [&](const ForeignKey& entry) { return entry.key == plain; });
}

}  // namespace scree
