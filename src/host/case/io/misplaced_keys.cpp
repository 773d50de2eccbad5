#include <algorithm>
#include <array>
#include <string>

#include "host/case/io/foreign_keys.hpp"

namespace scree {
namespace {

/// Two keys that identify a kind of object: no other kind allows both.
using Place = std::array<std::string_view, 2>;

constexpr Place in_entry{"fill", "lattice"}, in_inlets{"rate", "mass_flow"}, in_boundary{"surface_motion", "drive"},
    in_rotations{"axis", "rate"}, in_translations{"type", "velocity"}, in_time{"duration", "safety"},
    in_sizes{"uniform", "rosin_rammler"}, in_normal_sizes{"mean", "deviation"},
    in_lognormal_sizes{"median", "deviation"}, in_bond{"tensile_strength", "cohesion"}, in_sieve{"passing", "passing"},
    in_probe{"region", "sample_every"}, in_output{"frames", "collisions"}, in_control{"inertial_number", "until"},
    in_component{"strain_rate", "follows"}, in_control_end{"reversals", "stress_error"}, in_fill{"count", "keep_clear"},
    in_mixture{"mass_fraction", "shape"}, in_plasticity{"ratio", "pull_off"}, in_stage{"until", "inlets"},
    in_stage_end{"kinetic_energy", "at_most"}, in_staged_boundary{"present", "servo"}, in_servo{"stress", "force"},
    in_cylinder{"to", "radius"};

struct MisplacedKey {
  Place place;
  std::string_view key;  ///< lower case, without underscores and hyphens
  std::string_view here;
};

constexpr std::string_view fill_hint = R"(belongs into "fill" here: "fill": {"box": [[...], [...]], "count": 1000})";
constexpr std::string_view count_hint =
    R"(is "count" here, and belongs into "fill": "fill": {"box": [[...], [...]], "count": 1000})";
constexpr std::string_view box_hint = R"(belongs into "fill" or "lattice" here: "fill": {"box": [[...], [...]]})";
constexpr std::string_view inlet_hint = R"(belongs into "inlet" here)";
constexpr std::string_view mass_flow_hint = R"(is called "mass_flow" here [kg/s])";
constexpr std::string_view inlet_rate_hint = R"(is called "rate" here [1/s]: particles per time)";
constexpr std::string_view region_hint = R"(belongs into "region" here: "region": {"box": [[...], [...]]})";
constexpr std::string_view probe_region_hint = R"(belongs into "region" here)";
constexpr std::string_view translation_hint =
    R"(belongs into "motion" here: "motion": [{"type": "translation", "velocity": [x, y, z]}])";
constexpr std::string_view rotation_hint = R"(is "rate" here [rad/s], and belongs into "motion": )"
                                           R"("motion": [{"type": "rotation", "axis": [x, y, z], "rate": 1}])";
constexpr std::string_view wear_hint = R"(has another place: see "facets" of boundaries of type "mesh")";
constexpr std::string_view rate_hint = R"(is called "rate" here [rad/s])";
constexpr std::string_view frequency_hint =
    R"(is not known here: give "rate" [rad/s], 2 pi times the revolutions per second)";
constexpr std::string_view type_hint = R"(belongs to motions of type "rotation", where it is called "rate" [rad/s])";
constexpr std::string_view duration_hint = R"(is called "duration" here)";
constexpr std::string_view uniform_hint = R"(belongs to a distribution here: {"uniform": [min, max]})";
constexpr std::string_view normal_hint =
    R"(belongs into "normal" here: {"normal": {"mean": ..., "deviation": ..., "min": ..., "max": ...}})";
constexpr std::string_view deviation_hint = R"(is called "deviation" here)";

constexpr std::string_view table_hint =
    R"(belongs to motions of type "table" here, which turn a boundary if they have an "axis")";
constexpr std::string_view sieve_hint =
    R"(is not known here: give "passing", a list of [size, mass fraction of all finer particles])";
constexpr std::string_view spectrum_hint =
    R"(is called "collisions" here: "collisions": {"every": 1, "from": 1e-7, "to": 1e-2} [s, J, J])";
constexpr std::string_view series_hint = R"(belongs into "series" here)";
constexpr std::string_view mean_stress_hint =
    R"(is held by goals of stress with "plus" here: of 100 kPa by "xx": {"stress": -1.5e5, "plus": {"zz": -0.5}} and )"
    R"(the same "yy", with a "strain_rate" of "zz")";
constexpr std::string_view volume_hint =
    R"(is held by "follows" here: "xx": {"follows": {"zz": -0.5}} and the same "yy", with a "strain_rate" of "zz")";
constexpr std::string_view strain_rate_hint = R"(is called "strain_rate" here [1/s]: velocity over length)";
constexpr std::string_view pressure_hint = R"(is called "stress" here [Pa]: a pressure is negative)";
constexpr std::string_view amplitude_hint =
    R"(has another form here: "repeat" runs two stages to and fro, each of which ends at "until": {"strain": ...})";
constexpr std::string_view cycles_hint = R"(is called "reversals" here: two for each cycle)";
constexpr std::string_view measure_hint =
    R"(belongs into "until" of "stages" here: {"measure": {"probe": {"type": "triaxial", "axis": "z"}, "column": "p", )"
    R"("above": 2e5}})";

constexpr std::string_view fill_mass_hint =
    R"(is not known here: give "count", or "solid_fraction" of the region; an inlet may have a "mass" [kg])";
constexpr std::string_view shares_hint =
    R"(is not known here: give "mass_fraction"; shares of the volume are those of the mass if the densities are equal)";
constexpr std::string_view numbers_hint =
    R"(is not known here: give "mass_fraction", number times mass of a particle over the sum of these products)";
constexpr std::string_view surface_energy_hint = R"(belongs beside "plasticity" here, into the rule of "contacts")";
constexpr std::string_view until_hint = R"(belongs into "until" here: "until": {"duration": 0.1} [s])";
constexpr std::string_view present_hint = R"(is called "present" here: "boundaries": {"gate": {"present": false}})";
constexpr std::string_view servo_stress_hint = R"(is called "stress" here [Pa], and a pressure is positive)";
constexpr std::string_view ends_hint = R"(is not known here: "from" and "to" are the centres of both ends)";

constexpr std::string_view bond_friction_hint = R"(belongs beside "bond" here, into the rule of "contacts")";
constexpr std::string_view bond_moments_hint =
    R"(belongs into "rolling" here: "rolling": {"stiffness": ..., "twisting_stiffness": ...}, beside "bond")";

constexpr auto misplaced = std::to_array<MisplacedKey>({
    {in_entry, "count", fill_hint},
    {in_entry, "number", count_hint},
    {in_entry, "n", count_hint},
    {in_entry, "solidfraction", fill_hint},
    {in_entry, "box", box_hint},
    {in_entry, "region", box_hint},
    {in_entry, "rate", inlet_hint},
    {in_entry, "massflow", inlet_hint},
    {in_inlets, "massrate", mass_flow_hint},
    {in_inlets, "massflowrate", mass_flow_hint},
    {in_inlets, "flowrate", mass_flow_hint},
    {in_inlets, "particlerate", inlet_rate_hint},
    {in_inlets, "insertrate", inlet_rate_hint},
    {in_inlets, "box", region_hint},
    {in_boundary, "velocity", translation_hint},
    {in_boundary, "speed", translation_hint},
    {in_boundary, "angularvelocity", rotation_hint},
    {in_boundary, "rate", rotation_hint},
    {in_boundary, "frequency", rotation_hint},
    {in_boundary, "wear", wear_hint},
    {in_rotations, "frequency", frequency_hint},
    {in_rotations, "angularvelocity", rate_hint},
    {in_rotations, "velocityfile", table_hint},
    {in_rotations, "positionfile", table_hint},
    {in_translations, "angularvelocity", type_hint},
    {in_time, "end", duration_hint},
    {in_time, "until", duration_hint},
    {in_sizes, "min", uniform_hint},
    {in_sizes, "max", uniform_hint},
    {in_sizes, "mean", normal_hint},
    {in_sizes, "std", normal_hint},
    {in_sizes, "deviation", normal_hint},
    {in_normal_sizes, "std", deviation_hint},
    {in_normal_sizes, "sigma", deviation_hint},
    {in_normal_sizes, "standarddeviation", deviation_hint},
    {in_lognormal_sizes, "std", deviation_hint},
    {in_lognormal_sizes, "sigma", deviation_hint},
    {in_lognormal_sizes, "standarddeviation", deviation_hint},
    {in_sieve, "sizes", sieve_hint},
    {in_sieve, "fractions", sieve_hint},
    {in_sieve, "massfractions", sieve_hint},
    {in_sieve, "retained", sieve_hint},
    {in_sieve, "file", sieve_hint},
    {in_probe, "box", region_hint},
    {in_probe, "cylinder", probe_region_hint},
    {in_probe, "sphere", probe_region_hint},
    {in_output, "impactspectrum", spectrum_hint},
    {in_output, "impacts", spectrum_hint},
    {in_output, "probes", series_hint},
    {in_output, "energies", series_hint},
    {in_control, "p", mean_stress_hint},
    {in_control, "pressure", mean_stress_hint},
    {in_control, "meanstress", mean_stress_hint},
    {in_control, "volume", volume_hint},
    {in_control, "constantvolume", volume_hint},
    {in_component, "velocity", strain_rate_hint},
    {in_component, "rate", strain_rate_hint},
    {in_component, "pressure", pressure_hint},
    {in_component, "reverseatstrain", amplitude_hint},
    {in_control_end, "cycles", cycles_hint},
    {in_control_end, "p", measure_hint},
    {in_control_end, "q", measure_hint},
    {in_control_end, "measure", measure_hint},
    {in_fill, "mass", fill_mass_hint},
    {in_mixture, "volumefraction", shares_hint},
    {in_mixture, "numberfraction", numbers_hint},
    {in_plasticity, "surfaceenergy", surface_energy_hint},
    {in_stage, "duration", until_hint},
    {in_stage, "remove", present_hint},
    {in_stage_end, "time", duration_hint},
    {in_staged_boundary, "velocity", translation_hint},
    {in_servo, "pressure", servo_stress_hint},
    {in_cylinder, "axis", ends_hint},
    {in_cylinder, "center", ends_hint},
    {in_cylinder, "height", ends_hint},
    {in_cylinder, "length", ends_hint},
    {in_bond, "friction", bond_friction_hint},
    {in_bond, "rolling", bond_moments_hint},
    {in_bond, "stiffness", bond_moments_hint},
    {in_bond, "bendingstiffness", bond_moments_hint},
    {in_bond, "twistingstiffness", bond_moments_hint},
});

}  // namespace

std::optional<std::string> misplaced_key(std::string_view key, const std::vector<std::string>& known) {
  const std::string plain = plain_key(key);
  const auto is_known = [&](std::string_view name) {
    return std::find(known.begin(), known.end(), name) != known.end();
  };
  return first_answer(misplaced, [&](const MisplacedKey& hint) {
    return hint.key == plain && std::all_of(hint.place.begin(), hint.place.end(), is_known);
  });
}

}  // namespace scree
