#include <string>
#include <utility>

#include "host/measure/region_probe.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using probe::axes;
using probe::unknown;

class Tracker final : public Probe {
 public:
  explicit Tracker(std::vector<std::uint64_t> particles) : particles_(std::move(particles)) {}
  [[nodiscard]] std::vector<std::string> columns() const override {
    std::vector<std::string> names;
    for (const std::uint64_t id : particles_) {
      const std::pair<const char*, const char*> fields[] = {
          {"position", "[m]"}, {"velocity", "[m/s]"}, {"force", "[N]"}};
      for (const auto& [field, unit] : fields) {
        for (const char* axis : axes) names.push_back(std::to_string(id) + "_" + field + "_" + axis + unit);
      }
    }
    return names;
  }
  void measure(const ProbeView& view, std::vector<double>& values) override {
    for (const std::uint64_t id : particles_) {
      const std::uint32_t i = id < view.index.size() ? view.index[id] : ProbeView::none;
      if (i == ProbeView::none) {
        values.insert(values.end(), 9, unknown);
        continue;
      }
      Real3 position = view.now.position[i], velocity = view.now.velocity[i];
      if (view.cell) {  // as if it had never been taken back into the cell
        position = unwrapped_position(view.now, i, *view.cell);
        velocity = geometry::add(velocity, mean_flow(*view.cell, geometry::subtract(position, view.now.position[i])));
      }
      for (const Real3& vector : {position, velocity, view.now.force[i]})
        values.insert(values.end(), vector.begin(), vector.end());
    }
  }

 private:
  std::vector<std::uint64_t> particles_;
};

}  // namespace

std::unique_ptr<Probe> make_probe(const TrackProbe& keys, const ProbePlace& place) {
  const std::size_t n = place.scene().particles.size();
  for (std::size_t k = 0; k < keys.particles.size(); ++k) {
    if (keys.particles[k] < n || !place.scene().inlets.empty()) continue;
    throw CaseError("particles." + std::to_string(k), "must be the id of a particle, below " + std::to_string(n) +
                                                          ", got " + std::to_string(keys.particles[k]));
  }
  return std::make_unique<Tracker>(keys.particles);
}

}  // namespace scree
