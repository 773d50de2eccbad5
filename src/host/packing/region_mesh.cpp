#include "host/packing/region_mesh.hpp"

#include <cmath>
#include <utility>

#include "host/geometry/boundary_distance.hpp"
#include "host/geometry/mesh_shells.hpp"
#include "host/geometry/mesh_surface.hpp"
#include "host/geometry/mesh_topology.hpp"
#include "host/packing/between_walls.hpp"
#include "host/packing/box_places.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::packing {
namespace {

using namespace geometry;

class FillMesh final : public FillRegion {
 public:
  explicit FillMesh(TriangleMesh mesh) : mesh_(std::move(mesh)), surface_(mesh_) {
    const EdgeFaults faults = edge_faults(mesh_);
    if (!faults.none()) {
      throw CaseError("mesh.file",
                      "the mesh encloses no volume: it has " + faults.text() + "; a fill needs a closed mesh");
    }
    constexpr double tolerated = 1e-3;  // scanned surfaces have small folds
    const ShellVolume enclosed = shell_volume(mesh_);
    if (enclosed.crossing > tolerated) {
      throw CaseError("mesh.file",
                      "its parts cross at " + short_number_text(100 * enclosed.crossing, 2) +
                          " % of the surface, so that it is not clear what is inside; unite the parts into "
                          "one surface");
    }
    volume_ = enclosed.volume;
  }
  [[nodiscard]] std::string name() const override { return "mesh"; }
  [[nodiscard]] Bounds bounds() const override { return surface_.bounds(); }
  [[nodiscard]] double volume() const override { return volume_; }
  [[nodiscard]] bool holds(const Real3& centre, double radius) const override {
    const double least = (1 - fit_tolerance) * radius;
    return surface_.encloses(centre) && surface_.squared_distance_within(centre, radius) >= least * least;
  }
  [[nodiscard]] Real3 pulled_inside(const Real3& centre, double radius) const override {
    return pushed_off(centre, radius, [&](const Real3& point, double reach) {
      const double distance = std::sqrt(surface_.squared_distance_within(point, reach));
      return surface_.encloses(point) ? distance : -distance;
    });
  }
  [[nodiscard]] Real3 candidate(double radius, Random& random) const override {
    return random_in_box(bounds(), radius, random);
  }

 private:
  TriangleMesh mesh_;
  MeshSurface surface_;  // refers to mesh_
  double volume_ = 0;
};

}  // namespace

std::unique_ptr<FillRegion> make_region_mesh(TriangleMesh mesh) { return std::make_unique<FillMesh>(std::move(mesh)); }

}  // namespace scree::packing
