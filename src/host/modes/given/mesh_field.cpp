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
        throw CaseError("", "has a cell without volume, or one that is turned inside out in part: number " +
                                std::to_string(cell) + " of the solid cells, the tetrahedra first");
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
    std::vector<Eigen::Matrix3d> gradients(count());
    Sample sample;
    sample.displacement.resize(3, static_cast<Index>(count()));
    for (std::size_t index = 0; index < finder_.cells(); ++index) {
      const SolidCell cell = finder_.cell(index);
      Blend corners{finder_.points_of(index), {}, 0};
      for (const auto& point : cell.gauss_points()) {
        sample.weight = scale * point.volume;
        sample.place = {};
        for (std::size_t c = 0; c < cell.corners; ++c) {
          sample.place = geometry::along(sample.place, point.weight[c], cell.corner[c]);
        }
        corners.weight = point.weight;
        for (std::size_t mode = 0; mode < count(); ++mode) {
          const Real3 u = displacement(mode, corners);
          for (Index i = 0; i < 3; ++i)
            sample.displacement(i, static_cast<Index>(mode)) = u[static_cast<std::size_t>(i)];
          gradients[mode] = gradient(mode, corners, point, cell.corners);
        }
        sample.strain = strains(gradients);
        visit(sample);
      }
    }
  }

  double volume() const override { return volume_; }

  std::string description() const override {
    const double percent = 100 * (volume_ / shape_.volume - 1);
    std::string text = "a mesh of " + count_text(finder_.mesh().points.size()) + " points and " +
                       count_text(finder_.cells()) + " cells, whose volume is " + (percent < 0 ? "" : "+") +
                       short_number_text(percent, 3) + " % off that of the grain";
    if (finder_.mesh().left_out > 0) {
      text += " (" + count_text(finder_.mesh().left_out) + " cells that are no solids are left out)";
    }
    return text;
  }

 private:
  [[nodiscard]] Eigen::Matrix3d gradient(std::size_t mode, const Blend& corners, const SolidCell::GaussPoint& point,
                                         std::size_t count) const {
    Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
    for (std::size_t c = 0; c < count; ++c) {
      const Real3& u = at_point(mode, corners.point[c]);
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          sum(static_cast<Index>(i), static_cast<Index>(j)) += u[i] * point.slope[c][j];
        }
      }
    }
    return sum;
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
