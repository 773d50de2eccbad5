#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "host/checkpoint/state_columns.hpp"
#include "host/measure/region_probe.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using namespace probe;

/// Energy that contacts lose, and the power of it. A loss counts where its particle is at the next look.
class DissipationMeter final : public RegionProbe {
 public:
  using RegionProbe::RegionProbe;
  [[nodiscard]] std::vector<std::string> columns() const override { return {"power[W]", "energy[J]"}; }
  [[nodiscard]] MeasureNeeds needs() const override { return {.forces = false, .contacts = false, .dissipated = true}; }
  [[nodiscard]] bool counts() const override { return true; }

  void measure(const ProbeView& view, std::vector<double>& values) override {
    const double energy = window_ + lost_since_look(view), span = view.now.time - begin_;
    values.push_back(span > 0 ? energy / span : unknown);
    values.push_back(before_window_ + energy);
  }

  void note(const ProbeView& view, bool ends_window) override {
    window_ += lost_since_look(view);
    seen_.assign(view.index.size(), 0.0);
    for (std::size_t i = 0; i < view.now.id.size(); ++i) { seen_[view.now.id[i]] = view.now.dissipated[i]; }
    if (std::isnan(begin_)) { begin_ = view.now.time; }
    if (!ends_window) { return; }
    before_window_ += window_;
    window_ = 0;
    begin_ = view.now.time;
  }

  void save(const std::string& prefix, std::vector<StateArray>& arrays) const override {
    if (std::isnan(begin_)) { return; }
    arrays.push_back(array_of(prefix + "begin_and_energies", "s, J, J", ValueType::float64, 1,
                              std::vector<double>{begin_, window_, before_window_}));
    arrays.push_back(array_of(prefix + "dissipated", "J", ValueType::float64, 1, seen_));
  }
  bool restore(const std::string& prefix, const std::vector<StateArray>& arrays) override {
    const StateArray* const numbers = find_array(arrays, prefix + "begin_and_energies");
    const StateArray* const seen = find_array(arrays, prefix + "dissipated");
    if (numbers == nullptr) { return false; }
    if (seen == nullptr) { throw StateError("the state of the probe " + prefix + " is not complete"); }
    const auto sums = rows_of<double>(*numbers, ValueType::float64);
    seen_ = rows_of<double>(*seen, ValueType::float64);
    if (sums.size() != 3) { throw StateError("the state of the probe " + prefix + " is not complete"); }
    const auto finite = [](double value) { return std::isfinite(value); };
    if (!std::all_of(sums.begin(), sums.end(), finite) || !std::all_of(seen_.begin(), seen_.end(), finite)) {
      throw StateError("the state of the probe " + prefix + " holds numbers that cannot be");
    }
    begin_ = sums[0], window_ = sums[1], before_window_ = sums[2];
    return true;
  }

 private:
  /// [J] At the first look, nothing. Particles that came since then have lost nothing before.
  [[nodiscard]] double lost_since_look(const ProbeView& view) const {
    if (std::isnan(begin_)) { return 0; }
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

  double begin_ = unknown;    ///< [s] of the window; not a number before the first look
  double window_ = 0;         ///< [J] in the window, up to the last look
  double before_window_ = 0;  ///< [J]
  std::vector<double> seen_;  ///< [J] by id, at the last look
};

}  // namespace

std::unique_ptr<Probe> make_probe(const DissipationProbe& keys, const ProbePlace& place) {
  return std::make_unique<DissipationMeter>(keys.region ? place.region(*keys.region) : nullptr);
}

}  // namespace scree
