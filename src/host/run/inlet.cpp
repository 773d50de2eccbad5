#include "host/run/inlet.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/case/particle_kinds.hpp"
#include "host/measure/state_measures.hpp"
#include "host/packing/mixture.hpp"
#include "host/scene/build_scene/shapes.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using packing::Random;

constexpr double rounding = 1e-9;  // of a product of rate and time that should be a whole number

}  // namespace

OneInlet::OneInlet(const Case& input, const Scene& scene, const std::vector<SceneGroup>& groups, std::size_t first)
    : scene_(scene),
      groups_(groups),
      entry_(scene.inlets[first].entry),
      source_(*input.particles[entry_].inlet),
      temperature_(input.particles[entry_].temperature),
      film_(input.particles[entry_].film.value_or(0)),
      given_rate_(source_.rate ? *source_.rate : *source_.mass_flow),
      rate_since_(source_.from),
      cell_(geometry::frame_of(scene.cell)),
      region_(packing::make_region(source_.region, input.folder, ignored_, cell_ ? &*cell_ : nullptr)),
      solids_(source_.keep_out_of, scene),
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

void OneInlet::feed(Engine& engine) {
  if (!on_) return;
  if (due(engine.time(), 1, state).empty()) return;
  Random random(seed_, 2 * engine.step() + 1);
  const Placed placed = place(engine, random);
  engine.insert(particles_of(placed, random));
  state = placed.after;
}

bool OneInlet::finished(double time) const {
  return is_exhausted() || (time >= source_.until && due(time, 1, state).empty());
}

void OneInlet::change(const StagedInlet& change, double time) {
  due_before_ = amount(time);
  rate_since_ = std::max(time, source_.from);
  if (change.rate) given_rate_ = *change.rate;
  if (change.mass_flow) given_rate_ = *change.mass_flow;
  on_ = change.on.value_or(on_);
}

std::optional<std::string> OneInlet::complaint(double time) {
  constexpr double allowed = 0.1;
  const InletReport now = report(time);
  const double got = source_.rate ? static_cast<double>(now.made) : now.mass;
  const double one = source_.rate ? 1 : largest_mass();
  if (!on_ || state.warned || now.due - got <= std::fmax(allowed * now.due, 2 * one)) return std::nullopt;
  state.warned = true;
  const std::string unit = source_.rate ? "" : " kg";
  const std::string name = source_.name ? " \"" + *source_.name + "\"" : "";
  return "particles." + std::to_string(entry_) + ".inlet" + name + ": cannot keep its " +
         (source_.rate ? "rate" : "mass flow") + ", " + short_number_text(got) + unit + " of " +
         short_number_text(now.due) + unit + (source_.rate ? " particles" : "") +
         " found room until t = " + short_number_text(time) + " s; what is missing waits for room";
}

InletReport OneInlet::report(double time) const {
  InletReport report;
  report.entry = entry_;
  report.name = source_.name.value_or("");
  report.made = state.made;
  report.mass = state.mass;
  report.by_mass = source_.mass_flow.has_value();
  report.due = std::fmin(flowed(time), most_due());
  return report;
}

double OneInlet::mass_of(const Due& particle) const {
  return sphere_mass(scene_.materials[parts_[particle.part].inlet.material].density, particle.radius);
}

double OneInlet::smallest_mass() const {
  double mass = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    mass = std::min(mass, mass_of({k, parts_[k].inlet.smallest_particle()}));
  }
  return mass;
}

double OneInlet::largest_mass() const {
  double mass = 0;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    mass = std::max(mass, mass_of({k, parts_[k].inlet.largest_particle()}));
  }
  return mass;
}

double OneInlet::amount(double time) const {
  const double open = std::max(0.0, std::min(time, source_.until) - rate_since_);
  return due_before_ + (on_ ? given_rate_ : 0) * open;
}

double OneInlet::flowed(double time) const {
  if (source_.mass_flow) { return source_.mass ? std::fmin(amount(time), *source_.mass) : amount(time); }
  const double whole = std::floor(amount(time) * (1 + rounding) + rounding);
  return source_.count ? std::fmin(whole, static_cast<double>(*source_.count)) : whole;
}

double OneInlet::most_due() const {
  const double made = static_cast<double>(state.made);
  if (source_.mass_flow && source_.count) {
    return is_exhausted() ? state.mass : state.mass + (static_cast<double>(*source_.count) - made) * largest_mass();
  }
  if (source_.rate && source_.mass) {
    const double left = (*source_.mass - state.mass) / smallest_mass();
    return is_exhausted() ? made : made + std::floor(left * (1 + rounding) + rounding);
  }
  return std::numeric_limits<double>::infinity();
}

OneInlet::Due OneInlet::particle(std::uint64_t number, const packing::MassShares& shares) const {
  Random random(seed_, 2 * number);
  const std::size_t part = parts_.size() > 1 ? shares.next() : 0;
  return {part, parts_[part].sampler.draw(random)};
}

bool OneInlet::is_exhausted() const {
  if (source_.count && state.made >= *source_.count) return true;
  if (!source_.mass) return false;
  const Due next = particle(state.made, packing::MassShares(shares_, state.part_mass));
  return state.mass + mass_of(next) > *source_.mass * (1 + rounding);
}

std::vector<OneInlet::Due> OneInlet::due(double time, std::size_t most, const InletState& from) const {
  const double flow = flowed(time);
  std::vector<Due> queue;
  double mass = from.mass;
  packing::MassShares shares(shares_, from.part_mass);
  while (queue.size() < most) {
    const std::uint64_t number = from.made + queue.size();
    if (source_.count && number >= *source_.count) break;
    const Due next = particle(number, shares);
    const double with_it = mass + mass_of(next);
    if (source_.mass && with_it > *source_.mass * (1 + rounding)) break;
    const bool is_due = source_.mass_flow ? with_it <= flow * (1 + rounding) : static_cast<double>(number) + 1 <= flow;
    if (!is_due) break;
    queue.push_back(next);
    shares.add(next.part, mass_of(next));
    mass = with_it;
  }
  return queue;
}

}  // namespace scree
