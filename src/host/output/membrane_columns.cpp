#include <string>

#include "host/measure/membrane_volume.hpp"
#include "host/output/series_columns.hpp"

namespace scree {

void add_membrane_columns(const Scene& scene, std::vector<SeriesColumn>& columns) {
  for (std::size_t k = 0; k < scene.membranes.size(); ++k) {
    const SceneMembrane& membrane = scene.membranes[k];
    const std::string of = "particles." + std::to_string(membrane.entry) + ".membrane.name";
    const auto pressure = [k](const SeriesReadouts& now) -> SeriesValue { return now.pressures.at(k); };
    const auto volume = [k](const SeriesReadouts& now) -> SeriesValue {
      return membrane_volume(now.state.spheres, now.scene.membranes[k]);
    };
    columns.push_back({"pressure_" + membrane.name, "Pa", pressure, AllowedValues::finite, of});
    columns.push_back({"volume_" + membrane.name, "m3", volume, AllowedValues::finite_or_nan, of});
  }
}

}  // namespace scree
