#pragma once

#include "kernels/backend/host_sweep.hpp"
#include "kernels/heat/conductance.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/pairs.hpp"

namespace scree::inline SCREE_BACKEND {

/// The values that decide whether a pair exchanges heat.
struct HeatLook {
  bool chosen = false;
  double square_distance = 0, radius1 = 0, radius2 = 0;  ///< [m2] of the centres, [m]

  static constexpr int n_components = 3;
  template <class Visit>
  SCREE_INLINE void each(Visit&& visit) {
    visit(0, square_distance), visit(1, radius1), visit(2, radius2);
  }
};

/// All values on which the flow of heat between two bodies depends. Values that the run does not use are left out.
template <bool radiates>
struct HeatInput : HeatLook {
  double temperature1, temperature2;  ///< [K]
  double per_radius, radius_factor;   ///< see ThermalPair
  double emissivity1, emissivity2;    ///< [-]

  static constexpr int n_components = radiates ? 9 : 7;
  template <class Visit>
  SCREE_INLINE void each(Visit&& visit) {
    HeatLook::each(visit);
    visit(3, temperature1), visit(4, temperature2), visit(5, per_radius), visit(6, radius_factor);
    if constexpr (radiates) { visit(7, emissivity1), visit(8, emissivity2); }
  }
};

/// Finds the heat that flows into the first body of each pair at the present places: by conduction through the contact,
/// through the gas in the gap, and by radiation; one thread per pair. On the host the pairs near enough are packed and
/// computed by vectors, see Exec::for_selected.
template <class R, bool has_gas, bool radiates>
struct PairHeat {
  using Scalar = double;
  using Look = HeatLook;
  using Input = HeatInput<radiates>;
  struct Output : HeatRate {
    static constexpr int n_components = 2;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, power), visit(1, conductance);
    }
  };
  static constexpr int block_size = 256;

  HeatModel model;
  BodyView<R> bodies;
  Span<double> temperature;
  Span<HeatPair> of_pair;
  Span<double> emissivity;
  std::size_t n_materials;
  Span<BodyPair> pairs;
  CellPairs<R> cell;
  Span<HeatRate> of_slot;  ///< [n_pairs] result; zeros where no heat flows
  const Control* control;

  SCREE_INLINE Look look(std::size_t slot) const {
    if (control->halted != 0) { return {}; }
    const auto [i, j] = pairs[slot];
    const double r1 = double(bodies.radius[i]), r2 = double(bodies.radius[j]), most = model.reach * (r1 + r2);
    const Vec3d branch = cell.branch(slot, bodies.position[i], bodies.position[j]);
    const double square = dot(branch, branch);
    of_slot[slot] = {0, 0};  // before the branch, which is hard to predict
    Look look{false, square, r1, r2};
    look.chosen = square < most * most;
    return look;
  }
  SCREE_INLINE static bool must_reject(std::size_t /*slot*/) { return false; }
  SCREE_INLINE static void reject(std::size_t /*slot*/) {}

  SCREE_INLINE Input load(std::size_t slot, const Look& look) const {
    const auto [i, j] = pairs[slot];
    // With one material the table has one entry.
    const std::uint32_t m1 = n_materials == 1 ? 0 : bodies.material[i], m2 = n_materials == 1 ? 0 : bodies.material[j];
    const HeatPair& values = of_pair[m1 * n_materials + m2];
    Input in;
    static_cast<Look&>(in) = look;
    in.temperature1 = temperature[i], in.temperature2 = temperature[j];
    in.per_radius = values.per_radius, in.radius_factor = values.radius_factor;
    if constexpr (radiates) { in.emissivity1 = emissivity[m1], in.emissivity2 = emissivity[m2]; }
    return in;
  }

  SCREE_INLINE Output evaluate(const Input& in) const {
    const double r1 = in.radius1, r2 = in.radius2, reach = r1 + r2;
    const double distance = math::sqrt(in.square_distance),
                 overlap = (reach * reach - in.square_distance) / (reach + distance);
    const double a = in.radius_factor * contact_radius(r1 * r2 / reach, overlap);
    double conductance = in.per_radius * a;
    if constexpr (has_gas) { conductance += gas_conductance(model, gap_of_pair(r1, r2, -overlap), a); }
    if constexpr (radiates) {
      const double surfaces = surface_resistance(in.emissivity1, r1) + surface_resistance(in.emissivity2, r2);
      const double seen = exchange_area(r1, r2, math::max(distance, reach));
      const double radiation = radiation_conductance(seen, surfaces, in.temperature1, in.temperature2);
      conductance += distance < model.radiation_range * reach ? radiation : 0;
    }
    const bool flows = conductance > 0;
    return {flows ? conductance * (in.temperature2 - in.temperature1) : 0, flows ? conductance : 0};
  }

  SCREE_INLINE void store(std::size_t slot, const Output& out) const { of_slot[slot] = out; }

#if !SCREE_ON_CUDA
  static constexpr bool packs_lanes = true;

  SCREE_INLINE void prefetch(std::size_t slot) const {
    const BodyPair pair = pairs[slot < pairs.size ? slot : pairs.size - 1];
    __builtin_prefetch(bodies.place.data + pair.second);
  }
  template <int n_in>
  SCREE_INLINE void load_lanes(std::size_t first, const std::uint32_t* item, std::size_t count,
                               double (&in)[n_in][stage_lanes<double>]) const {
    for (std::size_t lane = 0; lane < count; ++lane) {
      Input input = load(first + item[lane], {});
      input.each([&](int component, double& value) {
        if (component >= Look::n_components) { in[component][lane] = value; }
      });
    }
  }
  template <int n_out>
  SCREE_INLINE void store_lanes(std::size_t first, const std::uint32_t* item, std::size_t count,
                                const double (&out)[n_out][stage_lanes<double>]) const {
    for (std::size_t lane = 0; lane < count; ++lane) { of_slot[first + item[lane]] = {out[0][lane], out[1][lane]}; }
  }
#endif
};

}  // namespace scree::inline SCREE_BACKEND
