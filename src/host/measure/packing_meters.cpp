#include <algorithm>
#include <numbers>

#include "host/measure/region_probe.hpp"

namespace scree {
namespace {

using namespace geometry;
using namespace probe;

/// Whether the view has all contacts. Before the first step it has none, also where contacts of a start go on.
bool knows_contacts(const ProbeView& view) { return view.contacts_known && view.boundaries_known; }

class FabricMeter final : public RegionProbe {
 public:
  using RegionProbe::RegionProbe;
  [[nodiscard]] std::vector<std::string> columns() const override {
    auto names = tensor_names("fabric", "", true);
    names.insert(names.begin(), "contacts");
    return names;
  }
  void measure(const ProbeView& view, std::vector<double>& values) override {
    Matrix3 sum{};
    double count = 0;
    const std::vector<double> times =
        times_inside(view, view.contacts.size(), [&](std::size_t c) { return view.contacts[c].point; });
    for (std::size_t c = 0; c < times.size(); ++c) {
      if (times[c] == 0 || !view.sees_contact(c)) continue;
      add_dyad(sum, times[c], view.contacts[c].normal, view.contacts[c].normal);
      count += times[c];
    }
    values.push_back(knows_contacts(view) ? count : unknown);
    append_symmetric(values, sum, count > 0 ? 1 / count : unknown);
  }
};

class CoordinationMeter final : public RegionProbe {
 public:
  using RegionProbe::RegionProbe;
  [[nodiscard]] std::vector<std::string> columns() const override { return {"mean", "mechanical", "rattlers"}; }
  void measure(const ProbeView& view, std::vector<double>& values) override {
    std::vector<std::uint32_t> contacts(view.position.size());
    for (const auto& ends : view.ends) {
      for (const std::uint32_t i : ends) {
        if (i != ProbeView::none) ++contacts[i];
      }
    }
    double sum = 0, single = 0, loose = 0, n = 0;
    for (const Present& particle : particles_inside(view)) {
      const std::uint32_t i = particle.index;
      sum += contacts[i];
      n += 1;
      single += contacts[i] == 1 ? 1 : 0;
      loose += contacts[i] <= 1 ? 1 : 0;
    }
    values.push_back(n > 0 ? sum / n : unknown);
    values.push_back(n > loose ? (sum - single) / (n - loose) : unknown);
    values.push_back(loose);
    if (!knows_contacts(view)) { std::fill_n(values.end() - 3, 3, unknown); }
  }
};

class PorosityMeter final : public RegionProbe {
 public:
  using RegionProbe::RegionProbe;
  [[nodiscard]] MeasureNeeds needs() const override { return {.forces = false, .contacts = false}; }
  [[nodiscard]] std::vector<std::string> columns() const override {
    return {"particles", "solid_fraction", "porosity"};
  }
  void measure(const ProbeView& view, std::vector<double>& values) override {
    double solid = 0;
    const auto all = particles_inside(view);
    for (const Present& particle : all) {
      const double r = view.now.radius[particle.index];
      solid += 4.0 / 3.0 * std::numbers::pi * (r * r * r);
    }
    values.push_back(static_cast<double>(all.size()));
    values.push_back(solid / volume(view));
    values.push_back(1 - solid / volume(view));
  }
};

}  // namespace

std::unique_ptr<Probe> make_probe(const FabricProbe& keys, const ProbePlace& place) {
  return std::make_unique<FabricMeter>(place.region_or_cell(keys.region));
}
std::unique_ptr<Probe> make_probe(const CoordinationProbe& keys, const ProbePlace& place) {
  return std::make_unique<CoordinationMeter>(keys.region ? place.region(*keys.region) : nullptr);
}
std::unique_ptr<Probe> make_probe(const PorosityProbe& keys, const ProbePlace& place) {
  return std::make_unique<PorosityMeter>(place.region_or_cell(keys.region));
}

}  // namespace scree
