#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

#include "host/clumps/orientation.hpp"
#include "host/measure/unknown.hpp"
#include "host/output/boundary_axis.hpp"
#include "host/output/series_columns.hpp"
#include "host/scene/servo_goal.hpp"

namespace scree {
namespace {

constexpr std::array axis_names{"x", "y", "z"};

/// Unit quaternion of the turn of a boundary since the start.
QuaternionWxyz orientation_of(const BoundaryLoad& load) {
  std::array<Real3, 3> frame{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t k = 0; k < 3; ++k) { frame[k][row] = load.rotation[row][k]; }
  }
  return clumps::orientation_of(frame);
}

/// Adds columns of one boundary, whose values are read from its load.
class BoundaryColumns {
 public:
  BoundaryColumns(const Scene& scene, std::size_t index, std::vector<SeriesColumn>& columns)
      : scene_(scene), index_(index), columns_(columns) {}

  void add_load() {
    add_force("force_", "N", &BoundaryLoad::force);
    add_force("torque_", "N m", &BoundaryLoad::torque);
    if (const auto axis = axis_of(scene_, index_)) { add_torque_about(*axis); }
    add_number("work", "J", &BoundaryLoad::work);
    if (ever_moves(scene_, index_)) { add_power(); }
  }

  /// Sums over the facets of a mesh, the `place`-th of those that have them.
  void add_wear(const FacetOutput& wear, std::size_t place) {
    add("impacts", "", [place](const SeriesReadouts& now) -> SeriesValue {
      const auto& impacts = now.facets[place].impacts;
      return std::accumulate(impacts.begin(), impacts.end(), std::uint64_t{0});
    });
    add_worn("archard_volume", place, wear.archard, &FacetLoads::sliding);
    add_worn("finnie_volume", place, wear.finnie, &FacetLoads::cutting);
  }

  void add_motion(const Drive& drive) {
    if (const auto& translation = drive.translation) {
      add_vector("shift_", "m", &BoundaryLoad::shift, &translation->free);
      add_vector("velocity_", "m/s", &BoundaryLoad::velocity, &translation->free);
    }
    if (drive.rotation) {
      add_number("angle", "rad", &BoundaryLoad::angle);
      add_number("rate", "rad/s", &BoundaryLoad::rate);
    }
    if (!drive.body) { return; }
    for (std::size_t k = 0; k < axis_names.size(); ++k) {
      add(std::string("center_") + axis_names[k], "m", [index = index_, k](const SeriesReadouts& now) -> SeriesValue {
        return now.scene.boundaries[index].drive->body->center.value()[k] + now.state.loads[index].shift[k];
      });
    }
    add_vector("velocity_", "m/s", &BoundaryLoad::velocity);
    constexpr std::array parts{"w", "x", "y", "z"};
    for (std::size_t k = 0; k < parts.size(); ++k) {
      add(std::string("orientation_") + parts[k], "", [index = index_, k](const SeriesReadouts& now) -> SeriesValue {
        return orientation_of(now.state.loads[index])[k];
      });
    }
    add_vector("spin_", "rad/s", &BoundaryLoad::spin);
  }

  /// Adds the radius of a cylinder that holds a radial stress, and the force of the particles on it.
  void add_radial() {
    add("radius", "m", [index = index_](const SeriesReadouts& now) -> SeriesValue {
      return radius_now(now.scene, static_cast<std::uint32_t>(index), now.state.loads);
    });
    add_number("radial_velocity", "m/s", &BoundaryLoad::growth_rate);
    add("radial_force", "N", [index = index_](const SeriesReadouts& now) -> SeriesValue {
      return now.state.boundaries_known ? now.state.loads[index].radial_force : probe::unknown;
    });
    columns_.back().allowed = AllowedValues::known_later;
    add("radial_stress", "Pa", [index = index_](const SeriesReadouts& now) -> SeriesValue {
      const double area = area_now(now.scene, *now.scene.boundaries[index].servo, now.state.loads);
      return now.state.boundaries_known && area > 0 ? now.state.loads[index].radial_force / area : probe::unknown;
    });
    columns_.back().allowed = AllowedValues::finite_or_nan;
  }

  void add_heat() {
    add("heat_flow", "W", [index = index_](const SeriesReadouts& now) -> SeriesValue { return now.heat.flow[index]; });
    add("heat_supplied", "J",
        [index = index_](const SeriesReadouts& now) -> SeriesValue { return now.heat.supplied[index]; });
  }

 private:
  /// The work since the last row over the time since then.
  void add_power() {
    add("power", "W", [index = index_](const SeriesReadouts& now) -> SeriesValue {
      if (now.before == nullptr) { return probe::unknown; }
      return (now.state.loads[index].work - now.before->work.at(index)) / (now.time - now.before->time);
    });
    columns_.back().allowed = AllowedValues::finite_or_nan;
  }

  /// The volume of a kind of wear that the case asks for: its constant is not 0.
  void add_worn(const char* quantity, std::size_t place, double constant, std::vector<double> FacetLoads::*sums) {
    if (!(constant > 0)) { return; }
    add(quantity, "m3", [place, constant, sums](const SeriesReadouts& now) -> SeriesValue {
      const std::vector<double>& of_facets = now.facets[place].*sums;
      return constant * std::accumulate(of_facets.begin(), of_facets.end(), 0.0);
    });
  }

  template <class Value>
  void add(const std::string& quantity, const char* unit, Value value) {
    const std::string& name = scene_.boundaries[index_].name;
    columns_.push_back({quantity + "_" + name, unit, std::move(value), AllowedValues::finite, "boundaries." + name});
  }

  void add_number(const char* quantity, const char* unit, double BoundaryLoad::*number) {
    add(quantity, unit,
        [index = index_, number](const SeriesReadouts& now) -> SeriesValue { return now.state.loads[index].*number; });
  }

  /// For forces of contacts. They are unknown before the first step of a run that starts with contacts.
  void add_force(const std::string& quantity, const char* unit, Real3 BoundaryLoad::*vector) {
    for (std::size_t k = 0; k < axis_names.size(); ++k) {
      add(quantity + axis_names[k], unit, [index = index_, vector, k](const SeriesReadouts& now) -> SeriesValue {
        return now.state.boundaries_known ? (now.state.loads[index].*vector)[k] : probe::unknown;
      });
      columns_.back().allowed = AllowedValues::known_later;
    }
  }

  /// The torque is unknown before the first step of such a run, as are the force and the torque of a boundary.
  void add_torque_about(const BoundaryAxis& axis) {
    add("axis_torque", "N m", [index = index_, axis](const SeriesReadouts& now) -> SeriesValue {
      return now.state.boundaries_known ? torque_about(axis, now.state.loads[index]) : probe::unknown;
    });
    columns_.back().allowed = AllowedValues::known_later;
  }

  /// Along these axes; null: along all.
  void add_vector(const std::string& quantity, const char* unit, Real3 BoundaryLoad::*vector,
                  const std::vector<std::string>* along = nullptr) {
    for (std::size_t k = 0; k < axis_names.size(); ++k) {
      if (along != nullptr && std::find(along->begin(), along->end(), axis_names[k]) == along->end()) { continue; }
      add(quantity + axis_names[k], unit, [index = index_, vector, k](const SeriesReadouts& now) -> SeriesValue {
        return (now.state.loads[index].*vector)[k];
      });
    }
  }

  const Scene& scene_;
  std::size_t index_;
  std::vector<SeriesColumn>& columns_;
};

}  // namespace

void add_load_columns(const Scene& scene, std::vector<SeriesColumn>& columns) {
  std::size_t n_worn = 0;
  for (std::size_t b = 0; b < scene.boundaries.size(); ++b) {
    BoundaryColumns of_boundary(scene, b, columns);
    of_boundary.add_load();
    if (const auto& wear = scene.boundaries[b].facet_loads) { of_boundary.add_wear(*wear, n_worn++); }
    if (scene.boundaries[b].changes_radius()) {
      of_boundary.add_radial();
    } else if (const auto& drive = scene.boundaries[b].drive) {
      of_boundary.add_motion(*drive);
    }
  }
}

void add_boundary_heat_columns(const Scene& scene, std::vector<SeriesColumn>& columns) {
  for (std::size_t b = 0; b < scene.boundaries.size(); ++b) { BoundaryColumns(scene, b, columns).add_heat(); }
}

}  // namespace scree
