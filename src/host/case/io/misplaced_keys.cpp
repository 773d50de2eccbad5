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
    in_lognormal_sizes{"median", "deviation"}, in_bond{"tensile_strength", "cohesion"};

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
  const auto found = std::find_if(misplaced.begin(), misplaced.end(), [&](const MisplacedKey& hint) {
    return hint.key == plain && std::all_of(hint.place.begin(), hint.place.end(), is_known);
  });
  return found == misplaced.end() ? std::nullopt : std::optional("it " + std::string(found->here));
}

}  // namespace scree
