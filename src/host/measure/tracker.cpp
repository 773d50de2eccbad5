#include <algorithm>
#include <string>
#include <utility>

#include "host/measure/region_probe.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using probe::axes;
using probe::unknown;

/// A particle to follow, and the number of its modes: level-set grains that are there at the start may deform.
struct Tracked {
  std::uint64_t id = 0;
  std::size_t modes = 0;
};

class Tracker final : public Probe {
 public:
  explicit Tracker(std::vector<Tracked> particles) : particles_(std::move(particles)) {}
  [[nodiscard]] MeasureNeeds needs() const override { return {.forces = true, .contacts = false}; }
  [[nodiscard]] std::vector<std::string> columns() const override {
    std::vector<std::string> names;
    for (const auto& [id, modes] : particles_) {
      const std::pair<const char*, const char*> fields[] = {
          {"position", "[m]"}, {"velocity", "[m/s]"}, {"force", "[N]"}};
      for (const auto& [field, unit] : fields) {
        for (const char* axis : axes) names.push_back(std::to_string(id) + "_" + field + "_" + axis + unit);
      }
      for (std::size_t a = 0; a < modes; ++a) {
        names.push_back(std::to_string(id) + "_amplitude_" + std::to_string(a) + "[m]");
      }
    }
    return names;
  }
  void measure(const ProbeView& view, std::vector<double>& values) override {
    for (const auto& [id, modes] : particles_) {
      const std::uint32_t i = id < view.index.size() ? view.index[id] : ProbeView::none;
      if (i == ProbeView::none) {
        values.insert(values.end(), 9 + modes, unknown);
        continue;
      }
      Real3 position = view.now.position[i], velocity = view.now.velocity[i];
      if (view.cell) {  // as if it had never been taken back into the cell
        position = unwrapped_position(view.now, i, *view.cell);
        velocity = geometry::add(velocity, mean_flow(*view.cell, geometry::subtract(position, view.now.position[i])));
      }
      for (const Real3& vector : {position, velocity, view.now.force[i]}) {
        values.insert(values.end(), vector.begin(), vector.end());
      }
      if (modes > 0) add_amplitudes(view.now, id, modes, values);
    }
  }

 private:
  static void add_amplitudes(const Snapshot& now, std::uint64_t id, std::size_t modes, std::vector<double>& values) {
    const auto clump = std::lower_bound(now.clumps.begin(), now.clumps.end(), id,
                                        [](const SnapshotClump& c, std::uint64_t first) { return c.first < first; });
    for (std::size_t a = 0; a < modes; ++a) {
      const bool known = clump != now.clumps.end() && clump->first == id && a < clump->amplitude.size();
      values.push_back(known ? clump->amplitude[a] : unknown);
    }
  }

  std::vector<Tracked> particles_;
};

std::size_t modes_of(const Scene& scene, std::uint64_t id) {
  for (const Clump& clump : scene.particles.clumps) {
    if (clump.first != id) continue;
    const auto& grain = scene.clump_shapes.at(clump.shape).grain;
    return grain ? scene.grain_shapes.at(*grain).modes.count : 0;
  }
  return 0;
}

}  // namespace

std::unique_ptr<Probe> make_probe(const TrackProbe& keys, const ProbePlace& place) {
  const std::size_t n = place.scene().particles.size();
  const bool more_come = !place.scene().inlets.empty() || place.scene().breakage;  // with ids from n on
  for (std::size_t k = 0; k < keys.particles.size(); ++k) {
    if (keys.particles[k] < n || more_come) { continue; }
    throw CaseError("particles." + std::to_string(k), "must be the id of a particle, below " + std::to_string(n) +
                                                          ", got " + std::to_string(keys.particles[k]));
  }
  std::vector<Tracked> particles;
  for (const std::uint64_t id : keys.particles) particles.push_back({id, modes_of(place.scene(), id)});
  return std::make_unique<Tracker>(particles);
}

}  // namespace scree
