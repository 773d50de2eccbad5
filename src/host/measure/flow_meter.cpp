#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "host/geometry/real3.hpp"
#include "host/measure/cell_meters.hpp"
#include "host/measure/flow_rate.hpp"
#include "host/measure/meters.hpp"
#include "host/storage/state_columns.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using namespace geometry;

/// Sets `values` to those of the array with this name. Returns false if there is no such array.
template <class T>
bool take(const std::vector<StateArray>& arrays, const std::string& name, ValueType type, std::vector<T>& values) {
  const StateArray* const found = find_array(arrays, name);
  if (found == nullptr) return false;
  values = rows_of<T>(*found, type);
  return true;
}

/// Net number and mass that went through a plane, in the direction of its normal, since the start. In a periodic cell
/// the plane stands for all its images along the one edge that crosses it; heights are those of particles never taken
/// back.
class FlowMeter final : public Probe {
 public:
  explicit FlowMeter(const FlowProbe& keys) : point_(keys.plane.point), normal_(unit(keys.plane.normal)) {
    if (keys.window) { rate_.emplace(*keys.window); }
  }
  [[nodiscard]] std::vector<std::string> columns() const override {
    if (!rate_) return {"count", "mass[kg]"};
    return {"count", "mass[kg]", "rate[kg/s]", "count_rate[1/s]"};
  }
  [[nodiscard]] MeasureNeeds needs() const override { return {.forces = false, .contacts = false}; }
  [[nodiscard]] bool counts() const override { return true; }

  void measure(const ProbeView& view, std::vector<double>& values) override {
    const Passed sum = passed(view, places(view));
    values.push_back(sum.count);
    values.push_back(sum.mass);
    if (!rate_) return;
    const FlowRate::Rate rate = rate_->at({view.now.time, sum.count, sum.mass});
    values.push_back(rate.mass);
    values.push_back(rate.count);
  }

  void note(const ProbeView& view, bool /*ends_window*/) override {
    Places now = places(view);
    sum_ = passed(view, now);
    remember(view, std::move(now));
    if (rate_) rate_->add({view.now.time, sum_.count, sum_.mass});
  }

  void save(const std::string& prefix, std::vector<StateArray>& arrays) const override {
    arrays.push_back(array_of(prefix + "count_mass_time", "1, kg, s", ValueType::float64, 1,
                              std::vector<double>{sum_.count, sum_.mass, last_time_}));
    arrays.push_back(array_of(prefix + "side", "1", ValueType::uint8, 1, side_));
    arrays.push_back(array_of(prefix + "height", "m", ValueType::float64, 1, last_height_));
    arrays.push_back(array_of(prefix + "speed", "m/s", ValueType::float64, 1, last_speed_));
    arrays.push_back(array_of(prefix + "particle_mass", "kg", ValueType::float64, 1, last_mass_));
    if (rate_) rate_->save(prefix, arrays);
  }
  bool restore(const std::string& prefix, const std::vector<StateArray>& arrays) override {
    std::vector<double> sums;
    if (!take(arrays, prefix + "count_mass_time", ValueType::float64, sums)) return false;
    const bool all = take(arrays, prefix + "side", ValueType::uint8, side_) &&
                     take(arrays, prefix + "height", ValueType::float64, last_height_) &&
                     take(arrays, prefix + "speed", ValueType::float64, last_speed_) &&
                     take(arrays, prefix + "particle_mass", ValueType::float64, last_mass_);
    const std::size_t n = side_.size();
    if (!all || sums.size() != 3 || last_height_.size() != n || last_speed_.size() != n || last_mass_.size() != n) {
      throw StateError("the state of the probe " + prefix + " is not complete");
    }
    expect_rows(prefix + "side", side_, "-1, 0 or 1", [](std::int8_t side) { return side >= -1 && side <= 1; });
    expect_finite_rows(prefix + "count_mass_time", sums);
    expect_finite_rows(prefix + "height", last_height_);
    expect_finite_rows(prefix + "speed", last_speed_);
    expect_finite_rows(prefix + "particle_mass", last_mass_);
    sum_ = {sums[0], sums[1]};
    last_time_ = sums[2];
    if (rate_) rate_->restore(prefix, arrays);
    return true;
  }

 private:
  struct Passed {
    double count = 0, mass = 0;  ///< [-], [kg] since the start
  };
  /// Where particles are relative to the plane, by id.
  struct Places {
    std::vector<std::int8_t> side;  ///< 1: beyond the plane; -1: before it; 0: not there, or not chosen by the probe
    std::vector<double> height;     ///< [m] above it; nan: not there
  };

  /// The lists are at least as long as at the last look, even if no particle has so high an id any more.
  [[nodiscard]] Places places(const ProbeView& view) const {
    const std::size_t n = std::max(view.index.size(), side_.size());
    Places now{std::vector<std::int8_t>(n, 0), std::vector<double>(n, std::numeric_limits<double>::quiet_NaN())};
    for (std::uint32_t i = 0; i < view.now.position.size(); ++i) {
      const std::uint32_t id = view.now.id[i];
      now.height[id] = height(view.cell ? unwrapped_position(view.now, i, *view.cell) : view.now.position[i]);
      if (view.sees(i)) now.side[id] = now.height[id] > 0 ? 1 : -1;
    }
    return now;
  }
  /// The sum at the last look plus the flow since then.
  [[nodiscard]] Passed passed(const ProbeView& view, const Places& now) const {
    Passed sum = sum_;
    const double period = distance_of_images(view);
    for (std::uint32_t id = 0; id < side_.size(); ++id) {
      if (side_[id] == 0) continue;  // was not there
      const std::uint32_t i = id < view.index.size() ? view.index[id] : ProbeView::none;
      // A particle that was removed in between counts as if it had continued with its last motion.
      const bool gone = std::isnan(now.height[id]);
      const double height = gone ? last_height_[id] + (view.now.time - last_time_) * last_speed_[id] : now.height[id];
      const double planes = planes_below(height, period) - planes_below(last_height_[id], period);
      if (planes == 0) continue;
      sum.count += planes;
      sum.mass += planes * (i != ProbeView::none ? view.mass[i] : last_mass_[id]);
    }
    return sum;
  }
  [[nodiscard]] double height(const Real3& x) const { return dot(subtract(x, point_), normal_); }
  /// [m] between the plane and its next image along the normal; 0: it has none, or many.
  [[nodiscard]] double distance_of_images(const ProbeView& view) const {
    double distance = 0;
    int crossing = 0;
    for (std::size_t k = 0; view.frame && k < 3; ++k) {
      const double step = std::fabs(dot(view.frame->edge(k), normal_));
      if (!view.frame->periodic(k) || step <= 1e-9 * length(view.frame->edge(k))) continue;
      distance = step;
      ++crossing;
    }
    return crossing == 1 ? distance : 0;
  }
  static double planes_below(double height, double period) {
    if (period > 0) return std::ceil(height / period);
    return height > 0 ? 1 : 0;
  }
  void remember(const ProbeView& view, Places now) {
    side_ = std::move(now.side);
    last_height_.resize(side_.size());
    last_speed_.resize(side_.size());
    last_mass_.resize(side_.size());
    for (std::uint32_t i = 0; i < view.now.position.size(); ++i) {
      if (!view.sees(i)) continue;
      const std::uint32_t id = view.now.id[i];
      last_height_[id] = now.height[id];
      last_speed_[id] = dot(view.now.velocity[i], normal_);
      last_mass_[id] = view.mass[i];
    }
    last_time_ = view.now.time;
  }

  Real3 point_, normal_;
  std::vector<std::int8_t> side_;  ///< by id, see Places
  std::vector<double> last_height_, last_speed_, last_mass_;
  double last_time_ = 0;  ///< [s] of the last look
  Passed sum_;            ///< up to the last look
  std::optional<FlowRate> rate_;
};

}  // namespace

std::unique_ptr<Probe> make_probe(const FlowProbe& keys, const ProbePlace&) {
  return std::make_unique<FlowMeter>(keys);
}

}  // namespace scree
