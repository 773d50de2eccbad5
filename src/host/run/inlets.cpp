#include "host/run/inlets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/case/particle_kinds.hpp"
#include "host/clumps/orientation.hpp"
#include "host/geometry/real3.hpp"
#include "host/measure/state_measures.hpp"
#include "host/packing/fill.hpp"
#include "host/packing/mixture.hpp"
#include "host/packing/sphere_grid.hpp"
#include "host/scene/build_scene/groups.hpp"
#include "host/scene/build_scene/shapes.hpp"
#include "host/scene/films.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using packing::Random;
using Spot = packing::FillRegion::Spot;

// Distances are kept a little longer than they must be: the engine rounds radii to its own precision.
constexpr double wider = 1 + 1e-6;
constexpr int tries_per_round = 8, most_rounds = 16;
constexpr std::size_t most_at_once = 100'000;  // bounds the work of one step; the rest follows in the next
// Particles that are due wait in a queue. When one finds no room, those behind it wait as well. So only the head of the
// queue is tried: the work of an inlet that cannot deliver what is due would grow with the queue otherwise.
constexpr std::size_t tried_together = 256;

constexpr double rounding = 1e-9;  // of a product of rate and time that should be a whole number

}  // namespace

/// One inlet: what is due, and where it goes.
class Inlets::One {
 public:
  /// `first` is the inlet of the first part of a mixture, or the only one.
  One(const Case& input, const Scene& scene, std::size_t first)
      : scene_(scene),
        entry_(scene.inlets[first].entry),
        source_(*input.particles[entry_].inlet),
        temperature_(input.particles[entry_].temperature),
        film_(input.particles[entry_].film.value_or(0)),
        given_rate_(source_.rate ? *source_.rate : *source_.mass_flow),
        rate_since_(source_.from),
        region_(packing::make_region(source_.region, input.folder, ignored_)),
        // Streams of fills are numbered from 0: these lie far beyond.
        seed_(Random(input.seed, (std::uint64_t{1} << 63U) + entry_).bits()) {
    state.entry = entry_;
    const auto kinds = kinds_of(input, input.particles[entry_]);
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const SceneInlet& inlet = scene.inlets.at(first + k);
      SCREE_EXPECT(inlet.entry == entry_ && inlet.part == k, "the parts of a mixture follow one another");
      const auto* shape = inlet.shape ? &scene.clump_shapes[*inlet.shape] : nullptr;
      parts_.push_back(
          {inlet, shape,
           packing::SizeSampler(kinds[k].radius.value_or(SizeDistribution(FixedSize{inlet.largest_particle()}))),
           shape != nullptr ? shape->bounding_radius / equivalent_radius(*shape) : 1});
      shares_.push_back(kinds[k].mass_fraction);
    }
    if (parts_.size() > 1) state.part_mass.resize(parts_.size());
  }

  /// Brings what is due at a time, as far as there is room.
  void feed(Engine& engine) {
    if (!on_) return;
    if (due(engine.time(), 1, state).empty()) return;
    Random random(seed_, 2 * engine.step() + 1);
    const Placed placed = place(engine, random);
    engine.insert(particles_of(placed, random));
    state = placed.after;
  }

  [[nodiscard]] bool finished(double time) const {
    if (source_.count && state.made >= *source_.count) return true;
    if (source_.mass && state.mass + smallest_mass() > *source_.mass) return true;
    return time >= source_.until && due(time, 1, state).empty();
  }

  void change(const StagedInlet& change, double time) {
    due_before_ = amount(time);
    rate_since_ = std::max(time, source_.from);
    if (change.rate) given_rate_ = *change.rate;
    if (change.mass_flow) given_rate_ = *change.mass_flow;
    on_ = change.on.value_or(on_);
  }

  /// One sentence, once, when much of what was due has found no room.
  [[nodiscard]] std::optional<std::string> complaint(double time) {
    constexpr double allowed = 0.1;
    const InletReport now = report(time);
    const double got = source_.rate ? static_cast<double>(now.made) : now.mass;
    const double one = source_.rate ? 1 : largest_mass();
    if (!on_ || state.warned || now.due - got <= std::fmax(allowed * now.due, 2 * one)) return std::nullopt;
    state.warned = true;
    const std::string unit = source_.rate ? "" : " kg";
    return "particles." + std::to_string(entry_) + ".inlet: cannot keep its " + (source_.rate ? "rate" : "mass flow") +
           ", " + short_number_text(got) + unit + " of " + short_number_text(now.due) + unit +
           (source_.rate ? " particles" : "") + " found room until t = " + short_number_text(time) +
           " s; what is missing waits for room";
  }

  [[nodiscard]] InletReport report(double time) const {
    InletReport report;
    report.entry = entry_;
    report.made = state.made;
    report.mass = state.mass;
    report.by_mass = source_.mass_flow.has_value();
    report.due = report.by_mass ? amount(time) : std::floor(amount(time) * (1 + rounding) + rounding);
    if (report.by_mass && source_.mass) report.due = std::fmin(report.due, *source_.mass);
    if (!report.by_mass && source_.count) report.due = std::fmin(report.due, static_cast<double>(*source_.count));
    return report;
  }

  InletState state;

 private:
  /// One kind of particles.
  struct Part {
    const SceneInlet& inlet;
    const ClumpShape* shape;  ///< null: spheres
    packing::SizeSampler sampler;
    double around;  ///< [-] radius of the ball about a particle over its (equivalent) radius
  };
  /// A particle that waits, or one that is placed.
  struct Due {
    std::size_t part;
    double radius;  ///< [m] equivalent
  };

  [[nodiscard]] double mass_of(const Due& particle) const {
    return sphere_mass(scene_.materials[parts_[particle.part].inlet.material].density, particle.radius);
  }
  [[nodiscard]] double ball_of(const Due& particle) const { return parts_[particle.part].around * particle.radius; }
  [[nodiscard]] double smallest_mass() const {
    double mass = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      mass = std::min(mass, mass_of({k, parts_[k].inlet.smallest_particle()}));
    }
    return mass;
  }
  [[nodiscard]] double largest_mass() const {
    double mass = 0;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      mass = std::max(mass, mass_of({k, parts_[k].inlet.largest_particle()}));
    }
    return mass;
  }

  /// Particles, or their mass [kg], due at a time by the rates until then.
  [[nodiscard]] double amount(double time) const {
    const double open = std::max(0.0, std::min(time, source_.until) - rate_since_);
    return due_before_ + (on_ ? given_rate_ : 0) * open;
  }

  /// The head of the queue: the next particles that are due behind those that `from` counts, in the order of their
  /// numbers, at most so many. The kind of each follows from the masses of those before it.
  [[nodiscard]] std::vector<Due> due(double time, std::size_t most, const InletState& from) const {
    const InletReport now = report(time);
    std::vector<Due> queue;
    double mass = from.mass;
    packing::MassShares shares(shares_, from.part_mass);
    while (queue.size() < most) {
      const std::uint64_t number = from.made + queue.size();
      if (source_.count && number >= *source_.count) break;
      Random random(seed_, 2 * number);
      const std::size_t part = parts_.size() > 1 ? shares.next() : 0;
      const Due particle{part, parts_[part].sampler.draw(random)};
      const double with_it = mass + mass_of(particle);
      if (source_.mass && with_it > *source_.mass * (1 + rounding)) break;
      const bool due = now.by_mass ? with_it <= now.due * (1 + rounding) : static_cast<double>(number) + 1 <= now.due;
      if (!due) break;
      queue.push_back(particle);
      shares.add(part, mass_of(particle));
      mass = with_it;
    }
    return queue;
  }

  /// Particles that have found room.
  struct Placed {
    std::vector<Due> particle;
    std::vector<Spot> spot;
    InletState after;  ///< of the inlet, with them
  };

  /// At most how many particles can wait and find room in an empty region.
  [[nodiscard]] std::size_t most_with_room(double time, const geometry::Bounds& box) const {
    double volume = 1;
    for (std::size_t k = 0; k < 3; ++k) volume *= box.upper.at(k) - box.lower.at(k);
    double smallest = std::numeric_limits<double>::infinity();
    for (const Part& part : parts_) smallest = std::min(smallest, part.inlet.smallest_particle());
    const InletReport now = report(time);
    const double waiting = now.by_mass ? (now.due - state.mass) / smallest_mass() : now.due - double(state.made);
    const double room = volume / (smallest * smallest * smallest);  // a ball has about four times this volume
    return static_cast<std::size_t>(std::clamp(std::fmin(waiting, room), 1.0, double(most_at_once)));
  }

  /// Places for as many of those that are due as find one. The first that finds none stops those behind it: else small
  /// particles would get ahead of large ones.
  [[nodiscard]] Placed place(Engine& engine, Random& random) {
    const double time = engine.time();
    double largest = 0;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      largest = std::max(largest, ball_of({k, parts_[k].inlet.largest_particle()}) * wider);
    }
    const geometry::Bounds box = region_->reach(largest);
    const SphereList there = engine.particles_in(box.lower, box.upper);
    for (const double radius : there.radius) largest = std::max(largest, radius);
    packing::SphereGrid grid(box, largest, there.radius.size() + most_with_room(time, box));
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

  [[nodiscard]] ParticleSet particles_of(const Placed& placed, Random& random) const {
    ParticleSet made;
    for (std::size_t k = 0; k < placed.spot.size(); ++k) {
      const Part& part = parts_[placed.particle[k].part];
      const Real3& centre = placed.spot[k].centre;
      const Real3 velocity = geometry::along(source_.velocity, source_.normal_speed, placed.spot[k].normal);
      if (part.shape != nullptr) {
        const double size = ball_of(placed.particle[k]) / part.shape->bounding_radius;
        const auto turn = source_.orientation ? placed_orientation(*part.shape, *source_.orientation)
                                              : clumps::random_orientation(random);
        append_clump(made, *part.shape, *part.inlet.shape, size, centre, turn, velocity, source_.angular_velocity,
                     part.inlet.material);
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
    impose_motion(scene_.groups, made);
    return made;
  }

  /// Places of the first of these particles, up to the one that finds none. They are in the grid then, and perhaps some
  /// of those behind them.
  [[nodiscard]] std::vector<Spot> places_of(Engine& engine, const std::vector<Due>& queue, packing::SphereGrid& grid,
                                            Random& random) const {
    std::vector<std::optional<Spot>> place(queue.size());
    std::vector<double> balls;  // about the particles
    balls.reserve(queue.size());
    for (const Due& particle : queue) balls.push_back(ball_of(particle));
    for (int round = 0; round < most_rounds; ++round) {
      if (!try_places(engine, balls, grid, random, place)) break;
    }
    std::vector<Spot> spots;
    for (const auto& spot : place) {
      if (!spot) break;
      spots.push_back(*spot);
    }
    return spots;
  }

  /// A few tries for each that has no place yet. Returns whether any is still without.
  bool try_places(Engine& engine, const std::vector<double>& radii, packing::SphereGrid& grid, Random& random,
                  std::vector<std::optional<Spot>>& place) const {
    std::vector<std::size_t> owner;
    std::vector<Spot> spots;
    SphereList tried;
    for (std::size_t k = 0; k < radii.size(); ++k) {
      for (int t = 0; !place[k] && t < tries_per_round; ++t) {
        const Spot spot = region_->spot(radii[k], random);
        if (!region_->holds(spot.centre, radii[k]) || !grid.is_free(spot.centre, radii[k] * wider)) continue;
        owner.push_back(k);
        spots.push_back(spot);
        tried.position.push_back(spot.centre);
        tried.radius.push_back(radii[k] * wider);
      }
    }
    const auto clear = engine.clear_of_boundaries(tried);
    for (std::size_t i = 0; i < owner.size(); ++i) {
      if (place[owner[i]] || clear[i] == 0 || !grid.is_free(tried.position[i], tried.radius[i])) continue;
      grid.insert(tried.position[i], tried.radius[i]);
      place[owner[i]] = spots[i];
    }
    return std::find(place.begin(), place.end(), std::nullopt) != place.end();
  }

  const Scene& scene_;
  std::size_t entry_;
  const Inlet& source_;
  std::optional<double> temperature_;  ///< [K] none: that of the scene
  double film_;                        ///< [-] liquid over the volume of the particle
  bool on_ = true;
  double given_rate_;      ///< [1/s] or [kg/s] while it is on
  double rate_since_;      ///< [s] the rate and `on_` hold since then
  double due_before_ = 0;  ///< particles, or their mass [kg], due until then
  std::vector<Part> parts_;
  std::vector<double> shares_;        ///< [-] of the mass, of each part
  std::vector<std::string> ignored_;  // warnings that build_scene has given
  std::unique_ptr<packing::FillRegion> region_;
  std::uint64_t seed_;
};

Inlets::Inlets(const Case& input, const Scene& scene) : scene_(scene) {
  for (std::size_t k = 0; k < scene.inlets.size(); ++k) {
    if (scene.inlets[k].part == 0) inlets_.push_back(std::make_unique<One>(input, scene, k));
  }
}

Inlets::~Inlets() = default;

std::uint64_t Inlets::next_after(std::uint64_t step, std::optional<double> at) const {
  const double time = at.value_or(static_cast<double>(step) * scene_.time_step);
  const bool over =
      std::all_of(inlets_.begin(), inlets_.end(), [&](const auto& inlet) { return inlet->finished(time); });
  return over ? std::numeric_limits<std::uint64_t>::max() : (step / interval + 1) * interval;
}

std::vector<std::string> Inlets::feed(Engine& engine) {
  std::vector<std::string> notes;
  if (engine.step() % interval != 0) return notes;
  for (const auto& inlet : inlets_) {
    inlet->feed(engine);
    if (const auto complaint = inlet->complaint(engine.time())) notes.push_back(*complaint);
  }
  return notes;
}

void Inlets::change(std::size_t entry, const StagedInlet& change, double time) {
  for (const auto& inlet : inlets_) {
    if (inlet->state.entry == entry) inlet->change(change, time);
  }
}

std::vector<InletState> Inlets::states() const {
  std::vector<InletState> states;
  for (const auto& inlet : inlets_) states.push_back(inlet->state);
  return states;
}

void Inlets::restore(const std::vector<InletState>& states) {
  SCREE_EXPECT(states.size() == inlets_.size(), "one state per inlet");
  for (std::size_t i = 0; i < states.size(); ++i) inlets_[i]->state = states[i];
}

std::vector<InletReport> Inlets::report(double time) const {
  std::vector<InletReport> reports;
  for (const auto& inlet : inlets_) reports.push_back(inlet->report(time));
  return reports;
}

}  // namespace scree
