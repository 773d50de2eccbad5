#include <algorithm>
#include <array>
#include <string>

#include "host/case/io/foreign_keys.hpp"

namespace scree {
namespace {

struct ForeignWord {
  std::string_view among;  ///< a word that only this key allows
  std::string_view word;   ///< lower case, without underscores and hyphens
  std::string_view here;
};

constexpr std::string_view among_probes = "size_segregation", among_boundaries = "cone";
constexpr std::string_view content_probe =
    R"(is called "content" here: number, mass, centre of mass and mean velocity of the particles in a region)";
constexpr std::string_view boundary_force_probe =
    R"(needs no probe: series.csv has force, torque and power of each boundary; "boundary_force" sums several)";
constexpr std::string_view porosity_probe =
    R"(is called "porosity" here; series.csv has the "void_ratio" of a periodic cell without a probe)";
constexpr std::string_view mixing_probe =
    R"(is called "mixing" here for two kinds of particles, and "size_segregation" for sizes)";
constexpr std::string_view energies_probe = R"(needs no probe: give "energies": true in "series")";
constexpr std::string_view spectrum_probe = R"(is no probe: see "collisions" in "output")";
constexpr std::string_view mesh_file = R"(is "mesh" here, with the name of the "file")";
constexpr std::string_view flat_mesh = R"(is a "mesh" here, whose triangles stand in a "file": STL, OBJ, PLY or VTK)";
constexpr std::string_view coordination_probe = R"(is called "coordination" here)";

constexpr auto foreign_words = std::to_array<ForeignWord>({
    {among_probes, "mass", content_probe},
    {among_probes, "massinregion", content_probe},
    {among_probes, "velocity", content_probe},
    {among_probes, "centerofmass", content_probe},
    {among_probes, "centreofmass", content_probe},
    {among_probes, "force", boundary_force_probe},
    {among_probes, "wallforce", boundary_force_probe},
    {among_probes, "torque", boundary_force_probe},
    {among_probes, "power", boundary_force_probe},
    {among_probes, "voidratio", porosity_probe},
    {among_probes, "solidfraction", porosity_probe},
    {among_probes, "segregation", mixing_probe},
    {among_probes, "segregationindex", mixing_probe},
    {among_probes, "lacey", mixing_probe},
    {among_probes, "energy", energies_probe},
    {among_probes, "energies", energies_probe},
    {among_probes, "collisions", spectrum_probe},
    {among_probes, "impacts", spectrum_probe},
    {among_probes, "rattlers", coordination_probe},
    {among_boundaries, "stl", mesh_file},
    {among_boundaries, "obj", mesh_file},
    {among_boundaries, "disc", flat_mesh},
    {among_boundaries, "disk", flat_mesh},
    {among_boundaries, "rectangle", flat_mesh},
    {among_boundaries, "polygon", flat_mesh},
});

}  // namespace

std::optional<std::string> foreign_word(std::string_view word, const std::vector<std::string>& words) {
  const std::string plain = plain_key(word);
  return first_answer(foreign_words, [&](const ForeignWord& entry) {
    return entry.word == plain && std::find(words.begin(), words.end(), entry.among) != words.end();
  });
}

}  // namespace scree
