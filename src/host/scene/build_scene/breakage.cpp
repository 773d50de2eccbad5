#include "host/scene/build_scene/breakage.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "host/geometry/fragment_pattern.hpp"
#include "host/measure/clump_members.hpp"
#include "host/scene/build_scene/problems.hpp"
#include "host/scene/time_step.hpp"

namespace scree {
namespace {

const std::string name_of_broken = "breakage";

/// The number of spheres that one sphere becomes if it and its fragments break as often as they can.
class FragmentCount {
 public:
  FragmentCount(const geometry::FragmentPattern& pattern, double smallest) : pattern_(pattern), smallest_(smallest) {}

  [[nodiscard]] bool breaks(double radius) const { return radius * pattern_.smallest() >= smallest_; }
  double of(double radius) {
    if (!breaks(radius)) { return 1; }
    const auto [entry, is_new] = known_.try_emplace(radius, 0);
    double& count = entry->second;  // the reference stays valid while the map grows
    if (!is_new) { return count; }
    double sum = 0;
    for (const double part : pattern_.radius) { sum += of(radius * part); }
    return count = sum;
  }

 private:
  const geometry::FragmentPattern& pattern_;
  double smallest_;
  std::map<double, double> known_;
};

/// [m] Radii of the single spheres of a material, at the start.
std::vector<double> single_radii(const Scene& scene, std::uint32_t material) {
  const std::vector<bool> member = members_of_clumps(scene.particles, scene.clump_shapes);
  std::vector<double> radii;
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    if (!member[i] && scene.particles.material[i] == material) { radii.push_back(scene.particles.radius[i]); }
  }
  return radii;
}

}  // namespace

void name_breakage(const Case& input, Scene& scene, std::vector<InputProblem>& problems) {
  if (!input.breakage) { return; }
  if (std::find(scene.outlet_names.begin(), scene.outlet_names.end(), name_of_broken) != scene.outlet_names.end()) {
    problems.push_back({"breakage",
                        "an outlet or a region has the name \"breakage\", under which broken spheres are "
                        "counted; give it another one"});
  }
  SceneBreakage breakage;
  breakage.every = input.breakage->every;
  constexpr std::uint64_t most_ids = (std::uint64_t{1} << 31U) - 1;
  breakage.most_particles = static_cast<std::uint32_t>(std::min(input.breakage->most_particles, most_ids));
  breakage.counter = static_cast<std::uint32_t>(scene.outlet_names.size());
  scene.outlet_names.push_back(name_of_broken);
  scene.breakage = breakage;
}

void make_breakage(const Case& input, Scene& scene, std::vector<InputProblem>& problems) {
  if (!input.breakage) { return; }
  if (scene.has_films()) {
    problems.push_back({"breakage", "does not go with films of liquid: what becomes of the film is not known"});
  }
  if (scene.particles.size() >= scene.breakage->most_particles) {
    problems.push_back({"breakage.most_particles", "must be above the number of particles at the start, " +
                                                       std::to_string(scene.particles.size()) + ", got " +
                                                       std::to_string(scene.breakage->most_particles)});
  }
  for (const auto& [name, source] : input.breakage->materials) {
    const std::string path = "breakage.materials." + name;
    SceneBreakageRule rule;
    rule.material = material_index(input, name);
    rule.stress = source.stress;
    rule.at_diameter = source.at_diameter;
    rule.inverse_modulus = source.weibull_modulus ? 1 / *source.weibull_modulus : 0;
    rule.size_exponent = source.size_exponent.value_or(3 * rule.inverse_modulus);
    rule.fragments = static_cast<std::uint32_t>(source.fragments);
    rule.smallest_radius = source.smallest_radius;
    const std::vector<double> radii = single_radii(scene, rule.material);
    double largest = radii.empty() ? 0 : *std::max_element(radii.begin(), radii.end());
    for (const SceneInlet& inlet : scene.inlets) {
      if (!inlet.shape && inlet.material == rule.material) { largest = std::max(largest, inlet.largest_radius); }
    }
    if (!(largest > 0)) {
      problems.push_back({path, "no single sphere has this material; clumps and level-set grains do not break"});
      continue;
    }
    const geometry::FragmentPattern pattern = geometry::fragment_pattern(rule.fragments);
    FragmentCount count(pattern, rule.smallest_radius);
    if (!count.breaks(largest)) {
      problems.push_back({path + ".smallest_radius",
                          "the largest sphere has the radius " + length_text(largest) + ", and the smallest of its " +
                              std::to_string(rule.fragments) + " fragments would have " +
                              length_text(largest * pattern.smallest()) +
                              ": nothing can break; must be at most that, got " + length_text(rule.smallest_radius)});
      continue;
    }
    rule.largest_radius = largest * pattern.largest();
    double most = 0;
    for (const double radius : radii) { most += count.of(radius); }
    rule.most_particles = most < 1e15 ? static_cast<std::uint64_t>(most) : 0;
    scene.breakage->rules.push_back(rule);
  }
}

}  // namespace scree
