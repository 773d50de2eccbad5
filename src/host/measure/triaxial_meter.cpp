#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/measure/region_probe.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using namespace probe;

struct PrincipalStresses {
  double largest, smallest;  ///< [Pa]
};
PrincipalStresses principal_stresses(Matrix3 m) {
  geometry::diagonalise(m);
  const auto [low, high] = std::minmax({m[0][0], m[1][1], m[2][2]});
  return {high, low};
}

/// The stress of contacts and of motion as in a test of soil; compression is positive.
class TriaxialMeter final : public RegionProbe {
 public:
  /// `region` null, or the cell: the whole cell.
  TriaxialMeter(ProbeRegion region, bool whole_cell, std::size_t axis)
      : RegionProbe(std::move(region)), whole_cell_(whole_cell), axis_(axis) {}

  [[nodiscard]] MeasureNeeds needs() const override { return {.forces = false, .contacts = true, .held = true}; }
  [[nodiscard]] std::vector<std::string> columns() const override {
    std::vector<std::string> names{"p[Pa]", "q[Pa]", "friction_angle[deg]"};
    if (whole_cell_) { names.insert(names.end(), {"void_ratio", "volumetric_strain"}); }
    return names;
  }

  void measure(const ProbeView& view, std::vector<double>& values) override {
    const Matrix3 stress = compression(view);
    const double lateral = 0.5 * (stress[(axis_ + 1) % 3][(axis_ + 1) % 3] + stress[(axis_ + 2) % 3][(axis_ + 2) % 3]);
    values.push_back((stress[0][0] + stress[1][1] + stress[2][2]) / 3);
    values.push_back(stress[axis_][axis_] - lateral);
    values.push_back(friction_angle(stress));
    if (!whole_cell_) { return; }
    double solid = 0;
    for (std::uint32_t i = 0; i < view.position.size(); ++i) {
      if (view.sees(i)) { solid += view.mass[i] / view.scene.materials[view.now.material[i]].density; }
    }
    values.push_back(solid > 0 ? volume(view) / solid - 1 : unknown);
    const CellTensor& strain = view.cell.value().strain;
    values.push_back(strain[0] + strain[1] + strain[2]);
  }

 private:
  /// [Pa] The symmetric part.
  [[nodiscard]] Matrix3 compression(const ProbeView& view) const {
    const Matrix3 contacts = force_moments(view), fluxes = momentum_flux(view, particles_inside(view)).sum;
    Matrix3 stress{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        stress[i][j] = (fluxes[i][j] - 0.5 * (contacts[i][j] + contacts[j][i])) / volume(view);
      }
    }
    return stress;
  }

  /// [deg] Unknown where nothing is pressed, or something is pulled.
  static double friction_angle(const Matrix3& stress) {
    for (const Real3& row : stress) {
      for (const double component : row) {
        if (!std::isfinite(component)) { return unknown; }
      }
    }
    const auto [s1, s3] = principal_stresses(stress);
    if (!(s1 > 0 && s3 >= 0)) { return unknown; }
    return std::asin((s1 - s3) / (s1 + s3)) * 180 / std::numbers::pi;
  }

  bool whole_cell_;
  std::size_t axis_;
};

}  // namespace

std::unique_ptr<Probe> make_probe(const TriaxialProbe& keys, const ProbePlace& place) {
  if (!keys.region && !place.scene().cell) {
    throw CaseError("region", "is missing; only a case with a periodic cell can leave it out");
  }
  const bool whole_cell = !keys.region || std::holds_alternative<CellRegion>(*keys.region);
  const auto& names = axes;
  const auto axis = static_cast<std::size_t>(std::find(names.begin(), names.end(), keys.axis) - names.begin());
  if (axis >= names.size()) { throw CaseError("axis", "must be \"x\", \"y\" or \"z\", got \"" + keys.axis + "\""); }
  return std::make_unique<TriaxialMeter>(keys.region ? place.region(*keys.region) : nullptr, whole_cell, axis);
}

}  // namespace scree
