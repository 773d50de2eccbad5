#include <algorithm>
#include <cmath>

#include "kernels/contact/step_limit.hpp"
#include "kernels/system.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// x^(1/5) by Newton's method; + * / only, so that the bits are the same everywhere. x > 0.
double fifth_root(double x) {
  int exponent = 0;
  double part = std::frexp(x, &exponent);  // x = part * 2^exponent
  const int rest = ((exponent % 5) + 5) % 5;
  part = std::ldexp(part, rest);  // in [0.5, 16)
  double root = 2;                // above the root: the iteration comes down to it
  for (int k = 0; k < 12; ++k) {
    const double square = root * root;
    root = (4 * root + part / (square * square)) / 5;
  }
  return std::ldexp(root, (exponent - rest) / 5);
}

/// A step grows by at most this factor when it is looked at.
constexpr double most_growth = 1.05;

}  // namespace

/// The contacts as they stand, those of boundaries by their forces of the last evaluation.
template <class R>
void System<R>::measure_step_limits() {
  pair_stiffness_.discard_and_resize(n_pairs_, "time step");
  slot_stiffness_.discard_and_resize(near_boundary_.slot.size(), "time step");
  for (Buffer<double>* each : {&first_limit_, &body_limit_, &square_speed_, &body_overlap_}) {
    each->discard_and_resize(n_bodies_, "time step");
  }
  limiting_component_.discard_and_resize(n_bodies_, "time step");
  const BoundaryContactViews<R> near = boundary_contact_views();
  const PairViews<R> pairs = pair_views();
  for (const auto& law : laws_.laws) {
    law->boundary_stiffness(exec_, near_boundary_.body_of_row.size(), near, slot_stiffness_.view());
  }
  for (RunLaw<R>* law : laws_.among_particles) { law->pair_stiffness(exec_, n_pairs_, pairs, pair_stiffness_.view()); }
  const auto pass = [&](Span<double> first, Span<double> limit) {
    const BodyStepLimit<R> of_bodies{view(bodies_),
                                     pairs_.bodies.view(),
                                     pairs_.incident_start.view(),
                                     pairs_.incident.view(),
                                     near_boundary_.row_of_body.view(),
                                     near_boundary_.row_start.view(),
                                     near_boundary_.slot.view(),
                                     pair_stiffness_.view(),
                                     slot_stiffness_.view(),
                                     {group_rules_.view(), group_of_id_.view()},
                                     cell_pairs(),
                                     first,
                                     limit,
                                     square_speed_.view(),
                                     limiting_component_.view(),
                                     body_overlap_.view(),
                                     least_limit_.data()};
    exec_.for_each("time step", n_bodies_, of_bodies);
    exec_.for_each("time step", clumps_.mass.size(), ClumpStepLimit<R>{of_bodies, view(clumps_), clump_members()});
  };
  least_limit_.assign({~std::uint64_t(0)}, "time step");
  pass({}, first_limit_.view());
  pass(first_limit_.view(), body_limit_.view());
}

/// The lowest id of those with the value `sought`.
template <class R>
double System<R>::first_with(Buffer<double>& values, double sought) {
  const auto value = values.to_vector();
  const auto id = bodies_.id.to_vector();
  index_t lowest = no_index;
  for (std::size_t i = 0; i < n_bodies_; ++i) {
    if (value[i] == sought) { lowest = std::min(lowest, id[i]); }
  }
  return double(lowest);
}

/// What watch() tells, from limits and overlaps that were just measured at `step`.
template <class R>
void System<R>::note_contacts(std::uint64_t step) {
  constexpr double worth_a_name = 0.01;  // an overlap below is not reported
  watch_.step = double(step);
  watch_.overlap = primitives_.maximum(body_overlap_.view(), n_bodies_);
  if (watch_.overlap > watch_.most_overlap) {
    watch_.most_overlap = watch_.overlap;
    watch_.most_overlap_step = double(step);
    watch_.most_overlap_particle = watch_.overlap > worth_a_name ? first_with(body_overlap_, watch_.overlap) : 0;
  }
  const double limit = primitives_.minimum(body_limit_.view(), n_bodies_);
  watch_.critical = limit < 1e300 ? limit : 0;
  if (!(limit < 1e300) || (watch_.least_critical > 0 && !(limit < watch_.least_critical))) { return; }
  watch_.least_critical = limit;
  watch_.least_critical_step = double(step);
  watch_.least_critical_particle = clock_.next() > limit ? first_with(body_limit_, limit) : 0;
}

/// Every so many steps, which depend on the case alone: in a step, before it moves anything. With an adaptive step its
/// length follows.
template <class R>
void System<R>::look_at_contacts(std::uint64_t index) {
  if (steps_to_look(index) != 0 || n_bodies_ == 0) { return; }
  measure_step_limits();
  if (scene_.adaptive) { choose_step(index); }
  note_contacts(index);
}

template <class R>
std::uint64_t System<R>::steps_to_look(std::uint64_t index) const {
  const std::uint64_t every = scene_.adaptive ? scene_.adaptive->every : look_interval;
  return (every - index % every) % every;
}

/// With an adaptive step: the length of the step that is about to be made. The forces of boundaries are those of now.
template <class R>
void System<R>::choose_step(std::uint64_t index) {
  const AdaptiveStep& rule = *scene_.adaptive;
  const double by_contacts = primitives_.minimum(body_limit_.view(), n_bodies_);
  double speed = 2 * math::sqrt(primitives_.maximum(square_speed_.view(), n_bodies_));  // of two that meet
  if (boundary_.moving()) { speed += boundary_.most_travel(time(), clock_.next(), reach_) / clock_.next(); }
  double limit = std::min(by_contacts, rule.impact_limit);
  if (speed > 0) { limit = std::min(limit, rule.impact_limit_at_unit_speed * fifth_root(1 / speed)); }
  if (!(by_contacts < 1e300)) { limit = std::min(limit, rule.free_limit); }
  double next = rule.safety * limit;
  if (index > 0) { next = std::min(next, most_growth * clock_.next()); }
  if (!(next < 1e300)) { next = clock_.next(); }
  clock_.set_next(next);
}

template <class R>
CriticalStep System<R>::critical_step() {
  CriticalStep result;
  if (step_ == 0 || n_bodies_ == 0 || !forces_known_) { return result; }
  measure_step_limits();
  const auto limit = body_limit_.to_vector();
  const auto id = bodies_.id.to_vector();
  std::size_t worst = 0;
  for (std::size_t i = 1; i < n_bodies_; ++i) {
    if (limit[i] < limit[worst] || (limit[i] == limit[worst] && id[i] < id[worst])) { worst = i; }
  }
  if (!(limit[worst] < 1e300)) { return result; }
  result.value = limit[worst];
  result.particle = id[worst];
  result.radius = double(bodies_.radius.element(worst));
  result.material = bodies_.material.element(worst);
  result.rotation = limiting_component_.element(worst) >= 3;
  const auto incident_start = pairs_.incident_start.to_vector();
  const auto incident = pairs_.incident.to_vector();
  const auto pair = pairs_.bodies.to_vector();
  const auto pair_stiffness = pair_stiffness_.to_vector();
  double most = -1;
  for (offset_t k = incident_start[worst]; k < incident_start[worst + 1]; ++k) {
    const std::uint32_t entry = incident[k];
    const double normal = double(pair_stiffness[entry >> 1].normal);
    if (!(normal > 0)) { continue; }
    ++result.contacts;
    if (normal > most) {
      most = normal;
      const index_t other = (entry & 1u) != 0 ? pair[entry >> 1].first : pair[entry >> 1].second;
      result.partner = id[other];
      result.partner_material = bodies_.material.element(other);
    }
  }
  if (near_boundary_.row_of_body.size() > worst) {
    const index_t row = near_boundary_.row_of_body.element(worst);
    if (row != no_index) {
      const auto slots = near_boundary_.slot.to_vector();
      const auto stiffness = slot_stiffness_.to_vector();
      for (offset_t k = near_boundary_.row_start.element(row); k < near_boundary_.row_start.element(row + 1); ++k) {
        if (slots[k].touching == 0) { continue; }
        ++result.contacts;
        if (double(stiffness[k].normal) > most) {
          most = double(stiffness[k].normal);
          result.partner = boundary_.features()[slots[k].feature].boundary;
          result.partner_material = scene_.boundaries[result.partner].material;
          result.with_boundary = true;
        }
      }
    }
  }
  return result;
}

template void System<float>::look_at_contacts(std::uint64_t);
template void System<double>::look_at_contacts(std::uint64_t);
template std::uint64_t System<float>::steps_to_look(std::uint64_t) const;
template std::uint64_t System<double>::steps_to_look(std::uint64_t) const;
template CriticalStep System<float>::critical_step();
template CriticalStep System<double>::critical_step();

}  // namespace scree::inline SCREE_BACKEND
