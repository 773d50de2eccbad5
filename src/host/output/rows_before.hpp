#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/storage/state_arrays.hpp"
#include "scree/contact_readouts.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The values of a row of the series that the next row needs.
struct RowBefore {
  std::uint64_t step = 0;
  double time = 0;                     ///< [s]
  std::vector<double> work{};          ///< [J] [n_boundaries] of each boundary so far
  std::vector<double> removed_mass{};  ///< [kg] [n_outlet_names] so far; empty: an older checkpoint does not tell it
};

/// The last two rows that were due. A resumed run writes the row of its checkpoint once more. This row must compare
/// with the row before, as it did in the run before.
class RowsBefore {
 public:
  /// Remembers nothing where no boundary ever moves and no particle can leave.
  explicit RowsBefore(const Scene& scene);

  /// The row with which a row of this step compares; null: it is the first row.
  [[nodiscard]] const RowBefore* of(std::uint64_t step) const;
  /// Records a row that was due and has been written.
  void add(std::uint64_t step, double time, const std::vector<BoundaryLoad>& loads,
           const std::vector<double>& removed_mass);

  void save(std::vector<StateArray>& arrays) const;
  /// Without such arrays, and of a case with other boundaries or outlets, the next row is the first. Throws StateError.
  void restore(const std::vector<StateArray>& arrays);

 private:
  bool any_ = false;
  std::size_t n_boundaries_ = 0, n_outlets_ = 0;
  std::optional<RowBefore> last_, before_;
};

/// Whether the case moves a boundary or its surface, or lets forces move it, at any time of the run.
[[nodiscard]] bool ever_moves(const Scene& scene, std::size_t boundary);

}  // namespace scree
