#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "host/geometry/cell_frame.hpp"
#include "host/packing/random.hpp"
#include "scree/regions.hpp"

namespace scree::packing {

/// A region that can be filled: where it is, how large, and whether a sphere lies wholly inside; or a face of an inlet.
class FillRegion {
 public:
  virtual ~FillRegion() = default;
  [[nodiscard]] virtual std::string name() const = 0;  ///< "box"
  [[nodiscard]] virtual geometry::Bounds bounds() const = 0;
  [[nodiscard]] virtual double volume() const = 0;  ///< [m3]
  [[nodiscard]] virtual bool holds(const Real3& centre, double radius) const = 0;
  /// The centre brought back to where the region holds the sphere, where that is easy to say; else as it was.
  [[nodiscard]] virtual Real3 pulled_inside(const Real3& centre, double radius) const = 0;
  /// A candidate centre for a sphere, even over a set that contains all centres the region holds. `holds` decides.
  [[nodiscard]] virtual Real3 candidate(double radius, Random& random) const = 0;
  /// A candidate with the normal of the face over which it lies; the normal is zero for other regions.
  struct Spot {
    Real3 centre{}, normal{};
  };
  [[nodiscard]] virtual Spot spot(double radius, Random& random) const { return {candidate(radius, random), {}}; }
  /// Bounds of all spheres of at most this radius that candidates stand for.
  [[nodiscard]] virtual geometry::Bounds reach(double /*radius*/) const { return bounds(); }
  /// The mean of the normals of a face by area, of length 1; zero for closed faces and for other regions.
  [[nodiscard]] virtual Real3 mean_normal() const { return {}; }
  /// Of a region that is a whole periodic cell: its spheres may lie across the faces, and are told in the image whose
  /// centre is inside.
  [[nodiscard]] virtual const geometry::CellFrame* cell() const { return nullptr; }
  /// How far [m] from the bounds the centre of a sphere is at least.
  [[nodiscard]] virtual double margin(double radius) const { return radius; }
};

/// Makes the region ready for use; mesh files are looked for relative to `folder`, and `cell` is the periodic cell if
/// there is one. Throws CaseError, with paths below the region ("mesh.file"), for regions without volume and for open
/// meshes.
[[nodiscard]] std::unique_ptr<FillRegion> make_region(const Region& region, const std::filesystem::path& folder,
                                                      std::vector<std::string>& warnings,
                                                      const geometry::CellFrame* cell = nullptr);

}  // namespace scree::packing
