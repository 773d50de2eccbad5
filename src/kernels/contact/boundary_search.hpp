#pragma once

#include "kernels/shapes/closest.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/contact_rows.hpp"

namespace scree::inline SCREE_BACKEND {

/// Features that a body can reach before the next search, in no particular order.
template <class R>
struct FeatureSearch {
  BoundaryView boundaries;
  Span<Vec3d> position;
  Span<R> radius, skin;
  double boundary_skin;  ///< [m] how far a boundary may move before the next search
  double range = 1;      ///< [-] farthest distance of a contact, in radii

  SCREE_HD double reach(std::size_t i) const { return range * double(radius[i]) + double(skin[i]) + boundary_skin; }

  /// A length [m] that no boundary is nearer than, at most `far`. Of meshes only the boxes are looked at.
  SCREE_HD double distance_bound(std::size_t i, double far) const {
    const Vec3d x = position[i];
    double bound = far;
    for (std::uint32_t f = 0; f < boundaries.first_facet; ++f) {
      const double square = closest_point(boundaries, boundaries.feature[f], x).square_distance;
      bound = square < bound * bound ? math::sqrt(math::max(square, 0.0)) : bound;
    }
    for (std::size_t b = 0; b < boundaries.info.size; ++b) {
      if (boundaries.info[b].n_nodes > 0) { bound_mesh_distance(boundaries.info[b], boundaries.pose[b], x, bound); }
    }
    return math::max(bound, 0.0);
  }

  template <class Meet>
  SCREE_HD void visit(std::size_t i, Meet&& meet) const {
    const Vec3d x = position[i];
    const double reach = this->reach(i);
    for (std::uint32_t f = 0; f < boundaries.first_facet; ++f) {
      if (closest_point(boundaries, boundaries.feature[f], x).square_distance <= reach * reach) { meet(f); }
    }
    for (std::size_t b = 0; b < boundaries.info.size; ++b) {
      if (boundaries.info[b].n_nodes > 0) { visit_mesh(boundaries.info[b], boundaries.pose[b], x, reach, meet); }
    }
  }

 private:
  /// Walks the hierarchy in the frame of the mesh, where it never changes; the facets themselves are tested as they
  /// stand.
  template <class Meet>
  SCREE_HD void visit_mesh(const BoundaryInfo& mesh, const Pose& pose, const Vec3d& x, double reach,
                           Meet&& meet) const {
    const Vec3d local = pose.place_back(x);
    const double padded = reach * (1.0 + 1e-9);  // rounding of the change of frame
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

/// Features that a body can keep from counting to listing; the few bodies with more are searched for twice.
inline constexpr offset_t features_kept = 12;

/// Counts features near a body and keeps the first of them; `near` is 1 where there is any. [n_bodies] Bodies that were
/// found far from all boundaries and have not moved that far since are passed over.
template <class R>
struct FeatureCount {
  static constexpr double far_in_radii = 4;  ///< how far the way to the nearest boundary is followed

  FeatureSearch<R> search;
  Span<R> clearance;
  Span<offset_t> count, near;
  Span<std::uint32_t> found;  ///< [n_bodies * features_kept]
  SCREE_HD void operator()(std::size_t i) const {
    const double reach = search.reach(i);
    offset_t n = 0;
    bool may_be_near = !(double(clearance[i]) > reach);
    if (may_be_near && clearance[i] != R(0)) {  // not among the near ones last time
      clearance[i] = static_cast<R>(0.9999 * search.distance_bound(i, reach + far_in_radii * double(search.radius[i])));
      may_be_near = !(double(clearance[i]) > reach);
    }
    if (may_be_near) {
      std::uint32_t* const kept = &found[i * features_kept];
      search.visit(i, [&](std::uint32_t feature) {
        if (n < features_kept) { kept[n] = feature; }
        ++n;
      });
      clearance[i] = n > 0 ? R(0) : R(-1);
    }
    count[i] = n;
    near[i] = n > 0 ? 1 : 0;
  }
};

/// Candidate contacts with boundaries: rows of bodies that have any, slots of a row in ascending order of feature.
template <class R>
struct BoundaryList {
  Buffer<index_t> row_of_body;   ///< [n_bodies] no_index where nothing is near
  Buffer<index_t> body_of_row;   ///< [n_rows]
  Buffer<offset_t> row_start;    ///< [n_rows + 1]
  Buffer<BoundarySlot<R>> slot;  ///< [n_slots]
  ContactRows<R> rows;           ///< [n_slots] history beyond the shear, and couples
};

/// Marks every body as far from all boundaries.
struct FillIndex {
  Span<index_t> row_of_body;
  SCREE_HD void operator()(std::size_t i) const { row_of_body[i] = no_index; }
};

/// Writes the slots of a body in ascending order of feature.
template <class R>
struct FeatureFill {
  FeatureSearch<R> search;
  Span<offset_t> start, row;  ///< scans of FeatureCount
  Span<std::uint32_t> found;  ///< by FeatureCount
  Span<index_t> row_of_body, body_of_row;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slot;

  SCREE_HD void operator()(std::size_t i) const {
    const offset_t begin = start[i];
    const bool any = start[i + 1] > begin;
    row_of_body[i] = any ? static_cast<index_t>(row[i]) : no_index;
    if (!any) { return; }
    body_of_row[row[i]] = static_cast<index_t>(i);
    row_start[row[i]] = begin;
    const offset_t end = start[i + 1];
    offset_t at = begin;
    if (end - begin <= features_kept) {
      for (; at < end; ++at) { slot[at].feature = found[i * features_kept + (at - begin)]; }
    } else {
      search.visit(i, [&](std::uint32_t feature) { slot[at++].feature = feature; });
    }
    for (offset_t k = begin + 1; k < end; ++k) {  // insertion sort: rows are short
      const std::uint32_t feature = slot[k].feature;
      offset_t hole = k;
      for (; hole > begin && feature < slot[hole - 1].feature; --hole) { slot[hole].feature = slot[hole - 1].feature; }
      slot[hole].feature = feature;
    }
  }
};

/// Takes the history of the slots of one row over from the old list; one thread per row.
template <class R>
struct FeatureInherit {
  Span<index_t> body_of_row;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slot;
  Span<index_t> order;  ///< old place of each body
  Span<index_t> old_row_of_body;
  Span<offset_t> old_row_start;
  Span<BoundarySlot<R>> old_slot;
  RowViews<R> rows, old_rows;  ///< what was taken over is taken out of the second

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
