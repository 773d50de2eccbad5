#include "host/case/films.hpp"
#include "host/clumps/orientation.hpp"
#include "host/packing/particle_file.hpp"
#include "host/packing/random.hpp"
#include "host/scene/build_scene/groups.hpp"
#include "host/scene/build_scene/particles.hpp"
#include "host/scene/build_scene/placed_group.hpp"
#include "host/scene/build_scene/shapes.hpp"
#include "host/scene/films.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

class Join {
 public:
  Join(const Case& input, const std::vector<ClumpShape>& shapes) : input_(input), shapes_(shapes) {}

  void add(const PlacedGroup& group) {
    if (group.shape) {
      add_clumps(group);
    } else {
      add_spheres(group);
    }
    add_physics(group);
  }
  [[nodiscard]] ParticleSet take() { return std::move(all_); }

 private:
  void add_spheres(const PlacedGroup& group) {
    const ParticleGroup& entry = input_.particles[group.entry];
    const std::size_t end = all_.size() + group.size();
    all_.position.insert(all_.position.end(), group.spheres.position.begin(), group.spheres.position.end());
    all_.radius.insert(all_.radius.end(), group.spheres.radius.begin(), group.spheres.radius.end());
    const auto take = [&](std::vector<Real3>& to, const std::vector<Real3>& own, const Real3& common) {
      to.insert(to.end(), own.begin(), own.end());
      to.resize(end, common);
    };
    take(all_.velocity, group.velocity, entry.velocity);
    take(all_.angular_velocity, group.angular_velocity, entry.angular_velocity);
    for (std::size_t i = 0; i < group.size(); ++i) {
      all_.material.push_back(material_of(group, i));
      if (!input_.groups.empty()) { all_.group.push_back(group_of(group, i)); }
    }
  }

  void add_clumps(const PlacedGroup& group) {
    const ParticleGroup& entry = input_.particles[group.entry];
    const ClumpShape& shape = shapes_[*group.shape];
    // The streams of random numbers of fills and inlets have other numbers.
    packing::Random random(input_.seed, (std::uint64_t{1} << 62U) + (std::uint64_t{group.part} << 40U) + group.entry);
    for (std::size_t i = 0; i < group.size(); ++i) {
      const auto given = given_orientation(input_, shapes_, group, i);
      append_clump(
          all_, shape, material_of(group, i),
          {.shape = *group.shape,
           .size = group.spheres.radius[i] / shape.bounding_radius,
           .position = group.spheres.position[i],
           .orientation = given ? *given : clumps::random_orientation(random),
           .velocity = group.velocity.empty() ? entry.velocity : group.velocity[i],
           .angular_velocity = group.angular_velocity.empty() ? entry.angular_velocity : group.angular_velocity[i]});
      if (!input_.groups.empty()) { all_.group.resize(all_.size(), group_of(group, i)); }
    }
  }

  /// Adds temperatures and films for the particles that were added last.
  void add_physics(const PlacedGroup& group) {
    const ParticleGroup& entry = input_.particles[group.entry];
    const std::size_t spheres_of_each = group.shape ? shapes_[*group.shape].radius.size() : 1;
    const auto append = [&](std::vector<double>& to, const std::vector<double>& own, double common) {
      for (std::size_t i = 0; i < group.size(); ++i) {
        to.insert(to.end(), spheres_of_each, own.empty() ? common : own[i]);
      }
    };
    if (input_.heat) {
      append(all_.temperature, group.temperature, entry.temperature.value_or(input_.heat->temperature));
    }
    if (uses_films(input_)) {
      std::vector<double> fraction;
      append(fraction, group.film, entry.film.value_or(0));
      append_films(fraction, shapes_, all_);
    }
  }

  [[nodiscard]] static std::uint32_t material_of(const PlacedGroup& group, std::size_t i) {
    return group.material_of.empty() ? group.material : group.material_of[i];
  }
  [[nodiscard]] std::uint32_t group_of(const PlacedGroup& group, std::size_t i) const {
    return group.group_of.empty() ? group_index(input_, group.kind.group) : group.group_of[i];
  }

  const Case& input_;
  const std::vector<ClumpShape>& shapes_;
  ParticleSet all_;
};

void refuse_beyond_ids(std::uint64_t total, std::vector<InputProblem>& problems) {
  problems.push_back({"particles", "are " + count_text(total) + ", more than the " +
                                       count_text(packing::most_particles) + " that ids can tell apart"});
}

}  // namespace

std::optional<QuaternionWxyz> given_orientation(const Case& input, const std::vector<ClumpShape>& shapes,
                                                const PlacedGroup& group, std::size_t i) {
  const auto& common = input.particles[group.entry].orientation;
  if (!group.shape || (group.orientation.empty() && !common)) { return std::nullopt; }
  return placed_orientation(shapes[*group.shape], group.orientation.empty() ? *common : group.orientation[i]);
}

ParticleSet joined(const Case& input, const std::vector<ClumpShape>& shapes, const std::vector<PlacedGroup>& groups,
                   std::vector<InputProblem>& problems) {
  std::uint64_t total = 0;
  for (const PlacedGroup& group : groups) {
    total += group.size() * (group.shape ? shapes[*group.shape].radius.size() : 1);
  }
  if (total > packing::most_particles) {
    refuse_beyond_ids(total, problems);
    return {};
  }
  Join all(input, shapes);
  for (const PlacedGroup& group : groups) { all.add(group); }
  return all.take();
}

void append_particles(const Case& input, const ParticleSet& more, ParticleSet& all,
                      std::vector<InputProblem>& problems) {
  const std::size_t first = all.size(), total = first + more.size();
  if (total > packing::most_particles) { return refuse_beyond_ids(total, problems); }
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  // A checkpoint of a run without heat, groups or films has no such values.
  const auto append_values = [&](auto& to, const auto& from, auto value) {
    if (to.empty() && from.empty()) { return; }
    to.resize(first, value);
    append(to, from);
    to.resize(total, value);
  };
  append_values(all.group, more.group, std::uint32_t{0});
  append_values(all.temperature, more.temperature, input.heat ? input.heat->temperature : 0.0);
  append_values(all.film, more.film, 0.0);
  append(all.position, more.position);
  append(all.velocity, more.velocity);
  append(all.angular_velocity, more.angular_velocity);
  append(all.radius, more.radius);
  append(all.material, more.material);
  for (Clump clump : more.clumps) {
    clump.first += static_cast<std::uint32_t>(first);
    all.clumps.push_back(std::move(clump));
  }
}

}  // namespace scree
