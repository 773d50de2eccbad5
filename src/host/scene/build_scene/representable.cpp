#include "host/scene/build_scene/representable.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "host/measure/clump_members.hpp"
#include "host/scene/build_scene/shapes.hpp"
#include "host/scene/contact_springs.hpp"
#include "host/scene/meetings.hpp"
#include "host/scene/time_step.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

constexpr double farthest = 1e9;     // [m] farther away double precision resolves no contact
constexpr double most_steps = 1e15;  // a double holds every whole number up to this exactly
constexpr double room = 10;          // factor from the limits of a type to the allowed range, for sums and rounding

struct Range {
  double least = std::numeric_limits<double>::min() * room, most = std::numeric_limits<double>::max() / room;
  [[nodiscard]] bool holds(double value) const { return value >= least && value <= most; }
};
Range single_range() {
  return {std::numeric_limits<float>::min() * room, static_cast<double>(std::numeric_limits<float>::max()) / room};
}

/// Checks that positive numbers can be represented; reports at most one problem per path.
class Numbers {
 public:
  Numbers(const Scene& scene, std::vector<InputProblem>& problems)
      : mixed_(scene.precision == Precision::mixed), range_(mixed_ ? single_range() : Range{}), problems_(problems) {}

  /// `what` is "spheres of radius 1 mm have a mass of", `unit` may be empty.
  void expect(const std::string& path, const std::string& what, double value, const std::string& unit) {
    if (range_.holds(value)) { return; }
    const std::string remedy =
        mixed_ && Range{}.holds(value)
            ? "which precision \"mixed\" cannot hold; use \"precision\": \"double\", or larger units of length and time"
            : "which no precision can hold";
    add(path, what + " " + short_number_text(value) + (unit.empty() ? "" : " " + unit) + ", " + remedy);
  }
  void add(const std::string& path, const std::string& message) {
    const bool said =
        std::any_of(problems_.begin(), problems_.end(), [&](const InputProblem& p) { return p.path == path; });
    if (!said) { problems_.push_back({path, message}); }
  }

 private:
  bool mixed_;
  Range range_;
  std::vector<InputProblem>& problems_;
};

struct SizesOf {
  std::vector<RadiusRange> spheres, members;     ///< [n_materials] radii of free spheres, of members of clumps
  std::vector<std::vector<RadiusRange>> clumps;  ///< [n_materials][n_shapes] factors on the shape
};

SizesOf sizes_of(const Scene& scene) {
  const std::size_t n = scene.materials.size();
  SizesOf sizes{std::vector<RadiusRange>(n), std::vector<RadiusRange>(n),
                std::vector<std::vector<RadiusRange>>(n, std::vector<RadiusRange>(scene.clump_shapes.size()))};
  const ParticleSet& set = scene.particles;
  const std::vector<bool> member = members_of_clumps(set, scene.clump_shapes);
  for (std::size_t i = 0; i < set.size(); ++i) {
    (member[i] ? sizes.members : sizes.spheres)[set.material[i]].note(set.radius[i]);
  }
  for (const Clump& clump : set.clumps) { sizes.clumps[set.material[clump.first]][clump.shape].note(clump.size); }
  for (const SceneInlet& inlet : scene.inlets) {
    RadiusRange& radii = (inlet.shape ? sizes.members : sizes.spheres)[inlet.material];
    for (const double radius : {inlet.smallest_radius, inlet.largest_radius}) { radii.note(radius); }
    if (!inlet.shape) { continue; }
    const double own = equivalent_radius(scene.clump_shapes[*inlet.shape]);
    for (const double radius : {inlet.smallest_clump, inlet.largest_clump}) {
      sizes.clumps[inlet.material][*inlet.shape].note(radius / own);
    }
  }
  visit_fragments(scene.breakage, [&](double radius, std::size_t material) { sizes.spheres[material].note(radius); });
  return sizes;
}

/// Checks stiffness, force and acceleration of a contact between equal spheres, at an overlap of one radius.
void check_contact(Numbers& numbers, const std::string& path, const std::string& who, double young, double radius,
                   double mass) {
  const double stiffness = young * radius, force = stiffness * radius;
  numbers.expect(path, who + " have a contact stiffness of about", stiffness, "N/m");
  numbers.expect(path, who + " have contact forces of up to about", force, "N");
  numbers.expect(path, who + " have a product of stiffness and mass, from which dashpots follow, of", stiffness * mass,
                 "N kg/m");
  numbers.expect(path, who + " have accelerations of up to about", force / mass, "m/s2");
}

void check_spheres(Numbers& numbers, const std::string& path, const Material& material, double radius) {
  const std::string who = "spheres of radius " + length_text(radius);
  const double mass = sphere_mass(material, radius), inertia = 0.4 * mass * radius * radius;
  numbers.expect(path, who + " have an effective radius of about", radius * radius, "m2, squared");
  numbers.expect(path, who + " have a mass of", mass, "kg");
  numbers.expect(path, who + " have an inverse mass of", 1 / mass, "1/kg");
  numbers.expect(path, who + " have an inverse moment of inertia of", 1 / inertia, "1/(kg m2)");
  check_contact(numbers, path, who, material.young_modulus, radius, mass);
  numbers.expect(path, who + " have angular accelerations of up to about",
                 material.young_modulus * radius * radius * radius / inertia, "rad/s2");
}

void check_clumps(Numbers& numbers, const std::string& path, const Material& material, const ClumpShape& shape,
                  double size) {
  const std::string who =
      "clumps of shape \"" + shape.name + "\" of radius " + length_text(size * equivalent_radius(shape));
  const double cubed = size * size * size, mass = material.density * shape.volume * cubed;
  numbers.expect(path, who + " have a mass of", mass, "kg");
  numbers.expect(path, who + " have an inverse mass of", 1 / mass, "1/kg");
  constexpr Range twice{std::numeric_limits<double>::min() * room, std::numeric_limits<double>::max() / room};
  for (const double moment : shape.inertia) {  // moments of inertia of clumps are always in double precision
    const double inertia = material.density * cubed * size * size * moment;
    if (!twice.holds(inertia) || !twice.holds(1 / inertia)) {
      numbers.expect(path, who + " have a moment of inertia of", inertia, "kg m2");
    }
  }
}

/// Checks the values of a pair of materials for spheres of this radius [m] and mass [kg].
void check_pair(Numbers& numbers, const std::string& path, const MaterialPair& pair, double radius, double mass) {
  const std::string who = "contacts of spheres of radius " + length_text(radius);
  for (const auto& modulus : {pair.effective_young, pair.effective_shear}) {
    if (modulus) { check_contact(numbers, path, "spheres of radius " + length_text(radius), *modulus, radius, mass); }
  }
  const LinearSprings& springs = pair.springs;
  for (const double per_mass : {springs.stiffness_per_mass, springs.shear_per_mass}) {
    if (per_mass > 0) { numbers.expect(path, who + " have a stiffness of", per_mass * mass, "N/m"); }
  }
  for (const double stiffness : {springs.stiffness, springs.shear_stiffness}) {
    if (stiffness > 0) {
      numbers.expect(path, who + " have accelerations of up to about", stiffness * radius / mass, "m/s2");
    }
  }
  for (const double dashpot : {springs.dashpot, springs.shear_dashpot}) {
    if (dashpot > 0) { numbers.expect(path, who + " have a rate of damping of", dashpot / mass, "1/s"); }
  }
  if (pair.surface_energy > 0) {
    numbers.expect(path, who + " have an adhesion of", pair.surface_energy * radius, "N");
  }
}

}  // namespace

void check_derived_numbers(const Scene& scene, std::vector<InputProblem>& problems) {
  Numbers numbers(scene, problems);
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    for (const double x : scene.particles.position[i]) {
      if (std::fabs(x) <= farthest) { continue; }
      numbers.add("particles", "must be within " + number_text(farthest) + " m of the origin, particle " +
                                   std::to_string(i) + " starts at " + number_text(x) + " m");
    }
  }
  const SizesOf sizes = sizes_of(scene);
  const auto path_of = [&](std::size_t m) { return "materials." + scene.material_names[m]; };
  for (std::size_t m = 0; m < scene.materials.size(); ++m) {
    if (sizes.spheres[m].any()) {
      for (const double radius : {sizes.spheres[m].smallest, sizes.spheres[m].largest}) {
        check_spheres(numbers, path_of(m), scene.materials[m], radius);
      }
    }
    for (std::size_t s = 0; s < scene.clump_shapes.size(); ++s) {
      if (!sizes.clumps[m][s].any()) { continue; }
      for (const double size : {sizes.clumps[m][s].smallest, sizes.clumps[m][s].largest}) {
        check_clumps(numbers, path_of(m), scene.materials[m], scene.clump_shapes[s], size);
      }
    }
    RadiusRange all = sizes.spheres[m];
    if (sizes.members[m].any()) { all.note(sizes.members[m].smallest), all.note(sizes.members[m].largest); }
    for (std::size_t p = 0; all.any() && p < scene.materials.size(); ++p) {
      for (const double radius : {all.smallest, all.largest}) {
        check_pair(numbers, "contacts", scene.pair(m, p), radius, sphere_mass(scene.materials[m], radius));
      }
    }
  }
}

void check_steps(const Case& input, const Scene& scene, std::vector<InputProblem>& problems) {
  Numbers numbers(scene, problems);
  numbers.expect("time.step", "the time step is", scene.time_step, "s");
  if (scene.verlet_distance > 0) {
    numbers.expect("neighbours.verlet_distance", "the least distance is", scene.verlet_distance, "m");
  }
  if (!(input.time.duration / scene.time_step < most_steps)) {
    numbers.add("time.duration", "must be less than " + number_text(most_steps) + " time steps of " +
                                     short_number_text(scene.time_step) + " s, got " +
                                     number_text(input.time.duration));
  }
}

}  // namespace scree
