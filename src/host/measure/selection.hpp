#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scree/scene.hpp"
#include "scree/snapshot.hpp"

namespace scree {

/// Chooses particles by material, group and size.
class Selection {
 public:
  Selection() = default;
  /// A particle needs one name of each list; an empty list admits all particles. Throws CaseError with the path below
  /// the probe for a name that the scene does not have.
  Selection(const Scene& scene, const std::vector<std::string>& materials, const std::vector<std::string>& groups,
            std::optional<double> larger_than = {});

  [[nodiscard]] bool all() const { return materials_.empty() && groups_.empty() && !larger_than_; }
  /// Whether it asks for Snapshot::group.
  [[nodiscard]] bool needs_groups() const { return !groups_.empty(); }
  /// [n_particles] 1: chosen. The snapshot has groups if needs_groups().
  [[nodiscard]] std::vector<std::uint8_t> in(const Snapshot& particles) const;

 private:
  std::vector<std::uint8_t> materials_, groups_;  ///< 1: admitted, by index in the scene; empty: all are
  std::optional<double> larger_than_;
};

}  // namespace scree
