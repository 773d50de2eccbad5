#include "host/case/parcels.hpp"

#include <algorithm>
#include <cmath>

#include "host/case/scaled_sizes.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

/// Multiplies values of grains by the powers of the scale that make them values of parcels. Stresses stay the same, so
/// contact forces are proportional to the square of sizes. Velocities stay the same, so durations of contacts are
/// proportional to sizes.
class ToParcels {
 public:
  explicit ToParcels(double scale) : l_(scale), l2_(scale * scale), l3_(l2_ * scale) {}

  void contact(ContactRule& rule) const {
    times(rule.contact_time, l_);
    times(rule.normal_stiffness, l_);
    times(rule.shear_stiffness, l_);
    times(rule.normal_damping, l2_);
    times(rule.shear_damping, l2_);
    times(rule.surface_energy, l_);
    if (rule.plasticity) rule.plasticity->pull_off *= l2_;
    if (rule.liquid) {
      rule.liquid->surface_tension *= l_;
      times(rule.liquid->volume, l3_);
      times(rule.liquid->viscosity, l_);
      times(rule.liquid->roughness, l_);
    }
    if (rule.bond) {
      times(rule.bond->gap, l_);
      times(rule.bond->normal_stiffness, 1 / l_);
      times(rule.bond->shear_stiffness, 1 / l_);
    }
  }

  void shape(Shape& shape) const {
    if (auto* clump = std::get_if<ClumpTemplate>(&shape.kind)) {
      clump->scale *= l_;
    } else {
      grain(std::get<LevelSetTemplate>(shape.kind));
    }
  }

  void entry(ParticleGroup& entry) const {
    const auto scale = [&](auto& sized) {
      if (sized.radius) sized.radius = scaled(*sized.radius, l_);
      if (sized.diameter) sized.diameter = scaled(*sized.diameter, l_);
    };
    scale(entry);
    for (MixturePart& part : entry.mixture) scale(part);
    spin(entry.angular_velocity);
    if (entry.fill) count(entry.fill->count);
    if (!entry.inlet) return;
    times(entry.inlet->rate, 1 / l3_);
    count(entry.inlet->count);
    spin(entry.inlet->angular_velocity);
  }

  void group(GroupSettings& group) const {
    load(group.force);
    load(group.torque);
    if (group.angular_velocity) spin(*group.angular_velocity);
  }

  void stage(RunStage& stage) const {
    for (auto& [name, group] : stage.groups) {
      if (group.force) load(*group.force);
      if (group.torque) load(*group.torque);
      if (group.angular_velocity) spin(*group.angular_velocity);
    }
    for (auto& [name, inlet] : stage.inlets) times(inlet.rate, 1 / l3_);
    if (!stage.until) return;
    condition(*stage.until);
    for (StageCondition& part : stage.until->all_of) condition(part);
  }

  /// A parcel has the strength of its grains, so the diameter of a strength is multiplied.
  void breakage(Breakage& breakage) const {
    for (auto& [name, rule] : breakage.materials) rule.at_diameter *= l_, rule.smallest_radius *= l_;
  }

  void output(Output& output) const {
    if (!output.series) return;
    for (auto& [name, one] : output.series->probes) probe(one);
  }

 private:
  static void times(std::optional<double>& value, double factor) {
    if (value) *value *= factor;
  }
  void count(std::optional<std::uint64_t>& number) const {
    if (number && *number > 0) number = std::max(std::uint64_t{1}, whole(static_cast<double>(*number) / l3_));
  }
  static std::uint64_t whole(double number) { return static_cast<std::uint64_t>(std::llround(number)); }
  /// Scales a force or torque on each particle, so that it stays the same per volume.
  void load(Real3& value) const {
    for (double& x : value) x *= l3_;
  }
  /// Scales an angular velocity, so that the velocity of the surface stays the same.
  void spin(Real3& value) const {
    for (double& x : value) x /= l_;
  }

  void grain(LevelSetTemplate& grain) const {
    const auto lengths = [&](auto&... values) { ((values *= l_), ...); };
    if (grain.sphere) lengths(grain.sphere->radius);
    if (grain.box) lengths(grain.box->half_edges[0], grain.box->half_edges[1], grain.box->half_edges[2]);
    if (grain.capsule) lengths(grain.capsule->radius, grain.capsule->half_length);
    if (grain.cylinder) lengths(grain.cylinder->radius, grain.cylinder->half_height);
    if (grain.torus) lengths(grain.torus->major_radius, grain.torus->minor_radius);
    if (auto& form = grain.superellipsoid) lengths(form->half_axes[0], form->half_axes[1], form->half_axes[2]);
    if (grain.file && !grain.is_template()) grain.scale *= l_;  // a template is scaled by the radius of its entry
    times(grain.grid_spacing, l_);
    if (!grain.deformation) return;
    Deformation& modes = *grain.deformation;
    for (double& mass : modes.mass) mass *= l3_;
    for (double& stiffness : modes.stiffness) stiffness *= l_;
    for (auto& [amplitude, force] : modes.table) amplitude *= l_, force *= l2_;
    modes.damping_coefficient *= l2_;
    modes.damping_by_stiffness *= l_;
  }

  void probe(ProbeOutput& probe) const {
    if (auto* mixing = std::get_if<MixingProbe>(&probe.kind)) times(mixing->of.larger_than, l_);
  }

  template <class Condition>
  void condition(Condition& condition) const {
    times(condition.kinetic_energy, l3_);
    if (condition.at_most) condition.at_most = whole(static_cast<double>(*condition.at_most) / l3_);
    count(condition.at_least);
    if (condition.measure && condition.measure->probe) probe(*condition.measure->probe);
    if (!condition.removed) return;
    std::optional<std::uint64_t> least = condition.removed->at_least;
    count(least);
    condition.removed->at_least = *least;
  }

  double l_, l2_, l3_;
};

}  // namespace

Case as_parcels(const Case& grains) {
  Case parcels = grains;
  if (!grains.parcels) return parcels;
  const ToParcels to(grains.parcels->scale);
  parcels.parcels.reset();
  for (ContactRule& rule : parcels.contacts) to.contact(rule);
  for (auto& [name, shape] : parcels.shapes) to.shape(shape);
  for (ParticleGroup& entry : parcels.particles) to.entry(entry);
  for (auto& [name, group] : parcels.groups) to.group(group);
  for (RunStage& stage : parcels.stages) to.stage(stage);
  if (parcels.breakage) to.breakage(*parcels.breakage);
  to.output(parcels.output);
  auto& gap = parcels.neighbours.verlet_distance;
  if (auto* length = gap ? std::get_if<VerletLength>(&*gap) : nullptr) length->value *= grains.parcels->scale;
  return parcels;
}

double loss_of_impacts(const Case& grains) {
  const auto& parcels = grains.parcels;
  return parcels && parcels->restitution == ParcelRestitution::scaled ? parcels->scale : 1;
}

void check_parcels(const Case& input, Problems& problems) {
  if (!input.parcels || input.parcels->scale == 1) return;
  const auto is_template = [&](const std::string& name) {
    for (const auto& [known, shape] : input.shapes) {
      const auto* grain = std::get_if<LevelSetTemplate>(&shape.kind);
      if (known == name && grain != nullptr) return grain->is_template();
    }
    return false;
  };
  const auto expect_radius = [&](const std::string& path, const auto& sized) {
    if (sized.radius || sized.diameter || !is_template(sized.shape)) return;
    problems.add(path + ".radius", "is missing; with \"parcels\" it gives the size of the grains of a template");
  };
  for (std::size_t i = 0; i < input.particles.size(); ++i) {
    const ParticleGroup& entry = input.particles[i];
    const std::string path = "particles." + std::to_string(i);
    for (const auto& [given, key] : {std::pair{entry.lattice.has_value(), ".lattice"},
                                     {!entry.positions.empty(), ".positions"},
                                     {entry.file.has_value(), ".file"},
                                     {entry.membrane.has_value(), ".membrane"}}) {
      if (given) {
        problems.add(path + key,
                     "does not go with \"parcels\": it places each particle, and parcels are fewer; use a fill");
      }
    }
    if (entry.mixture.empty()) expect_radius(path, entry);
    for (std::size_t k = 0; k < entry.mixture.size(); ++k) {
      expect_radius(path + ".mixture." + std::to_string(k), entry.mixture[k]);
    }
  }
  if (loss_of_impacts(input) == 1) return;
  for (std::size_t r = 0; r < input.contacts.size(); ++r) {
    if (!input.contacts[r].normal_damping) continue;
    problems.add("contacts." + std::to_string(r) + ".normal_damping",
                 "does not go with parcels.restitution \"scaled\"; give a restitution");
  }
}

std::uint64_t grains_of(std::uint64_t parcels, double scale) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(parcels) * scale * scale * scale));
}

std::string particle_count_text(std::uint64_t particles, double scale) {
  if (scale == 1) return count_text(particles);
  return counted(particles, "parcel for ", "parcels for ") + count_text(grains_of(particles, scale)) + " grains";
}

}  // namespace scree
