#pragma once

#include <string>
#include <vector>

#include "kernels/backend/primitives.hpp"
#include "kernels/contact/boundary_search.hpp"
#include "kernels/contact/gather.hpp"
#include "kernels/contact/motion.hpp"
#include "kernels/laws/all.hpp"
#include "kernels/neighbours/column_grid.hpp"
#include "kernels/neighbours/pair_search.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/boundaries.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/pairs.hpp"
#include "kernels/system_boundaries.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

/// The running system: state, and the short list of kernels that make a step.
template <class R>
class System {
 public:
  System(const Scene& scene, int threads);

  /// Runs up to `steps` steps; fewer when `stop` becomes true. Throws KernelFault.
  std::uint64_t advance(std::uint64_t steps, const std::atomic<bool>* stop);

  [[nodiscard]] std::uint64_t step_count() const { return step_; }
  [[nodiscard]] double time() const { return double(step_) * scene_.time_step; }
  [[nodiscard]] const Exec& exec() const { return exec_; }
  [[nodiscard]] std::size_t body_count() const { return n_bodies_; }

  [[nodiscard]] Snapshot snapshot(const SnapshotRequest& request);
  [[nodiscard]] StateHash hash();
  [[nodiscard]] EngineCounts counts();
  [[nodiscard]] std::vector<BoundaryLoad> boundary_loads();
  [[nodiscard]] std::vector<Real3> boundary_vertices(std::size_t index);
  [[nodiscard]] std::vector<MemoryItem> memory() const;

 private:
  friend struct SystemProbe;  // tests look inside

  // system.cpp: a step
  void step(std::uint64_t index);
  template <bool one_material, class Law>
  void contacts_and_motion(LawTable<Law>& table, const BodyMotion<R>& motion);
  void find_contacts();
  void find_pairs();
  void find_boundary_contacts();
  void sort_bodies(const ColumnGrid& grid);
  void choose_skins();
  void carry_history();
  [[nodiscard]] Span<CarriedShear<R>> carried_history();
  [[nodiscard]] ColumnGrid make_grid();
  [[nodiscard]] WrenchGather<R> wrench_gather();
  [[nodiscard]] std::vector<std::uint32_t> coordination_numbers() const;
  void read_control();
  [[noreturn]] void report_fault(std::uint64_t fault);

  Scene scene_;  ///< without its particles and meshes once they are on the backend
  Exec exec_;
  Primitives primitives_;

  Bodies<R> bodies_;
  std::size_t n_bodies_ = 0, n_start_ = 0;
  AnyLaw<R> law_;
  bool one_material_ = false;  ///< all particles are of the same material
  Pairs<R> pairs_;
  std::size_t n_pairs_ = 0;

  BoundarySystem boundary_;
  BoundaryList<R> near_boundary_, near_boundary_before_;
  Buffer<Wrench<R>> boundary_wrench_;

  Buffer<OutletPlane> outlet_planes_;
  Buffer<OutletCount> outlet_counts_;
  double quanta_per_mass_ = 1;

  Buffer<Control> control_;
  bool list_spent_ = true;
  std::uint64_t step_ = 0, rebuilds_ = 0;
  std::uint64_t list_step_ = 0;  ///< in which the lists were made
  double boundary_skin_ = 0;    ///< [m] how far boundaries may move before the next search
  double boundary_travel_ = 0;  ///< [m] at most, since the list was made
  double reach_ = 0;            ///< [m] no body is farther from the world's origin

  // Work space of the neighbour search.
  ColumnGrid grid_{};
  Buffer<std::uint64_t> keys_;
  Buffer<index_t> order_, column_start_;
  Buffer<offset_t> offsets_, carried_start_;
  Buffer<std::uint32_t> used_;
  Buffer<Vec3d> permuted_;
};

}  // namespace scree::inline SCREE_BACKEND
