#include <string>
#include <utility>

#include "host/measure/region_probe.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

/// Sums over boundaries of the forces of the particles on them, and of their torques about a point.
class BoundaryMeter final : public Probe {
 public:
  BoundaryMeter(std::vector<std::size_t> boundaries, const Real3& about)
      : boundaries_(std::move(boundaries)), about_(about) {}
  [[nodiscard]] MeasureNeeds needs() const override { return {.forces = false, .contacts = false, .loads = true}; }
  [[nodiscard]] std::vector<std::string> columns() const override { return probe::force_and_torque_names(); }
  void measure(const ProbeView& view, std::vector<double>& values) override {
    Real3 force{}, torque{};
    if (!view.boundaries_known) { force = torque = {probe::unknown, probe::unknown, probe::unknown}; }
    for (const std::size_t b : boundaries_) {
      force = geometry::add(force, view.loads[b].force);
      torque = geometry::add(torque, view.loads[b].torque);
    }
    torque = geometry::subtract(torque, geometry::cross(about_, force));  // loads have it about the origin
    values.insert(values.end(), force.begin(), force.end());
    values.insert(values.end(), torque.begin(), torque.end());
  }

 private:
  std::vector<std::size_t> boundaries_;  ///< indices in the scene
  Real3 about_;                          ///< [m]
};

}  // namespace

std::unique_ptr<Probe> make_probe(const BoundaryForceProbe& keys, const ProbePlace& place) {
  std::vector<std::string> names;
  for (const SceneBoundary& boundary : place.scene().boundaries) { names.push_back(boundary.name); }
  std::vector<std::size_t> boundaries;
  for (std::size_t k = 0; k < keys.boundaries.size(); ++k) {
    const auto found = place_of_name(keys.boundaries[k], names);
    if (!found) {
      throw CaseError("boundaries." + std::to_string(k), unknown_name("boundary", keys.boundaries[k], names));
    }
    boundaries.push_back(*found);
  }
  return std::make_unique<BoundaryMeter>(std::move(boundaries), keys.about);
}

}  // namespace scree
