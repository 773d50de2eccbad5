#include "host/run/particle_breakage.hpp"

#include <limits>

#include "host/breakage/saved_totals.hpp"
#include "host/breakage/strength.hpp"
#include "host/measure/clump_members.hpp"
#include "host/measure/state_measures.hpp"
#include "host/scene/build_scene/groups.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {

ParticleBreakage::ParticleBreakage(const Scene& scene) : scene_(scene), groups_(scene.groups) {
  SCREE_EXPECT(scene.breakage.has_value(), "a scene in which spheres break");
  if (rules().every) { schedule_.emplace(*rules().every, scene); }
  for (const SceneBreakageRule& rule : rules().rules) {
    patterns_.emplace(rule.fragments, geometry::fragment_pattern(rule.fragments));
  }
}

RunTarget ParticleBreakage::next(const Engine& engine) const {
  if (schedule_) { return schedule_->next(engine); }
  return {(engine.step() / interval + 1) * interval};
}

bool ParticleBreakage::due(const Engine& engine) const {
  if (engine.step() == 0) { return false; }
  return schedule_ ? schedule_->due(engine) : engine.step() % interval == 0;
}

std::vector<BrokenParticle> ParticleBreakage::look(Engine& engine) {
  note_new_particles(engine);
  std::vector<BrokenParticle> broken = overloaded(engine);
  if (broken.empty()) { return broken; }
  std::uint64_t particles = engine.counts().particles;
  for (const BrokenParticle& one : broken) { particles += one.fragments - 1; }
  if (particles > rules().most_particles) {
    wanted_particles_ = particles;
    return {};
  }
  ParticleSet made;
  std::vector<std::uint32_t> gone;
  for (BrokenParticle& one : broken) {
    one.first = engine.id_count() + made.size();
    const geometry::FragmentPattern& pattern = patterns_.at(one.fragments);
    breakage::append_fragments(pattern, one.parent, scene_.seed, made);
    const double density = scene_.materials[one.parent.material].density;
    double kept = 0;
    for (std::size_t k = made.size() - one.fragments; k < made.size(); ++k) {
      kept += sphere_mass(density, made.radius[k]);
    }
    totals_.fines += sphere_mass(density, one.parent.radius) - kept;
    gone.push_back(one.parent.id);
  }
  impose_motion(groups_, made);
  totals_.broken += broken.size();
  totals_.fragments += made.size();
  engine.remove(gone, rules().counter);
  engine.insert(made);
  note_fragments(engine, made);
  return broken;
}

std::optional<std::string> ParticleBreakage::too_many() const {
  if (!wanted_particles_) { return std::nullopt; }
  return "the run ended before breakage made too many particles: with the fragments of the spheres that had to break "
         "there would be " +
         count_text(*wanted_particles_) + ", and breakage.most_particles allows " + count_text(rules().most_particles) +
         "; raise it, or breakage.materials.NAME.smallest_radius";
}

/// Radii, materials and strengths never change, so only new ids need a look at the particles.
void ParticleBreakage::note_new_particles(Engine& engine) {
  const std::size_t known = radius_.size(), ids = engine.id_count();
  if (known == ids) { return; }
  const Snapshot now = engine.snapshot();
  const std::vector<bool> member = members_of_clumps(now);
  forget_from(known, ids);
  std::vector<double> strength(ids - known, std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < now.id.size(); ++i) {
    if (now.id[i] < known || member[i]) { continue; }
    strength[now.id[i] - known] = note(now.id[i], now.radius[i], now.material[i]);
  }
  engine.set_strengths(static_cast<std::uint32_t>(known), strength);
}

/// The fragments are the last particles of the engine, which keeps their radii in its precision.
void ParticleBreakage::note_fragments(Engine& engine, const ParticleSet& made) {
  const std::size_t known = radius_.size();
  forget_from(known, known + made.size());
  std::vector<double> strength;
  for (std::size_t k = 0; k < made.size(); ++k) {
    const bool mixed = scene_.precision == Precision::mixed;
    const double radius = mixed ? static_cast<double>(static_cast<float>(made.radius[k])) : made.radius[k];
    strength.push_back(note(static_cast<std::uint32_t>(known + k), radius, made.material[k]));
  }
  engine.set_strengths(static_cast<std::uint32_t>(known), strength);
}

void ParticleBreakage::forget_from(std::size_t known, std::size_t ids) {
  radius_.resize(known);
  material_.resize(known);
  strength_.resize(known);
  radius_.resize(ids);
  material_.resize(ids);
  strength_.resize(ids);
}

/// Notes a single sphere. Returns its strength [Pa], infinite if it does not break.
double ParticleBreakage::note(std::uint32_t id, double radius, std::uint32_t material) {
  const SceneBreakageRule* const rule = rules().rule_of(material);
  // Its fragments would be too small even if the sphere touched nothing.
  if (rule == nullptr || radius * patterns_.at(rule->fragments).smallest() < rule->smallest_radius) {
    return std::numeric_limits<double>::infinity();
  }
  radius_[id] = radius;
  material_[id] = material;
  return strength_[id] = breakage::strength_of(*rule, scene_.seed, id, radius);
}

/// The spheres that must break, with what their contacts tell. A fragment of the others would be too small.
std::vector<BrokenParticle> ParticleBreakage::overloaded(Engine& engine) {
  std::vector<BrokenParticle> broken;
  for (const OverloadedSphere& sphere : engine.overloaded_spheres()) {
    const SceneBreakageRule& rule = *rules().rule_of(material_[sphere.id]);
    BrokenParticle one;
    one.parent.id = sphere.id;
    one.parent.radius = radius_[sphere.id];
    one.parent.material = material_[sphere.id];
    one.parent.depth = sphere.depth;
    one.parent.position = sphere.position;
    one.parent.velocity = sphere.velocity;
    one.parent.angular_velocity = sphere.angular_velocity;
    if (scene_.groups.size() > 1) { one.parent.group = sphere.group; }
    if (scene_.heat) { one.parent.temperature = sphere.temperature; }
    one.stress = sphere.stress;
    one.strength = strength_[sphere.id];
    one.fragments = rule.fragments;
    if (room_of(one.parent) * patterns_.at(rule.fragments).smallest() < rule.smallest_radius) { continue; }
    broken.push_back(one);
  }
  return broken;
}

void ParticleBreakage::change_group(std::size_t index, const GroupChange& change) {
  groups_.at(index) = changed(std::move(groups_.at(index)), change);
}

void ParticleBreakage::save(std::vector<StateArray>& arrays) const { breakage::save_totals(totals_, arrays); }

/// The ids of the restored state may belong to other particles than those that are known.
void ParticleBreakage::restore(const std::vector<StateArray>& arrays) {
  totals_ = breakage::saved_totals(arrays);
  forget_from(0, 0);
}

}  // namespace scree
