#include <algorithm>
#include <utility>

#include "host/measure/region_probe.hpp"

namespace scree {
namespace {

/// Pieces that unbroken bonds hold together. A particle without bonds is a piece, too.
class FragmentMeter final : public Probe {
 public:
  [[nodiscard]] MeasureNeeds needs() const override { return {.forces = false, .contacts = false, .fragments = true}; }
  [[nodiscard]] std::vector<std::string> columns() const override {
    return {"fragments", "single_particles", "largest_fragment[kg]", "largest_fragment_particles"};
  }
  void measure(const ProbeView& view, std::vector<double>& values) override {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pieces;  // the name of a piece, and a particle of it
    for (std::uint32_t i = 0; i < view.now.fragment.size(); ++i) {
      if (view.sees(i)) pieces.emplace_back(view.now.fragment[i], i);
    }
    std::sort(pieces.begin(), pieces.end());
    double count = 0, single = 0, largest = 0, of_largest = 0;
    for (std::size_t k = 0; k < pieces.size();) {
      double mass = 0, particles = 0;
      const std::uint32_t piece = pieces[k].first;
      for (; k < pieces.size() && pieces[k].first == piece; ++k) {
        mass += view.mass[pieces[k].second];
        particles += 1;
      }
      count += 1;
      single += particles == 1 ? 1 : 0;
      if (mass > largest) largest = mass, of_largest = particles;
    }
    values.insert(values.end(), {count, single, largest, of_largest});
  }
};

}  // namespace

std::unique_ptr<Probe> make_probe(const FragmentProbe&, const ProbePlace&) { return std::make_unique<FragmentMeter>(); }

}  // namespace scree
