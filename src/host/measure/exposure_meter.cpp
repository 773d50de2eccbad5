#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "host/measure/region_probe.hpp"
#include "host/storage/state_columns.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using namespace probe;

/// How long particles have been in a region since the start, such as the zone of a spray, and how unevenly. Between two
/// looks a particle counts as inside for half of the time at each end at which it is inside.
class ExposureMeter final : public RegionProbe {
 public:
  using RegionProbe::RegionProbe;
  [[nodiscard]] std::vector<std::string> columns() const override {
    return {"mean[s]", "deviation[s]", "relative_deviation", "reached", "visits"};
  }
  [[nodiscard]] MeasureNeeds needs() const override { return {.forces = false, .contacts = false}; }
  [[nodiscard]] bool counts() const override { return true; }

  void measure(const ProbeView& view, std::vector<double>& values) override {
    const Stays stays = stays_at(view);
    double n = 0, sum = 0, reached = 0, visits = 0;
    const auto each_seen = [&](const auto& visit) {
      for (std::uint32_t i = 0; i < view.now.id.size(); ++i) {
        if (view.sees(i)) { visit(view.now.id[i]); }
      }
    };
    each_seen([&](std::uint32_t id) {
      ++n;
      sum += stays.time[id];
      reached += stays.visits[id] > 0 ? 1 : 0;
      visits += stays.visits[id];
    });
    const double mean = n > 0 ? sum / n : unknown;
    double squares = 0;
    each_seen([&](std::uint32_t id) { squares += (stays.time[id] - mean) * (stays.time[id] - mean); });
    const double deviation = n > 0 ? std::sqrt(squares / n) : unknown;
    const double share = n > 0 ? 1 / n : unknown;
    for (const double value :
         {mean, deviation, mean > 0 ? deviation / mean : unknown, share * reached, share * visits}) {
      values.push_back(value);
    }
  }

  void note(const ProbeView& view, bool /*ends_window*/) override { last_ = stays_at(view); }

  void save(const std::string& prefix, std::vector<StateArray>& arrays) const override {
    if (std::isnan(last_.look)) { return; }
    arrays.push_back(array_of(prefix + "look", "s", ValueType::float64, 1, std::vector<double>{last_.look}));
    arrays.push_back(array_of(prefix + "time", "s", ValueType::float64, 1, last_.time));
    arrays.push_back(array_of(prefix + "visits", "1", ValueType::uint32, 1, last_.visits));
    arrays.push_back(array_of(prefix + "inside", "1", ValueType::uint8, 1, last_.inside));
  }
  bool restore(const std::string& prefix, const std::vector<StateArray>& arrays) override {
    if (find_array(arrays, prefix + "look") == nullptr) { return false; }
    Stays stays;
    const auto look = rows_called<double>(arrays, prefix + "look", ValueType::float64);
    stays.time = rows_called<double>(arrays, prefix + "time", ValueType::float64);
    stays.visits = rows_called<std::uint32_t>(arrays, prefix + "visits", ValueType::uint32);
    stays.inside = rows_called<std::uint8_t>(arrays, prefix + "inside", ValueType::uint8);
    const std::size_t n = stays.time.size();
    if (look.size() != 1 || stays.visits.size() != n || stays.inside.size() != n) {
      throw StateError("the state of the probe " + prefix + " is not complete");
    }
    stays.look = look[0];
    expect_finite_rows(prefix + "look", look);
    expect_rows(prefix + "time", stays.time, "finite and >= 0",
                [](double time) { return std::isfinite(time) && time >= 0; });
    expect_rows(prefix + "inside", stays.inside, "0 or 1", [](std::uint8_t flag) { return flag <= 1; });
    last_ = std::move(stays);
    return true;
  }

 private:
  /// By id. Ids of removed particles keep their numbers, which nothing reads.
  struct Stays {
    double look = unknown;              ///< [s] time of the look; not a number before the first one
    std::vector<double> time;           ///< [s] inside since the first look
    std::vector<std::uint32_t> visits;  ///< looks that found it inside after one that had not
    std::vector<std::uint8_t> inside;   ///< 1: inside at this look
  };

  [[nodiscard]] Stays stays_at(const ProbeView& view) const {
    const double half = std::isnan(last_.look) ? 0 : (view.now.time - last_.look) / 2;
    const std::vector<double> times =
        times_inside(view, view.position.size(), [&](std::size_t i) { return view.position[i]; });
    Stays now = last_;
    now.look = view.now.time;
    const std::size_t n = std::max(view.index.size(), last_.time.size());
    now.time.resize(n), now.visits.resize(n);
    now.inside.assign(n, 0);
    for (std::uint32_t i = 0; i < times.size(); ++i) {
      const std::uint32_t id = view.now.id[i];
      const bool was = id < last_.inside.size() && last_.inside[id] != 0, is = times[i] > 0;
      now.time[id] += half * ((was ? 1 : 0) + (is ? 1 : 0));
      now.visits[id] += is && !was ? 1 : 0;
      now.inside[id] = is ? 1 : 0;
    }
    return now;
  }

  Stays last_;  ///< at the last look
};

}  // namespace

std::unique_ptr<Probe> make_probe(const ExposureProbe& keys, const ProbePlace& place) {
  return std::make_unique<ExposureMeter>(place.region(keys.region));
}

}  // namespace scree
