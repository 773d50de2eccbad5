#pragma once

#include <functional>
#include <memory>
#include <string>

#include "host/modes/given/given_modes.hpp"
#include "host/modes/linear_algebra.hpp"
#include "scree/grain_shape.hpp"

namespace scree::modes {

/// A value at a place as a weighted sum over the points at the corners of a cell of a grid or mesh.
struct Blend {
  std::array<std::uint32_t, 8> point{};
  std::array<double, 8> weight{};  ///< the sum is 1
  double outside = 0;              ///< [m] distance of the place from the cells; the value is that of the nearest point
};

/// Interpolates the displacements of modes that a file gives at points, in the body frame of a template.
class GivenField {
 public:
  virtual ~GivenField() = default;
  GivenField(const GivenField&) = delete;
  GivenField& operator=(const GivenField&) = delete;

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] virtual Blend at(const Real3& place) const = 0;
  [[nodiscard]] Real3 displacement(std::size_t mode, const Blend& at) const;

  /// A quadrature point of the grain.
  struct Sample {
    double weight = 0;  ///< [m3]
    Real3 place{};
    Matrix displacement;  ///< [3 x count]
    Matrix strain;        ///< [6 x count] xx, yy, zz, 2 yz, 2 zx, 2 xy along any three axes
  };
  /// Calls `visit` for each quadrature point. The sum of their weights is the volume of the template.
  virtual void for_each_sample(const std::function<void(const Sample&)>& visit) const = 0;

  /// Subtracts a rigid-body motion from each mode: shift and rotation about the origin, [6 x count].
  void subtract_motions(const Matrix& motions);
  /// Multiplies the displacements of a mode by a factor.
  void scale(std::size_t mode, double factor);

  [[nodiscard]] virtual double volume() const = 0;  ///< [m3] volume of the mesh, or of the template for a grid
  /// Text such as "a mesh of 120 points and 400 cells, whose volume is ...".
  [[nodiscard]] virtual std::string description() const = 0;

 protected:
  GivenField(std::size_t count, std::vector<Real3> place, std::vector<Real3> displacement);
  [[nodiscard]] const Real3& at_point(std::size_t mode, std::size_t point) const {
    return displacement_[mode * place_.size() + point];
  }

 private:
  std::size_t count_;
  std::vector<Real3> place_;         ///< [points] in the body frame
  std::vector<Real3> displacement_;  ///< [count * points] in the body frame
};

/// Converts points [m] between the body frame and the frame of a file.
struct FileFrame {
  Real3 center{};
  QuaternionWxyz to_file{1, 0, 0, 0};
  [[nodiscard]] Real3 in_file(const Real3& point) const;
  [[nodiscard]] Real3 in_body(const Real3& point) const;
  [[nodiscard]] Real3 direction_in_body(const Real3& direction) const;
};

/// A field that is trilinear between the points of a grid.
[[nodiscard]] std::unique_ptr<GivenField> field_on_lattice(const GrainShape& shape, const FileFrame& frame,
                                                           const Lattice& lattice, std::size_t count,
                                                           std::vector<Real3> displacement);

/// A field that is linear in tetrahedra and trilinear in hexahedra. The mesh and the displacements must be in the body
/// frame. Throws CaseError (path: empty) if a cell has no volume.
[[nodiscard]] std::unique_ptr<GivenField> field_on_mesh(const GrainShape& shape, geometry::VolumeMesh mesh,
                                                        std::size_t count, std::vector<Real3> displacement);

}  // namespace scree::modes
