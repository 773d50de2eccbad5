#pragma once

#include "kernels/backend/lanes.hpp"
#include "kernels/heat/heat_model.hpp"
#include "kernels/math/exact_sum.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/boundaries.hpp"
#include "kernels/state/clumps.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/step_moment.hpp"

namespace scree::inline SCREE_BACKEND {

/// The data of the change of temperatures in a step.
template <class R>
struct Heating {
  BodyView<R> bodies;
  Span<double> temperature, capacity;
  Span<HeatRate> rate;
  Span<double> gained;  ///< [n_bodies] [J] empty: nothing dissipates
  Span<double> left;    ///< [n_bodies] [J] heat of the bodies that left in this step
  Control* control;
  double time_step = 0;  ///< [s]

  SCREE_INLINE Heating in(const StepMoment<R>& now) const {
    Heating bound = *this;
    bound.time_step = now.motion.duration;
    return bound;
  }

  /// [J] The gain of a body that shares its heat with no other.
  SCREE_INLINE double gain(std::size_t body) const {
    const double flown = time_step * rate[body].power;
    return gained.size > 0 ? flown + gained[body] : flown;
  }
  /// An explicit step must not be longer than the heat capacity over the sum of the conductances: it would go beyond
  /// the temperature of the surroundings.
  SCREE_INLINE void check(std::size_t body, double conductance, double heat_capacity) const {
    if (!(time_step * conductance <= heat_capacity)) {
      raise_fault(control, FaultKind::heated_too_fast, bodies.id[body]);
    }
  }
  /// No source may take more heat than the body has: temperatures stay above 0 K.
  SCREE_INLINE void set(std::size_t body, double value) const {
    const bool gone = is_parked(bodies.position[body]);
    if (!gone && !(value > 0)) { raise_fault(control, FaultKind::cooled_to_zero, bodies.id[body]); }
    left[body] = gone ? capacity[body] * value : 0;
    temperature[body] = gone ? 0 : value;
  }
};

/// Changes the temperatures of single spheres by a step; one thread per body.
template <class R>
struct HeatSpheres {
  Heating<R> of;
  SCREE_INLINE HeatSpheres at(const StepMoment<R>& now) const { return {of.in(now)}; }
  SCREE_HD void operator()(std::size_t body) const {
    if (of.control->halted != 0 || is_member(of.bodies.inverse_inertia[body])) { return; }
    of.check(body, of.rate[body].conductance, of.capacity[body]);
    of.set(body, of.temperature[body] + of.gain(body) / of.capacity[body]);
  }
};

/// Changes the temperatures of clumps by a step; one thread per clump. All members have the temperature of the clump.
template <class R>
struct HeatClumps {
  Heating<R> of;
  ClumpView clumps;
  ClumpMembers members;

  SCREE_INLINE HeatClumps at(const StepMoment<R>& now) const { return {of.in(now), clumps, members}; }
  SCREE_HD void operator()(std::size_t c) const {
    if (of.control->halted != 0) { return; }
    const std::uint32_t n = members.shape_start[clumps.shape[c] + 1] - members.shape_start[clumps.shape[c]];
    double gain = 0, conductance = 0, capacity = 0;
    for (std::uint32_t k = 0; k < n; ++k) {
      const index_t body = members.body_of_id[clumps.first[c] + k];
      gain += of.gain(body);
      conductance += of.rate[body].conductance;
      capacity += of.capacity[body];
    }
    const index_t first = members.body_of_id[clumps.first[c]];
    of.check(first, conductance, capacity);
    const double temperature = of.temperature[first] + gain / capacity;
    for (std::uint32_t k = 0; k < n; ++k) { of.set(members.body_of_id[clumps.first[c] + k], temperature); }
  }
};

/// Adds the heat of a step to the sums of a lane: what each boundary supplied, what was dissipated, and what left.
template <class R>
struct HeatSums {
  Span<BoundarySlot<R>> slots;
  Span<double> slot_power;
  Span<Feature> feature;
  Span<double> gained, left;
  std::size_t n_boundaries;
  Span<ExactSum> sums;  ///< [n_lanes * (n_boundaries + 2)]
  std::size_t n_lanes_used;
  const Control* control;
  double time_step = 0;

  SCREE_INLINE HeatSums at(const StepMoment<R>& now) const {
    HeatSums bound = *this;
    bound.time_step = now.motion.duration;
    return bound;
  }
  SCREE_HD void operator()(std::size_t lane) const {
    if (control->halted != 0) { return; }
    ExactSum* const own = sums.data + lane * (n_boundaries + 2);
    visit_items_of(lane, n_lanes_used, slots.size, [&](std::size_t k) {
      if (slot_power[k] != 0) { own[feature[slots[k].feature].boundary].add(time_step * slot_power[k]); }
    });
    visit_items_of(lane, n_lanes_used, gained.size, [&](std::size_t i) {
      if (gained[i] != 0) { own[n_boundaries].add(gained[i]); }
    });
    visit_items_of(lane, n_lanes_used, left.size, [&](std::size_t i) {
      if (left[i] != 0) { own[n_boundaries + 1].add(left[i]); }
    });
  }
};

struct CarryHeatSum {
  Span<ExactSum> sums;
  SCREE_HD void operator()(std::size_t k) const { sums[k].carry(); }
};

}  // namespace scree::inline SCREE_BACKEND
