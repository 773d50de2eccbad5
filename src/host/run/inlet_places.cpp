#include <algorithm>
#include <limits>

#include "host/clumps/orientation.hpp"
#include "host/geometry/real3.hpp"
#include "host/run/inlet.hpp"
#include "host/scene/build_scene/groups.hpp"
#include "host/scene/build_scene/shapes.hpp"
#include "host/scene/films.hpp"

namespace scree {
namespace {

using packing::Random;

// Distances are a little longer than necessary, because the engine rounds radii to its own precision.
constexpr double wider = 1 + 1e-6;
constexpr int tries_per_round = 8, most_rounds = 16;
// A region may reject most tries itself, since a mesh may fill little of its box. Rejected tries do not count, up to a
// limit.
constexpr int most_held = tries_per_round * most_rounds, most_tries = 10'000;
constexpr std::size_t most_at_once = 100'000;  // bounds the work of one step; the rest follows in the next
// Particles that are due wait in a queue. When one finds no room, those behind it wait as well. So only the head of the
// queue is tried: the work of an inlet that cannot deliver what is due would grow with the queue otherwise.
constexpr std::size_t tried_together = 256;

}  // namespace

std::size_t OneInlet::most_with_room(double time, const geometry::Bounds& box) const {
  double volume = 1;
  for (std::size_t k = 0; k < 3; ++k) volume *= box.upper.at(k) - box.lower.at(k);
  double smallest = std::numeric_limits<double>::infinity();
  for (const Part& part : parts_) smallest = std::min(smallest, part.inlet.smallest_particle());
  const InletReport now = report(time);
  const double waiting = now.by_mass ? (now.due - state.mass) / smallest_mass() : now.due - double(state.made);
  const double room = volume / (smallest * smallest * smallest);  // a ball has about four times this volume
  return static_cast<std::size_t>(std::clamp(std::fmin(waiting, room), 1.0, double(most_at_once)));
}

OneInlet::Placed OneInlet::place(Engine& engine, Random& random) {
  const double time = engine.time();
  solids_.find(engine);
  double largest = 0;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    largest = std::max(largest, ball_of({k, parts_[k].inlet.largest_particle()}) * wider);
  }
  const geometry::Bounds box = region_->reach(largest);
  const SphereList there = engine.particles_in(box.lower, box.upper);
  for (const double radius : there.radius) largest = std::max(largest, radius);
  const std::size_t expected = there.radius.size() + most_with_room(time, box);
  packing::SphereGrid grid =
      cell_ ? packing::SphereGrid(*cell_, largest, expected) : packing::SphereGrid(box, largest, expected);
  for (std::size_t i = 0; i < there.radius.size(); ++i) grid.insert(there.position[i], there.radius[i]);

  Placed placed{.particle = {}, .spot = {}, .after = state};
  while (placed.particle.size() < most_at_once) {
    const std::vector<Due> queue = due(time, tried_together, placed.after);
    const auto spots = places_of(engine, queue, grid, random);
    for (std::size_t k = 0; k < spots.size(); ++k) {
      placed.particle.push_back(queue[k]);
      placed.spot.push_back(spots[k]);
      placed.after.mass += mass_of(queue[k]);
      if (parts_.size() > 1) placed.after.part_mass[queue[k].part] += mass_of(queue[k]);
      ++placed.after.made;
    }
    if (queue.empty() || spots.size() < queue.size()) break;
  }
  return placed;
}

bool OneInlet::Search::is_over() const { return place || held >= most_held || tries >= most_tries; }

std::vector<OneInlet::Spot> OneInlet::places_of(Engine& engine, const std::vector<Due>& queue,
                                                packing::SphereGrid& grid, Random& random) const {
  std::vector<Search> searches;
  searches.reserve(queue.size());
  for (const Due& particle : queue) searches.push_back({.radius = ball_of(particle), .place = {}});
  for (int round = 0; round < most_rounds; ++round) {
    if (!try_places(engine, searches, grid, random)) break;
  }
  std::vector<Spot> spots;
  for (Search& search : searches) {
    // The particles are tried one after the other, since places behind a particle without a place are not needed.
    while (try_places(engine, {&search, 1}, grid, random)) {}
    if (!search.place) break;
    spots.push_back(*search.place);
  }
  return spots;
}

bool OneInlet::try_places(Engine& engine, std::span<Search> searches, packing::SphereGrid& grid, Random& random) const {
  std::vector<std::size_t> owner;
  std::vector<Spot> spots;
  SphereList tried;
  for (std::size_t k = 0; k < searches.size(); ++k) {
    Search& search = searches[k];
    for (int t = 0; t < tries_per_round && !search.is_over(); ++t) {
      Spot spot = region_->spot(search.radius, random);
      ++search.tries;
      if (!region_->holds(spot.centre, search.radius)) continue;
      if (solids_.enclose(cell_ ? cell_->folded(spot.centre) : spot.centre)) continue;
      ++search.held;
      if (!grid.is_free(spot.centre, search.radius * wider)) continue;
      if (cell_) { spot.centre = cell_->folded(spot.centre); }  // copies of boundaries surround the cell
      owner.push_back(k);
      spots.push_back(spot);
      tried.position.push_back(spot.centre);
      tried.radius.push_back(search.radius * wider);
    }
  }
  if (!owner.empty()) {
    const auto clear = engine.clear_of_boundaries(tried);
    for (std::size_t i = 0; i < owner.size(); ++i) {
      Search& search = searches[owner[i]];
      if (search.place || clear[i] == 0 || !grid.is_free(tried.position[i], tried.radius[i])) continue;
      grid.insert(tried.position[i], tried.radius[i]);
      search.place = spots[i];
    }
  }
  return !std::all_of(searches.begin(), searches.end(), [](const Search& search) { return search.is_over(); });
}

ParticleSet OneInlet::particles_of(const Placed& placed, Random& random) const {
  ParticleSet made;
  for (std::size_t k = 0; k < placed.spot.size(); ++k) {
    const Part& part = parts_[placed.particle[k].part];
    const Real3& centre = placed.spot[k].centre;
    const Real3 velocity = geometry::along(source_.velocity, source_.normal_speed, placed.spot[k].normal);
    if (part.shape != nullptr) {
      const double size = ball_of(placed.particle[k]) / part.shape->bounding_radius;
      const auto turn = source_.orientation ? placed_orientation(*part.shape, *source_.orientation)
                                            : clumps::random_orientation(random);
      append_clump(made, *part.shape, part.inlet.material,
                   {.shape = *part.inlet.shape,
                    .size = size,
                    .position = centre,
                    .orientation = turn,
                    .velocity = velocity,
                    .angular_velocity = source_.angular_velocity});
    } else {
      made.position.push_back(centre);
      made.radius.push_back(placed.particle[k].radius);
      made.velocity.push_back(velocity);
      made.angular_velocity.push_back(source_.angular_velocity);
      made.material.push_back(part.inlet.material);
    }
    if (scene_.groups.size() > 1) made.group.resize(made.size(), part.inlet.group);
  }
  if (temperature_) made.temperature.assign(made.size(), *temperature_);
  if (scene_.has_films()) append_films(std::vector<double>(made.size(), film_), scene_.clump_shapes, made);
  impose_motion(groups_, made);
  return made;
}

}  // namespace scree
