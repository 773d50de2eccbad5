#pragma once

#include <type_traits>

#include "kernels/readout/readout.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/step/nodes/touching_nodes.hpp"
#include "kernels/step/pairs/acting_pairs.hpp"
#include "kernels/step/pairs/bonds.hpp"
#include "kernels/step/pairs/pair_views.hpp"

/// Where touching pairs are, for readouts.
namespace scree::inline SCREE_BACKEND {

/// What details need of a touching pair, and what a contact of nodes has beside its record.
template <class R>
struct PackedDetail {
  Vec3<R> shear;
  bool bonded, by_nodes;
  Vec3d arm{0, 0, 0};                ///< [m] from the centre of the first body to the contact point of the nodes
  Vec3<R> couple{R(0), R(0), R(0)};  ///< [N m] as in ContactRows; 0 if the law has none
  R strength = R(0);                 ///< [-] of a whole bond of spheres
};
struct NoDetail {};

/// What the host needs of a touching pair beside the places of its bodies.
template <class R, bool detailed>
struct PackedPair {
  index_t first, second;  ///< positions in memory
  Vec3<R> force;
  R half_overlap;
  std::uint32_t image;
  std::conditional_t<detailed, PackedDetail<R>, NoDetail> detail;
};

/// Packs what readouts need of a touching pair.
template <class R, bool detailed>
struct PackPair {
  ActingPairs<R> acts;
  Span<PairForce<R>> force;
  Span<std::uint8_t> image;  ///< empty: there is no cell
  Span<Vec3<R>> shear;
  Span<NodeList> nodes;  ///< empty: there are no level-set grains
  Span<Vec3<R>> couple;
  std::uint32_t with_couples;  ///< bit k is set if interaction k has couples
  WholeBond<R> bond;

  SCREE_HD PackedPair<R, detailed> operator()(std::uint32_t slot) const {
    const PairForce<R> record = force[slot].read();
    const auto [first, second] = acts.pairs[slot];
    PackedPair<R, detailed> pair{
        first, second, record.force.vec3(), record.half_overlap(), image.size > 0 ? image[slot] : 0u, {}};
    if constexpr (detailed) {
      pair.detail = {shear[slot], bond.is_whole(slot), nodes.size > 0 && nodes[slot].count > 0};
      if (pair.detail.by_nodes) {
        pair.detail.arm = mean_arm(slot);
        pair.detail.couple = couple[slot];
      } else {
        add_moments(slot, pair.detail);
      }
    }
    return pair;
  }

 private:
  /// What the bond of a pair of spheres bears, and the moment of its resistance to rolling and twisting.
  SCREE_HD void add_moments(std::size_t slot, PackedDetail<R>& detail) const {
    const PairViews<R>& of = bond.of;
    const std::uint32_t law =
        of.classes.interaction_of(of.classes.pair_of(of.bodies, of.pairs[slot].first, of.pairs[slot].second));
    if ((with_couples >> law & 1u) != 0) { detail.couple = couple[slot]; }
    if (detail.bonded) { detail.strength = of.extra[slot * of.n_extra]; }
  }

  /// [m] From the centre of the first body to the mean contact point of the nodes, weighted by how they press; at
  /// bonds, which pull as well, by their stiffness. The bodies have moved on by a step since the forces; so the mean is
  /// off by a small part of their way in this step.
  SCREE_HD Vec3d mean_arm(std::size_t slot) const {
    const PairViews<R>& of = bond.of;
    const BodyPair pair = of.pairs[slot];
    const Vec3d branch = of.cell.branch(slot, of.bodies.position[pair.first], of.bodies.position[pair.second]);
    Vec3d mean{0, 0, 0};
    const auto take = [&](double share, const Vec3d&, const Vec3d& arm) { mean += share * arm; };
    const TouchingNodes<R> touching{*of.nodes, of.bodies};
    if (BondCursor<R>(of.nodes->bonds, slot).node() != BondCursor<R>::none) {
      touching.each_of_pair(slot, pair, branch, take);
    } else {
      const bool is_hertzian = of.classes.is_hertzian(of.classes.pair_of(of.bodies, pair.first, pair.second));
      touching.each_of_pair(slot, pair, branch, take, ByPressure<R>{is_hertzian});
    }
    return mean;
  }
};

template <class R>
struct FindPlaceBefore {
  BodyView<R> bodies;
  CellFlow<R> flow;
  double time_step;
  SCREE_HD PlaceBefore<R> operator()(std::size_t i) const {
    return {flow.place_before(bodies.position[i], convert<double>(bodies.velocity[i]), time_step), bodies.radius[i],
            bodies.id[i]};
  }
};

/// A touching pair at the moment of its forces.
struct LocatedPair {
  Vec3d force;   ///< [N] on the second body
  Vec3d normal;  ///< [-] from the first body to the second
  Vec3d point;   ///< [m] contact point
  Vec3d branch;  ///< [m] from the centre of the first body to the touched image of the second
  Vec3d couple;  ///< [N m] about the point; 0 unless nodes touch
  Image image;   ///< of the second body
};

/// Finds out where a packed pair touches.
struct LocatePair {
  Mat3d edges;  ///< [m] of the cell at that moment
  bool in_cell;

  template <class R, bool detailed>
  SCREE_HD LocatedPair operator()(const PlaceBefore<R>& one, const PlaceBefore<R>& two,
                                  const PackedPair<R, detailed>& pair) const {
    const Image image = in_cell ? image_of(static_cast<std::uint8_t>(pair.image)) : Image{0, 0, 0};
    const Vec3d within = two.position - one.position;
    const Vec3d branch = image.any() ? within + shift_of(edges, image) : within;
    const Vec3d along = (1 / norm(branch)) * branch, force = convert<double>(pair.force);
    const Vec3d of_record = one.position + (double(one.radius) - double(pair.half_overlap)) * along;
    LocatedPair located{force, along, of_record, branch, {0, 0, 0}, image};
    if constexpr (detailed) {
      if (pair.detail.by_nodes) {
        located.normal = mean_normal(force - convert<double>(pair.detail.shear), along);
        // The force and the couple of a record are equal to the forces at the nodes, but its point only lies on the
        // line of centres: see NodesInField::store.
        located.point = one.position + pair.detail.arm;
        located.couple = convert<double>(pair.detail.couple) + cross(of_record - located.point, force);
      }
    }
    return located;
  }

 private:
  /// The direction of the sum of the normal forces of all nodes, towards the second body. It is that of the branch
  /// where these forces cancel.
  SCREE_HD static Vec3d mean_normal(const Vec3d& force, const Vec3d& along) {
    const double size = norm(force);
    if (!(size > 0)) { return along; }
    return (dot(force, along) < 0 ? -1 / size : 1 / size) * force;
  }
};

template <class R>
[[nodiscard]] FindPlaceBefore<R> find_place_before(RunState<R>& run);
template <class R, bool detailed>
[[nodiscard]] PackPair<R, detailed> pack_pair(RunState<R>& run);
/// With the edges of the cell at the moment of the forces.
template <class R>
[[nodiscard]] LocatePair locate_pair(RunState<R>& run);

}  // namespace scree::inline SCREE_BACKEND
