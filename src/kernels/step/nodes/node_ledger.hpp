#pragma once

#include "kernels/step/ledger/ledger_place.hpp"

namespace scree::inline SCREE_BACKEND {

/// Sums the energies of the nodes of one contact. On rigid bodies the viscous forces of all nodes have the same power
/// as one force at any point and a couple. So the contact gets one LedgerEntry, as if two spheres touched at that
/// point. LedgerModes counts the power of these forces on the modes of grains that deform.
template <class Law, class R, bool keeps = keeps_ledger<Law>>
class NodeLedger {
 public:
  SCREE_HD void add(const HistoryOf<Law>& history, R weight, const Vec3<R>& arm) {
    const LedgerEntry<R>& e = history.entry;
    stored_ += double(weight) * double(e.stored);
    normal_ += double(weight) * double(e.normal);
    (breaks_ ? breakage_ : friction_) += double(weight) * double(history.loss.friction);
    breaks_ = false;
    gained_ += double(weight) * double(history.loss.gained);
    last_viscous_ = double(weight) * convert<double>(e.viscous);
    viscous_ += last_viscous_;
    torque_ += cross(convert<double>(arm), last_viscous_);
  }
  /// Adds the energies of a breaking bond of a node. `lost` is the energy [J] that is lost and `gained` the energy that
  /// the springs gain, both divided by the weight of the node. `begins` tells that an ordinary contact begins at this
  /// node and is added next; its slip then counts as breakage, too.
  SCREE_HD void lose_bond(R weight, R lost, R gained, bool begins) {
    breakage_ += double(weight) * double(lost);
    gained_ += double(weight) * double(gained);
    breaks_ = begins;
    last_viscous_ = {0, 0, 0};
  }
  /// [N] The viscous force of the last added node on the second body.
  SCREE_INLINE Vec3<R> last_viscous() const { return convert<R>(last_viscous_); }

  /// Stores the entry of a contact behind the history of its row. `lever` is the arm from the centre of the second
  /// body, or of the body at a boundary, to the point where the force of the contact acts; `radius` is the radius of
  /// this body.
  SCREE_HD void store(const LedgerPlace<R>& place, std::size_t contact, const Vec3<R>& lever, R radius) const {
    const R length = norm(lever);
    place.put(contact, {.viscous = convert<R>(viscous_),
                        .overlap = R(2) * (radius - length),
                        .n = (R(-1) / math::max(length, R(1e-30))) * lever,
                        .stored = static_cast<R>(stored_),
                        .viscous_couple = convert<R>(torque_ - cross(convert<double>(lever), viscous_)),
                        .normal = static_cast<R>(normal_)});
  }
  [[nodiscard]] SCREE_INLINE LedgerLoss<R> loss() const {
    return {static_cast<R>(gained_), static_cast<R>(friction_), static_cast<R>(breakage_)};
  }

 private:
  double stored_ = 0, normal_ = 0, friction_ = 0, breakage_ = 0, gained_ = 0;  ///< [J]
  bool breaks_ = false;
  Vec3d last_viscous_{0, 0, 0};
  Vec3d viscous_{0, 0, 0}, torque_{0, 0, 0};  ///< [N], [N m] about the centre of the body
};

/// Without a ledger.
template <class Law, class R>
class NodeLedger<Law, R, false> {
 public:
  SCREE_INLINE void add(const HistoryOf<Law>&, R, const Vec3<R>&) {}
  SCREE_INLINE void lose_bond(R, R, R, bool) {}
  SCREE_INLINE Vec3<R> last_viscous() const { return {R(0), R(0), R(0)}; }
  SCREE_INLINE void store(const LedgerPlace<R>&, std::size_t, const Vec3<R>&, R) const {}
  SCREE_INLINE LedgerLoss<R> loss() const { return {}; }
};

}  // namespace scree::inline SCREE_BACKEND
