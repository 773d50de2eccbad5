#include "host/scene/build_scene/membranes.hpp"

#include <algorithm>
#include <utility>

#include "host/scene/build_scene/problems.hpp"
#include "host/text/text.hpp"

namespace scree {

std::string membrane_text(const std::string& path, const MembraneLattice& lattice, const Membrane& source,
                          double radius) {
  return path + ".membrane \"" + source.name + "\": " + count_text(lattice.nodes()) + " nodes of radius " +
         short_number_text(radius, 4) + " m, " + count_text(lattice.around) + " in each of " +
         count_text(lattice.rings) + " rings";
}

std::vector<std::string> membrane_names(const Case& input) {
  std::vector<std::string> names;
  for (const ParticleGroup& entry : input.particles) {
    if (entry.membrane) { names.push_back(entry.membrane->name); }
  }
  return names;
}

void add_membranes(std::vector<SceneMembrane> placed, std::size_t n_before, Scene& scene) {
  for (SceneMembrane& membrane : placed) {
    membrane.first += static_cast<std::uint32_t>(n_before);
    scene.membranes.push_back(std::move(membrane));
  }
  std::sort(scene.membranes.begin(), scene.membranes.end(),
            [](const SceneMembrane& a, const SceneMembrane& b) { return a.entry < b.entry; });
}

void check_membranes(const Case& input, const Scene& scene, std::vector<InputProblem>& problems) {
  const std::vector<std::string> names = membrane_names(input);
  for (std::size_t k = 0; k < input.particles.size(); ++k) {
    const ParticleGroup& entry = input.particles[k];
    if (!entry.membrane) { continue; }
    const std::string path = "particles." + std::to_string(k) + ".membrane";
    if (std::count(names.begin(), names.end(), entry.membrane->name) > 1) {
      problems.push_back({path + ".name", "\"" + entry.membrane->name + "\" is the name of another membrane"});
    }
    if (scene.cell) { problems.push_back({path, "is not possible in a periodic cell"}); }
    if (!entry.material || scene.pairs.empty()) { continue; }
    const std::uint32_t material = material_index(input, *entry.material);
    if (!needs_of(scene.law_of(material, material)).makes_bonds()) {
      problems.push_back({path, "needs a law that bonds its nodes: give a rule of \"contacts\" between \"" +
                                    *entry.material + "\" and itself with \"law\": \"bonded\""});
    }
  }
}

}  // namespace scree
