#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "host/measure/region_probe.hpp"
#include "host/storage/state_columns.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using namespace probe;

/// The energy that contacts lose, and its power. The loss of a particle since the last look counts in full at the place
/// of the particle at this look. A window ends with a row. The next window begins with the next look, so that a run
/// which is resumed at the row writes the row again.
class DissipationMeter final : public RegionProbe {
 public:
  using RegionProbe::RegionProbe;
  [[nodiscard]] std::vector<std::string> columns() const override { return {"power[W]", "energy[J]"}; }
  [[nodiscard]] MeasureNeeds needs() const override { return {.forces = false, .contacts = false, .dissipated = true}; }
  [[nodiscard]] bool counts() const override { return true; }

  void measure(const ProbeView& view, std::vector<double>& values) override {
    const Window window = window_at(view.now.time);
    const double energy = window.energy + lost_since_look(view), span = view.now.time - window.begin;
    values.push_back(span > 0 ? energy / span : unknown);
    values.push_back(window.energy_before + energy);
  }

  void note(const ProbeView& view, bool ends_window) override {
    const double time = view.now.time;
    window_ = window_at(time);
    window_.energy += lost_since_look(view);
    seen_.assign(view.index.size(), 0.0);
    for (std::size_t i = 0; i < view.now.id.size(); ++i) { seen_[view.now.id[i]] = view.now.dissipated[i]; }
    if (std::isnan(window_.begin)) { window_.begin = time; }
    end_ = ends_window ? time : unknown;
  }

  void save(const std::string& prefix, std::vector<StateArray>& arrays) const override {
    if (std::isnan(window_.begin)) { return; }
    arrays.push_back(array_of(prefix + "begin_and_energies", "s, J, J", ValueType::float64, 1,
                              std::vector<double>{window_.begin, window_.energy, window_.energy_before}));
    arrays.push_back(array_of(prefix + "end", "s", ValueType::float64, 1,
                              std::isnan(end_) ? std::vector<double>{} : std::vector<double>{end_}));
    arrays.push_back(array_of(prefix + "dissipated", "J", ValueType::float64, 1, seen_));
  }
  bool restore(const std::string& prefix, const std::vector<StateArray>& arrays) override {
    const StateArray* const numbers = find_array(arrays, prefix + "begin_and_energies");
    const StateArray* const seen = find_array(arrays, prefix + "dissipated");
    const StateArray* const end = find_array(arrays, prefix + "end");  // older checkpoints have none
    if (numbers == nullptr) { return false; }
    if (seen == nullptr) { throw StateError("the state of the probe " + prefix + " is not complete"); }
    const auto sums = rows_of<double>(*numbers, ValueType::float64);
    seen_ = rows_of<double>(*seen, ValueType::float64);
    const auto ends = end == nullptr ? std::vector<double>{} : rows_of<double>(*end, ValueType::float64);
    if (sums.size() != 3 || ends.size() > 1) {
      throw StateError("the state of the probe " + prefix + " is not complete");
    }
    expect_finite_rows(prefix + "begin_and_energies", sums);
    expect_finite_rows(prefix + "end", ends);
    expect_finite_rows(prefix + "dissipated", seen_);
    window_ = {sums[0], sums[1], sums[2]};
    end_ = ends.empty() ? unknown : ends[0];
    return true;
  }

 private:
  struct Window {
    double begin = unknown;    ///< [s] not a number before the first look
    double energy = 0;         ///< [J] in the window, up to the last look
    double energy_before = 0;  ///< [J] before the window
  };

  /// The window to which a look at this time [s] belongs.
  [[nodiscard]] Window window_at(double time) const {
    return time > end_ ? Window{end_, 0, window_.energy_before + window_.energy} : window_;
  }
  /// [J] What the particles have lost since the last look; 0 at the first look. A particle that came in since then had
  /// lost nothing before.
  [[nodiscard]] double lost_since_look(const ProbeView& view) const {
    if (std::isnan(window_.begin)) { return 0; }
    const std::vector<double> times =
        times_inside(view, view.position.size(), [&](std::size_t i) { return view.position[i]; });
    double sum = 0;
    for (std::uint32_t i = 0; i < times.size(); ++i) {
      if (times[i] == 0 || !view.sees(i)) { continue; }
      const std::uint32_t id = view.now.id[i];
      sum += times[i] * (view.now.dissipated[i] - (id < seen_.size() ? seen_[id] : 0));
    }
    return sum;
  }

  Window window_;             ///< of the last look
  double end_ = unknown;      ///< [s] of that window, if it has ended
  std::vector<double> seen_;  ///< [J] by id, at the last look
};

}  // namespace

std::unique_ptr<Probe> make_probe(const DissipationProbe& keys, const ProbePlace& place) {
  return std::make_unique<DissipationMeter>(keys.region ? place.region(*keys.region) : nullptr);
}

}  // namespace scree
