#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "host/geometry/mesh_surface.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The closed meshes from whose inside an inlet keeps its particles, at their present places.
class InletSolids {
 public:
  /// Takes the boundaries of these names. The scene must outlive this.
  InletSolids(const std::vector<std::string>& names, const Scene& scene);

  /// Updates their places. A mesh that is absent has no inside.
  void find(Engine& engine);
  /// Whether one of them enclosed the point [m] when they were last found.
  [[nodiscard]] bool enclose(const Real3& point) const;

 private:
  struct Solid {
    std::size_t boundary;  ///< index in Scene::boundaries
    std::unique_ptr<const geometry::MeshSurface> surface;
    bool present = true;
    BoundaryLoad place;  ///< has its rotation and offset
  };
  std::vector<Solid> solids_;
};

}  // namespace scree
