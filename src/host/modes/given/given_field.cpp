#include "host/modes/given/given_field.hpp"

#include <algorithm>
#include <cmath>

#include "host/clumps/orientation.hpp"
#include "host/geometry/real3.hpp"
#include "host/grains/make_grain.hpp"
#include "host/grains/modes.hpp"
#include "host/text/text.hpp"

namespace scree::modes {

using Index = Eigen::Index;

GivenField::GivenField(std::size_t count, std::vector<Real3> place, std::vector<Real3> displacement)
    : count_(count), place_(std::move(place)), displacement_(std::move(displacement)) {}

Real3 GivenField::displacement(std::size_t mode, const Blend& at) const {
  const Real3* of_mode = displacement_.data() + mode * place_.size();
  Real3 sum{};
  for (std::size_t c = 0; c < 8; ++c) sum = geometry::along(sum, at.weight[c], of_mode[at.point[c]]);
  return sum;
}

void GivenField::subtract_motions(const Matrix& motions) {
  for (std::size_t mode = 0; mode < count_; ++mode) {
    const Vector motion = motions.col(static_cast<Index>(mode));
    const Real3 shift{motion[0], motion[1], motion[2]}, turn{motion[3], motion[4], motion[5]};
    for (std::size_t k = 0; k < place_.size(); ++k) {
      Real3& u = displacement_[mode * place_.size() + k];
      u = geometry::subtract(u, geometry::add(shift, geometry::cross(turn, place_[k])));
    }
  }
}

void GivenField::scale(std::size_t mode, double factor) {
  for (std::size_t k = 0; k < place_.size(); ++k) {
    Real3& u = displacement_[mode * place_.size() + k];
    u = geometry::scaled(u, factor);
  }
}

Real3 FileFrame::in_file(const Real3& point) const { return geometry::add(center, clumps::turned(to_file, point)); }

Real3 FileFrame::in_body(const Real3& point) const { return direction_in_body(geometry::subtract(point, center)); }

Real3 FileFrame::direction_in_body(const Real3& direction) const {
  return clumps::turned({to_file[0], -to_file[1], -to_file[2], -to_file[3]}, direction);
}

namespace {

std::vector<Real3> places_of(const FileFrame& frame, const Lattice& lattice) {
  std::vector<Real3> all;
  all.reserve(lattice.points());
  for (std::size_t k = 0; k < lattice.size[2]; ++k) {
    for (std::size_t j = 0; j < lattice.size[1]; ++j) {
      for (std::size_t i = 0; i < lattice.size[0]; ++i) {
        const std::array<std::size_t, 3> at = {i, j, k};
        Real3 point = lattice.origin;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          point[axis] += lattice.spacing[axis] * static_cast<double>(at[axis]);
        }
        all.push_back(frame.in_body(point));
      }
    }
  }
  return all;
}

/// [6 x n_modes] Strains from displacement gradients: gradients[mode](i, j) is d u_i / d x_j.
Matrix strains(const std::vector<Eigen::Matrix3d>& gradients) {
  Matrix all(6, static_cast<Index>(gradients.size()));
  for (Index mode = 0; mode < all.cols(); ++mode) {
    const Eigen::Matrix3d& slope = gradients[static_cast<std::size_t>(mode)];
    for (Index axis = 0; axis < 3; ++axis) {
      const Index next = (axis + 1) % 3, last = (axis + 2) % 3;
      all(axis, mode) = slope(axis, axis);
      all(3 + axis, mode) = slope(next, last) + slope(last, next);
    }
  }
  return all;
}

class LatticeField final : public GivenField {
 public:
  LatticeField(const GrainShape& shape, const FileFrame& frame, const Lattice& lattice, std::size_t count,
               std::vector<Real3> displacement)
      : GivenField(count, places_of(frame, lattice), std::move(displacement)),
        shape_(shape),
        frame_(frame),
        lattice_(lattice) {}

  Blend at(const Real3& place) const override { return blend(place, 0); }

  // Strains are central differences over half a spacing. They have second order at any place between the points of the
  // file.
  void for_each_sample(const std::function<void(const Sample&)>& visit) const override {
    const grains::Grid grid = grains::grid_of(shape_);
    const std::vector<double> weights = grains::weights_of(shape_);
    const double step = 0.5 * *std::min_element(lattice_.spacing.begin(), lattice_.spacing.end());
    std::vector<Eigen::Matrix3d> gradients(count());
    Sample sample;
    sample.displacement.resize(3, static_cast<Index>(count()));
    grains::for_each_point(grid, 0, [&](std::size_t at_point, std::size_t i, std::size_t j, std::size_t k) {
      if (weights[at_point] == 0) return;
      sample.weight = weights[at_point];
      sample.place = grid.place(i, j, k);
      const Blend here = blend(sample.place, 0.5);
      std::array<Blend, 3> before, behind;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        Real3 low = sample.place, high = sample.place;
        low[axis] -= step;
        high[axis] += step;
        before[axis] = blend(low, 1);
        behind[axis] = blend(high, 1);
      }
      for (std::size_t mode = 0; mode < count(); ++mode) {
        const Real3 u = displacement(mode, here);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const Real3 change = geometry::subtract(displacement(mode, behind[axis]), displacement(mode, before[axis]));
          for (std::size_t c = 0; c < 3; ++c) {
            gradients[mode](static_cast<Index>(c), static_cast<Index>(axis)) = change[c] / (2 * step);
          }
          sample.displacement(static_cast<Index>(axis), static_cast<Index>(mode)) = u[axis];
        }
      }
      sample.strain = strains(gradients);
      visit(sample);
    });
  }

  double volume() const override { return shape_.volume; }

  std::string description() const override {
    return "a grid of " + std::to_string(lattice_.size[0]) + " x " + std::to_string(lattice_.size[1]) + " x " +
           std::to_string(lattice_.size[2]) + " points";
  }

 private:
  /// The blend at a place. The values of the outermost cells are extrapolated by at most `beyond` spacings.
  [[nodiscard]] Blend blend(const Real3& place, double beyond) const {
    const Real3 in_file = frame_.in_file(place);
    std::array<std::size_t, 3> first{};
    Real3 part{}, off{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double at = (in_file[axis] - lattice_.origin[axis]) / lattice_.spacing[axis];
      const double last = static_cast<double>(lattice_.size[axis]) - 1;
      const double kept = std::clamp(at, -beyond, last + beyond);
      off[axis] = (at - kept) * lattice_.spacing[axis];
      const double cell = std::clamp(std::floor(kept), 0.0, last - 1);
      first[axis] = static_cast<std::size_t>(cell);
      part[axis] = kept - cell;
    }
    Blend all;
    all.outside = geometry::length(off);
    for (std::size_t c = 0; c < 8; ++c) {
      std::array<std::size_t, 3> at = first;
      all.weight[c] = 1;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool upper = ((c >> axis) & 1U) != 0;
        at[axis] += upper ? 1 : 0;
        all.weight[c] *= upper ? part[axis] : 1 - part[axis];
      }
      all.point[c] = static_cast<std::uint32_t>((at[2] * lattice_.size[1] + at[1]) * lattice_.size[0] + at[0]);
    }
    return all;
  }

  const GrainShape& shape_;
  FileFrame frame_;
  Lattice lattice_;
};

}  // namespace

std::unique_ptr<GivenField> field_on_lattice(const GrainShape& shape, const FileFrame& frame, const Lattice& lattice,
                                             std::size_t count, std::vector<Real3> displacement) {
  return std::make_unique<LatticeField>(shape, frame, lattice, count, std::move(displacement));
}

}  // namespace scree::modes
