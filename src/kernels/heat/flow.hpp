#pragma once

#include "kernels/backend/host_sweep.hpp"
#include "kernels/heat/conductance.hpp"
#include "kernels/shapes/closest.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/boundaries.hpp"
#include "kernels/state/control.hpp"

namespace scree::inline SCREE_BACKEND {

/// Finds the heat that flows into each body at the present places, once that of the pairs is known; one thread per
/// body. A body sums its boundaries first, in the order of the features, then its pairs by ascending id of the other
/// body. Pairs that exchange no heat add zeros, so no bit depends on which of them are listed.
///
/// A boundary takes half of the radiation of a body that is near: all faces of a box together, and no more than two
/// boundaries, so that no body radiates more than a black one.
template <class R>
struct HeatFlow {
  HeatModel model;
  BodyView<R> bodies;
  Span<double> temperature;
  Span<HeatPair> of_pair;
  Span<double> emissivity;
  std::size_t n_materials;
  Span<HeatRate> of_slot;  ///< [n_pairs] see PairHeat
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  BoundaryView boundaries;
  Span<BoundaryHeat> walls;
  Span<index_t> row_of_body;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
  Span<double> slot_power;
  Span<HeatRate> rate;
  const Control* control;

  SCREE_HD void operator()(std::size_t body) const {
    if (control->halted != 0) { return; }
    HeatRate sum{0, 0};
    const Vec3d x = bodies.position[body];
    const index_t row = row_of_body[body];
    const bool gone = is_parked(x);
    if (row != no_index) { add_boundaries(body, x, row_start[row], row_start[row + 1], gone, sum); }
    if (!gone) { add_pairs(body, sum); }
    rate[body] = sum;
  }

#if !SCREE_ON_CUDA
  void work_on(std::size_t begin, std::size_t end) const { work_ahead(*this, *this, begin, end); }
  /// A hint to the processor: the pairs of the bodies [begin, end) will soon be summed.
  SCREE_INLINE void prefetch(std::size_t begin, std::size_t end) const {
    const offset_t last = incident_start[end];
    for (offset_t k = incident_start[begin]; k < last; ++k) { __builtin_prefetch(&of_slot[incident[k] >> 1]); }
  }
#endif

 private:
  /// The boundaries with which a body exchanges radiation.
  struct Radiators {
    std::uint32_t last = 0, count = 0;

    /// Whether a body may also exchange radiation with this boundary. Surfaces of one boundary follow one another.
    SCREE_INLINE bool take(std::uint32_t boundary) {
      if (count == 2 || (count > 0 && last == boundary)) { return false; }
      last = boundary, ++count;
      return true;
    }
  };

  SCREE_HD void add_pairs(std::size_t body, HeatRate& sum) const {
    for (offset_t k = incident_start[body]; k < incident_start[body + 1]; ++k) {
      const std::uint32_t entry = incident[k];
      const HeatRate& pair = of_slot[entry >> 1];
      sum.power += (entry & 1u) != 0 ? -pair.power : pair.power;
      sum.conductance += pair.conductance;
    }
  }

  SCREE_HD void add_boundaries(std::size_t body, const Vec3d& x, offset_t begin, offset_t end, bool gone,
                               HeatRate& sum) const {
    Radiators radiators;
    for (offset_t k = begin; k < end;) {
      const Feature feature = boundaries.feature[slots[k].feature];
      // The facets of a mesh belong together; every other feature stands alone.
      offset_t last = k + 1;
      const auto is_next = [&](offset_t next) {
        const Feature& other = boundaries.feature[slots[next].feature];
        return other.boundary == feature.boundary && other.kind == feature.kind && feature.kind == FeatureKind::facet;
      };
      while (last < end && is_next(last)) { ++last; }
      for (offset_t n = k; n < last; ++n) { slot_power[n] = 0; }
      const BoundaryHeat& wall = walls[feature.boundary];
      if (!gone && wall.kind == WallKind::temperature) { add_wall(body, x, k, last, wall.value, radiators, sum); }
      if (!gone && wall.kind == WallKind::flux) { add_flux(body, begin, k, last, wall.value, sum); }
      k = last;
    }
  }

  /// Slots [begin, end) of one surface with a temperature. Each contact conducts; without a contact the gas conducts at
  /// the nearest point.
  SCREE_HD void add_wall(std::size_t body, const Vec3d& x, offset_t begin, offset_t end, double wall_temperature,
                         Radiators& radiators, HeatRate& sum) const {
    const double r = double(bodies.radius[body]);
    const std::uint32_t material = bodies.material[body];
    const std::uint32_t boundary = boundaries.feature[slots[begin].feature].boundary;
    const HeatPair& values = of_pair[material * n_materials + boundaries.info[boundary].material];
    bool touches = false;
    double least_gap = 1e300;
    offset_t nearest = begin;
    const auto add = [&](offset_t k, double conductance) {
      if (!(conductance > 0)) { return; }
      const double power = conductance * (wall_temperature - temperature[body]);
      slot_power[k] += power;
      sum.power += power;
      sum.conductance += conductance;
    };
    for (offset_t k = begin; k < end; ++k) {
      const Feature& feature = boundaries.feature[slots[k].feature];
      if (slots[k].touching == 0) {
        if (feature.is_far_side()) { continue; }
        const double square = closest_point(boundaries, feature, x).square_distance;
        const double gap = (square < 0 ? -math::sqrt(-square) : math::sqrt(square)) - r;
        if (gap < least_gap) { least_gap = gap, nearest = k; }
        continue;
      }
      // the contact point lies in the middle of the overlap
      const double overlap = 2 * (r - norm(x - slots[k].point));
      const double a = values.radius_factor * contact_radius(r, overlap);
      if (!touches || -overlap < least_gap) { nearest = k; }
      least_gap = touches ? math::min(least_gap, -overlap) : -overlap;
      touches = true;
      add(k, values.per_radius * a +
                 (model.gas_conductivity > 0 ? gas_conductance(model, gap_at_wall(r, -overlap), a) : 0.0));
    }
    if (!touches && model.gas_conductivity > 0) { add(nearest, gas_conductance(model, gap_at_wall(r, least_gap), 0)); }
    if (r + least_gap < model.radiation_range * r && radiators.take(boundary)) {
      const double half = 2 * 3.14159265358979323846 * r * r;
      add(nearest, radiation_conductance(half, surface_resistance(emissivity[material], r), temperature[body],
                                         wall_temperature));
    }
  }

  /// Slots [begin, end) of one surface with a flux, in a row whose first slot is `row`. A body gets the flux of a
  /// boundary once, at the first contact.
  SCREE_HD void add_flux(std::size_t body, offset_t row, offset_t begin, offset_t end, double flux,
                         HeatRate& sum) const {
    const std::uint32_t boundary = boundaries.feature[slots[begin].feature].boundary;
    for (offset_t k = begin; k-- > row;) {
      if (boundaries.feature[slots[k].feature].boundary != boundary) { break; }
      if (slots[k].touching != 0) { return; }
    }
    for (offset_t k = begin; k < end; ++k) {
      if (slots[k].touching == 0) { continue; }
      const double r = double(bodies.radius[body]);
      slot_power[k] = flux * (3.14159265358979323846 * r * r);
      sum.power += slot_power[k];
      return;
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
