#include <optional>

#include "host/measure/region_probe.hpp"

namespace scree {
namespace {

using namespace geometry;
using namespace probe;

/// The force of everything else on the particles that the probe sees: contacts between two of them cancel.
class ContactForceMeter final : public Probe {
 public:
  explicit ContactForceMeter(const std::optional<Real3>& about) : about_(about) {}
  [[nodiscard]] std::vector<std::string> columns() const override { return force_and_torque_names(); }

  void measure(const ProbeView& view, std::vector<double>& values) override {
    const std::optional<Real3> centre = centre_of_mass(view);
    Real3 force{}, torque{};
    if (!centre || !view.contacts_known || !view.boundaries_known) { force = torque = {unknown, unknown, unknown}; }
    for (std::size_t c = 0; c < view.ends.size(); ++c) {
      const bool on_first = is_seen(view, view.ends[c][0]), on_second = is_seen(view, view.ends[c][1]);
      if (on_first == on_second) { continue; }
      const double sign = on_second ? 1 : -1;
      const Real3 pushed = scaled(view.contacts[c].force, sign);
      const Real3 arm = view.shortest(subtract(view.contacts[c].point, about_.value_or(*centre)));
      force = add(force, pushed);
      torque = along(add(torque, cross(arm, pushed)), sign, view.contacts[c].couple);
    }
    values.insert(values.end(), force.begin(), force.end());
    values.insert(values.end(), torque.begin(), torque.end());
  }

 private:
  static bool is_seen(const ProbeView& view, std::uint32_t i) { return i != ProbeView::none && view.sees(i); }
  /// [m] Centre of mass of the particles that the probe sees; none without any. In a periodic cell each particle counts
  /// at its image nearest to the first particle.
  static std::optional<Real3> centre_of_mass(const ProbeView& view) {
    std::optional<Real3> first;
    Real3 moment{};
    double mass = 0;
    for (std::uint32_t i = 0; i < view.position.size(); ++i) {
      if (!view.sees(i)) { continue; }
      if (!first) { first = view.position[i]; }
      moment = along(moment, view.mass[i], view.shortest(subtract(view.position[i], *first)));
      mass += view.mass[i];
    }
    if (!first) { return std::nullopt; }
    return along(*first, 1 / mass, moment);
  }

  std::optional<Real3> about_;  ///< [m]
};

}  // namespace

std::unique_ptr<Probe> make_probe(const ContactForceProbe& keys, const ProbePlace& /*place*/) {
  return std::make_unique<ContactForceMeter>(keys.about);
}

}  // namespace scree
