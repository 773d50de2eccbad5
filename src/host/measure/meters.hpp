#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "host/case/describe_probes.hpp"
#include "host/geometry/cell_frame.hpp"
#include "host/measure/probes.hpp"
#include "host/packing/region.hpp"

namespace scree {

using ProbeRegion = std::unique_ptr<packing::FillRegion>;

/// Where a probe is made, and what it may look up there.
class ProbePlace {
 public:
  /// Refers to the scene. Meshes are looked for relative to `folder`.
  ProbePlace(const Scene& scene, std::filesystem::path folder);

  [[nodiscard]] const Scene& scene() const { return scene_; }
  /// The region of the key "region". Throws CaseError with the path in the probe.
  [[nodiscard]] ProbeRegion region(const Region& described) const;
  /// The same; without one, the whole cell. Throws CaseError if the cell does not repeat along x, y and z.
  [[nodiscard]] ProbeRegion region_or_cell(const std::optional<Region>& described) const;

 private:
  const Scene& scene_;
  std::filesystem::path folder_;
  std::optional<geometry::CellFrame> cell_;
};

}  // namespace scree
