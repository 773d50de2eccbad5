#pragma once

#include "kernels/shapes/closest.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/contact_ranges.hpp"
#include "kernels/state/contact_rows.hpp"
#include "kernels/state/kept_list.hpp"

namespace scree::inline SCREE_BACKEND {

/// Finds the features that a body can reach before the next search, in no particular order. Features of absent
/// boundaries are left out.
template <class R>
struct FeatureSearch {
  BoundaryView boundaries;
  PositionColumn position;
  RadiusColumn<R> radius;
  TravelColumn<R, R> skin;
  double boundary_skin;  ///< [m] how far a boundary may move before the next search
  RangeOfBody range{};
  SpeedColumn<Vec3<R>, R> velocity{};
  R last_move = R(0);  ///< [s] length of the last step; 0: there was none, so nothing touches

  /// [m] Features within this distance of the centre of body i must be listed. The distance includes the features that
  /// the body touched before its last move, since such a contact may continue on a neighbouring feature. In a step a
  /// body moves at most by its radius: otherwise the run ends with a fault.
  SCREE_HD double reach(std::size_t i) const {
    const R moved = last_move > R(0) ? math::min(radius[i], last_move * norm(velocity[i])) : R(0);  // nan: the radius
    return range(i) * double(radius[i]) + double(skin[i]) + double(moved) + boundary_skin;
  }

  /// [m] A lower bound of the distance from body i to the nearest boundary, but at most `far`. For meshes it uses only
  /// the boxes of their leaves, which costs less than their facets.
  SCREE_HD double distance_bound(std::size_t i, double far) const {
    const Vec3d x = position[i];
    double bound = far;
    for (std::uint32_t f = 0; f < boundaries.first_facet; ++f) {
      if (is_absent(f)) { continue; }
      const double square = closest_point(boundaries, boundaries.feature[f], x).square_distance;
      bound = square < bound * bound ? math::sqrt(math::max(square, 0.0)) : bound;
    }
    for (std::size_t b = 0; b < boundaries.info.size; ++b) {
      if (has_tree(boundaries.info[b])) { bound_mesh_distance(boundaries.info[b], boundaries.pose[b], x, bound); }
    }
    return math::max(bound, 0.0);
  }

  /// Calls meet(feature) for each feature within reach of body i.
  template <class Meet>
  SCREE_HD void visit(std::size_t i, Meet&& meet) const {
    const Vec3d x = position[i];
    const double reach = this->reach(i);
    for (std::uint32_t f = 0; f < boundaries.first_facet; ++f) {
      if (is_absent(f)) { continue; }
      if (closest_point(boundaries, boundaries.feature[f], x).square_distance <= reach * reach) { meet(f); }
    }
    for (std::size_t b = 0; b < boundaries.info.size; ++b) {
      if (has_tree(boundaries.info[b])) { visit_mesh(boundaries.info[b], boundaries.pose[b], x, reach, meet); }
    }
  }

 private:
  SCREE_HD bool is_absent(std::uint32_t feature) const {
    return boundaries.info[boundaries.feature[feature].boundary].absent != 0;
  }
  SCREE_HD static bool has_tree(const BoundaryInfo& mesh) { return mesh.n_nodes > 0 && mesh.absent == 0; }

  /// Walks the tree of boxes in the frame of the mesh, where it never changes. The facets themselves are tested in
  /// their present place.
  template <class Meet>
  SCREE_HD void visit_mesh(const BoundaryInfo& mesh, const Pose& pose, const Vec3d& x, double reach,
                           Meet&& meet) const {
    const Vec3d local = pose.place_back(x);
    const double padded = reach * (1.0 + 1e-9);  // allows for the rounding of the change of frame
    std::uint32_t n = 0;
    while (n < mesh.n_nodes) {
      const BoxNode& node = boundaries.node[mesh.first_node + n];
      if (square_distance(local, node.min, node.max) > padded * padded) {
        n = node.skip;
        continue;
      }
      for (std::uint32_t k = 0; k < node.count; ++k) {
        const std::uint32_t f = boundaries.leaf_feature[node.first + k];
        if (closest_point(boundaries, boundaries.feature[f], x).square_distance <= reach * reach) { meet(f); }
      }
      ++n;
    }
  }

  SCREE_HD void bound_mesh_distance(const BoundaryInfo& mesh, const Pose& pose, const Vec3d& x, double& bound) const {
    const Vec3d local = pose.place_back(x);
    std::uint32_t n = 0;
    while (n < mesh.n_nodes) {
      const BoxNode& node = boundaries.node[mesh.first_node + n];
      const double square = square_distance(local, node.min, node.max);
      if (square >= bound * bound) {
        n = node.skip;
        continue;
      }
      if (node.count > 0) { bound = math::sqrt(square); }
      ++n;
    }
  }
};

/// How many features of each body are kept from counting to listing. Few bodies have more; the search visits these
/// bodies twice.
inline constexpr offset_t features_kept = KeptList::most;

/// The number of slots of a body and its number of rows (0 or 1), packed into one integer, so that a single scan sums
/// both. Rows are counted in the upper bits, as many as the number of bodies has.
struct PackedRows {
  int row_shift;

  static PackedRows of(std::size_t n_bodies) {
    int bits = 1;
    while ((n_bodies >> bits) != 0) { ++bits; }
    return {64 - bits};
  }
  SCREE_INLINE offset_t pack(offset_t n_slots) const { return n_slots | offset_t(n_slots > 0 ? 1 : 0) << row_shift; }
  SCREE_INLINE offset_t slots(offset_t packed) const { return packed & ((offset_t(1) << row_shift) - 1); }
  SCREE_INLINE offset_t rows(offset_t packed) const { return packed >> row_shift; }
};

/// Counts the features near each body and keeps the first of them; one thread per body. It passes over bodies whose
/// clearance says that no boundary can be within reach. SkinChoice shortens the clearance as bodies and boundaries
/// move.
template <class R>
struct FeatureCount {
  static constexpr double far_in_radii = 4;         ///< [-] largest clearance beyond the reach, in radii
  static constexpr double below_rounding = 0.9999;  ///< [-] takes more off a clearance than rounding can add to it

  FeatureSearch<R> search;
  Span<R> clearance;  ///< [n_bodies] [m] see Bodies
  PackedRows packed;
  Span<offset_t> count;  ///< [n_bodies] packed number of features
  KeptList found;
  SCREE_HD void operator()(std::size_t i) const {
    const double reach = search.reach(i);
    offset_t n = 0;
    bool may_be_near = !(double(clearance[i]) > reach);
    if (may_be_near && clearance[i] != R(0)) {  // 0: the body is new, or rests near a boundary
      const double bound = search.distance_bound(i, reach + far_in_radii * double(search.radius[i]));
      clearance[i] = static_cast<R>(below_rounding * bound);
      may_be_near = !(double(clearance[i]) > reach);
    }
    if (may_be_near) {
      search.visit(i, [&](std::uint32_t feature) {
        if (n < features_kept) { found.at(i, n) = feature; }
        ++n;
      });
      clearance[i] = n > 0 ? R(0) : R(-1);
    }
    count[i] = packed.pack(n);
  }
};

/// Candidate contacts with boundaries. Each body near a boundary has a row, and the slots of a row are in ascending
/// order of features.
template <class R>
struct BoundaryList {
  Buffer<index_t> row_of_body;   ///< [n_bodies] no_index where nothing is near
  Buffer<index_t> body_of_row;   ///< [n_rows]
  Buffer<offset_t> row_start;    ///< [n_rows + 1]
  Buffer<BoundarySlot<R>> slot;  ///< [n_slots]
  ContactRows<R> rows;           ///< [n_slots] history beyond the shear, and couples
};

/// Marks every body as far from all boundaries; one thread per body.
struct FillIndex {
  Span<index_t> row_of_body;
  SCREE_HD void operator()(std::size_t i) const { row_of_body[i] = no_index; }
};

/// Writes the row and the slots of each body, in ascending order of features; one thread per body.
template <class R>
struct FeatureFill {
  FeatureSearch<R> search;
  PackedRows packed;
  Span<offset_t> start;  ///< [n_bodies + 1] exclusive scan of FeatureCount::count
  KeptList found;        ///< the features that FeatureCount has kept
  Span<index_t> row_of_body, body_of_row;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slot;

  SCREE_HD void operator()(std::size_t i) const {
    const offset_t begin = packed.slots(start[i]), end = packed.slots(start[i + 1]), row = packed.rows(start[i]);
    if (i + 2 == start.size) { row_start[row_start.size - 1] = end; }
    const bool any = end > begin;
    row_of_body[i] = any ? static_cast<index_t>(row) : no_index;
    if (!any) { return; }
    body_of_row[row] = static_cast<index_t>(i);
    row_start[row] = begin;
    offset_t at = begin;
    if (end - begin <= features_kept) {
      for (; at < end; ++at) { slot[at].feature = found.at(i, at - begin); }
    } else {
      search.visit(i, [&](std::uint32_t feature) { slot[at++].feature = feature; });
    }
    for (offset_t k = begin + 1; k < end; ++k) {  // insertion sort, because rows are short
      const std::uint32_t feature = slot[k].feature;
      offset_t hole = k;
      for (; hole > begin && feature < slot[hole - 1].feature; --hole) { slot[hole].feature = slot[hole - 1].feature; }
      slot[hole].feature = feature;
    }
  }
};

/// Carries histories from the old list to the new one: each slot gets the history that the same body and feature had
/// before. One thread per row.
template <class R>
struct FeatureInherit {
  Span<index_t> body_of_row;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slot;
  Span<index_t> order;  ///< [n_bodies] old position in memory of each body
  Span<index_t> old_row_of_body;
  Span<offset_t> old_row_start;
  Span<BoundarySlot<R>> old_slot;
  RowViews<R> rows, old_rows;  ///< stacks are moved out of old_rows

  SCREE_HD void operator()(std::size_t row) const {
    const index_t old_row = old_row_of_body.size > 0 ? old_row_of_body[order[body_of_row[row]]] : no_index;
    for (offset_t k = row_start[row]; k < row_start[row + 1]; ++k) { inherit(k, old_row); }
  }

 private:
  SCREE_HD void inherit(offset_t k, index_t old_row) const {
    BoundarySlot<R>& fresh = slot[k];
    const std::uint32_t feature = fresh.feature;
    fresh = {};
    fresh.feature = feature;
    rows.clear(k);
    if (old_row == no_index) { return; }
    for (offset_t old = old_row_start[old_row]; old < old_row_start[old_row + 1]; ++old) {
      if (old_slot[old].feature != feature) { continue; }
      fresh = old_slot[old];
      rows.take(k, old_rows, old);
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
