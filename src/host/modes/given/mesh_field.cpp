#include <cmath>
#include <utility>

#include "host/geometry/real3.hpp"
#include "host/modes/given/cell_finder.hpp"
#include "host/modes/given/given_field.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::modes {
namespace {

using Index = Eigen::Index;

class MeshField final : public GivenField {
 public:
  MeshField(const GrainShape& shape, geometry::VolumeMesh mesh, std::size_t count, std::vector<Real3> displacement)
      : GivenField(count, mesh.points, std::move(displacement)), shape_(shape), finder_(std::move(mesh)) {
    for (std::size_t cell = 0; cell < finder_.cells(); ++cell) {
      const auto points = finder_.cell(cell).gauss_points();
      if (points.empty()) {
        throw CaseError("", "has a cell that has no volume or is partly inside out: number " + std::to_string(cell) +
                                " of the solid cells, of which tetrahedra come first");
      }
      for (const auto& point : points) volume_ += point.volume;
    }
  }

  Blend at(const Real3& place) const override {
    const auto found = finder_.find(place);
    return {finder_.points_of(found.cell), found.weight, found.outside};
  }

  void for_each_sample(const std::function<void(const Sample&)>& visit) const override {
    const double scale = shape_.volume / volume_;
    Sample sample;
    sample.displacement.resize(3, static_cast<Index>(count()));
    sample.strain.resize(6, static_cast<Index>(count()));
    for (std::size_t index = 0; index < finder_.cells(); ++index) {
      const SolidCell cell = finder_.cell(index);
      const Eigen::Matrix3d frame = cell.frame();
      const std::vector<Corners> modes = in_frame(cell, finder_.points_of(index), frame);
      for (const auto& point : cell.gauss_points()) {
        sample.weight = scale * point.volume;
        sample.place = {};
        Eigen::Matrix<double, 8, 1> weight;
        for (std::size_t c = 0; c < 8; ++c) {
          weight[static_cast<Index>(c)] = point.weight[c];
          sample.place = geometry::along(sample.place, point.weight[c], cell.corner[c]);
        }
        for (std::size_t mode = 0; mode < count(); ++mode) {
          const auto column = static_cast<Index>(mode);
          sample.displacement.col(column) = frame * (modes[mode] * weight);
          const Eigen::Matrix3d slope = modes[mode] * point.slope.transpose();
          for (Index axis = 0; axis < 3; ++axis) {
            const Index next = (axis + 1) % 3, last = (axis + 2) % 3;
            const Eigen::Matrix3d shear = modes[mode] * point.shear_slope[static_cast<std::size_t>(axis)].transpose();
            sample.strain(axis, column) = slope(axis, axis);
            sample.strain(3 + axis, column) = shear(next, last) + shear(last, next);
          }
        }
        visit(sample);
      }
    }
  }

  double volume() const override { return volume_; }

  std::string description() const override {
    constexpr double shown = 1e4;  // rounds to 1e-4 percent, because less may be rounding
    const double percent = std::round(shown * 100 * (volume_ / shape_.volume - 1)) / shown;
    std::string text = "a mesh of " + count_text(finder_.mesh().points.size()) + " points and " +
                       count_text(finder_.cells()) + " cells, whose volume is " + (percent < 0 ? "" : "+") +
                       short_number_text(percent, 3) + " % off that of the grain";
    if (finder_.mesh().left_out > 0) {
      text += " (" + count_text(finder_.mesh().left_out) + " cells that are not solid are left out)";
    }
    return text;
  }

 private:
  using Corners = Eigen::Matrix<double, 3, 8>;
  /// [n_modes] The displacements of the corners of a cell along the axes of its frame; 0 in columns without a corner.
  [[nodiscard]] std::vector<Corners> in_frame(const SolidCell& cell, const std::array<std::uint32_t, 8>& points,
                                              const Eigen::Matrix3d& frame) const {
    std::vector<Corners> all(count(), Corners::Zero());
    for (std::size_t mode = 0; mode < count(); ++mode) {
      for (std::size_t c = 0; c < cell.corners; ++c) {
        const Real3& u = at_point(mode, points[c]);
        all[mode].col(static_cast<Index>(c)) = frame.transpose() * Eigen::Vector3d(u[0], u[1], u[2]);
      }
    }
    return all;
  }

  const GrainShape& shape_;
  CellFinder finder_;
  double volume_ = 0;  ///< [m3]
};

}  // namespace

std::unique_ptr<GivenField> field_on_mesh(const GrainShape& shape, geometry::VolumeMesh mesh, std::size_t count,
                                          std::vector<Real3> displacement) {
  return std::make_unique<MeshField>(shape, std::move(mesh), count, std::move(displacement));
}

}  // namespace scree::modes
