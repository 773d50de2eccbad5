#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "host/geometry/cell_frame.hpp"
#include "host/packing/random.hpp"
#include "scree/regions.hpp"

namespace scree::packing {

/// A region that can be filled with spheres, or a face through which an inlet adds spheres.
class FillRegion {
 public:
  virtual ~FillRegion() = default;
  [[nodiscard]] virtual std::string name() const = 0;  ///< "box"
  [[nodiscard]] virtual geometry::Bounds bounds() const = 0;
  [[nodiscard]] virtual double volume() const = 0;  ///< [m3]
  /// Whether a sphere lies wholly inside.
  [[nodiscard]] virtual bool holds(const Real3& centre, double radius) const = 0;
  /// A place near `centre` at which the region holds the sphere, if there is a simple way to find one. Call holds() to
  /// know whether the result is such a place.
  [[nodiscard]] virtual Real3 pulled_inside(const Real3& centre, double radius) const = 0;
  /// A random centre for a sphere, uniform over a set that contains all centres for which holds() is true.
  [[nodiscard]] virtual Real3 candidate(double radius, Random& random) const = 0;
  /// A candidate with the normal of its face; the normal is zero for regions that are not faces.
  struct Spot {
    Real3 centre{}, normal{};
  };
  [[nodiscard]] virtual Spot spot(double radius, Random& random) const { return {candidate(radius, random), {}}; }
  /// Bounds of all spheres up to this radius whose centres are candidates.
  [[nodiscard]] virtual geometry::Bounds reach(double /*radius*/) const { return bounds(); }
  /// The unit vector along the mean normal of a face, weighted by area; zero for closed faces and for other regions.
  [[nodiscard]] virtual Real3 mean_normal() const { return {}; }
  /// The cell, if the region is a whole periodic cell; otherwise null. Spheres of a cell may cross its faces, and their
  /// centres lie inside the cell.
  [[nodiscard]] virtual const geometry::CellFrame* cell() const { return nullptr; }
  /// The smallest distance [m] of the centre of a sphere from the bounds.
  [[nodiscard]] virtual double margin(double radius) const { return radius; }
};

/// Makes a region for use. Paths of mesh files are relative to `folder`; `cell` is the periodic cell or null. Throws
/// CaseError with paths below the region ("mesh.file") for regions without volume and for open meshes.
[[nodiscard]] std::unique_ptr<FillRegion> make_region(const Region& region, const std::filesystem::path& folder,
                                                      std::vector<std::string>& warnings,
                                                      const geometry::CellFrame* cell = nullptr);

}  // namespace scree::packing
