#include "host/run/particle_breakage.hpp"

#include <optional>

#include "host/breakage/saved_totals.hpp"
#include "host/breakage/strength.hpp"
#include "host/measure/clump_members.hpp"
#include "host/measure/state_measures.hpp"
#include "host/scene/build_scene/groups.hpp"
#include "scree/errors.hpp"

namespace scree {

ParticleBreakage::ParticleBreakage(const Scene& scene) : scene_(scene), groups_(scene.groups) {
  SCREE_EXPECT(scene.breakage.has_value(), "a scene in which spheres break");
  if (rules().every) { schedule_.emplace(*rules().every, scene); }
  for (const SceneBreakageRule& rule : rules().rules) {
    patterns_.emplace(rule.fragments, breakage::fragment_pattern(rule.fragments));
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
  find(engine, broken);
  ParticleSet made;
  std::vector<std::uint32_t> gone;
  for (BrokenParticle& one : broken) {
    one.first = engine.id_count() + made.size();
    const breakage::FragmentPattern& pattern = patterns_.at(one.fragments);
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
  return broken;
}

/// Radii, materials and strengths never change, so only new ids need a look at the particles.
void ParticleBreakage::note_new_particles(Engine& engine) {
  const std::size_t known = radius_.size(), ids = engine.id_count();
  if (known == ids) { return; }
  radius_.resize(ids);
  material_.resize(ids);
  strength_.resize(ids);
  const Snapshot now = engine.snapshot();
  const std::vector<bool> member = members_of_clumps(now);
  for (std::size_t i = 0; i < now.id.size(); ++i) {
    const std::uint32_t id = now.id[i];
    if (id < known || member[i]) { continue; }
    const SceneBreakageRule* const rule = rules().rule_of(now.material[i]);
    // Its fragments would be too small even if the sphere touched nothing.
    if (rule == nullptr || now.radius[i] * patterns_.at(rule->fragments).smallest() < rule->smallest_radius) {
      continue;
    }
    radius_[id] = now.radius[i];
    material_[id] = now.material[i];
    strength_[id] = breakage::strength_of(*rule, scene_.seed, id, now.radius[i]);
  }
}

/// The spheres that must break, with what their contacts tell.
std::vector<BrokenParticle> ParticleBreakage::overloaded(Engine& engine) {
  std::vector<ContactDetail> details;
  const std::vector<TouchingContact> contacts = engine.touching_contacts(&details);
  load_.assign(radius_.size(), {});
  breakage::add_contacts(contacts, details, radius_, load_);
  std::vector<BrokenParticle> broken;
  for (std::size_t id = 0; id < radius_.size(); ++id) {
    if (!(radius_[id] > 0)) { continue; }
    const double stress = load_[id].shear_stress(radius_[id]);
    if (!(stress >= strength_[id])) { continue; }
    const SceneBreakageRule& rule = *rules().rule_of(material_[id]);
    BrokenParticle one;
    one.parent.id = static_cast<std::uint32_t>(id);
    one.parent.radius = radius_[id];
    one.parent.material = material_[id];
    one.parent.depth = load_[id].depth;
    one.stress = stress;
    one.strength = strength_[id];
    one.fragments = rule.fragments;
    if (room_of(one.parent) * patterns_.at(rule.fragments).smallest() < rule.smallest_radius) { continue; }
    broken.push_back(one);
  }
  return broken;
}

void ParticleBreakage::find(Engine& engine, std::vector<BrokenParticle>& broken) const {
  const bool has_groups = scene_.groups.size() > 1;
  const Snapshot now = engine.snapshot({.group = has_groups, .temperature = scene_.heat.has_value()});
  std::vector<BrokenParticle> found;
  for (BrokenParticle& one : broken) {
    const std::optional<std::size_t> place = now.place_of(one.parent.id);
    if (!place) { continue; }
    const std::size_t i = *place;
    one.parent.position = now.position[i];
    one.parent.velocity = now.velocity[i];
    one.parent.angular_velocity = now.angular_velocity[i];
    if (has_groups) { one.parent.group = now.group[i]; }
    if (scene_.heat) { one.parent.temperature = now.temperature[i]; }
    found.push_back(one);
  }
  broken = std::move(found);
}

void ParticleBreakage::change_group(std::size_t index, const GroupChange& change) {
  groups_.at(index) = changed(std::move(groups_.at(index)), change);
}

void ParticleBreakage::save(std::vector<StateArray>& arrays) const { breakage::save_totals(totals_, arrays); }

void ParticleBreakage::restore(const std::vector<StateArray>& arrays) { totals_ = breakage::saved_totals(arrays); }

}  // namespace scree
