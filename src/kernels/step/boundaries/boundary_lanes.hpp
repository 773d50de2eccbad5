#pragma once

#include <algorithm>
#include <bit>

#include "kernels/backend/host_sweep.hpp"
#include "kernels/laws/concept.hpp"
#include "kernels/laws/energies.hpp"
#include "kernels/math/eight.hpp"
#include "kernels/step/boundaries/boundary_stage.hpp"
#include "kernels/step/boundaries/eight_at_boundary.hpp"
#include "kernels/step/boundaries/placed_planes.hpp"
#include "kernels/step/ledger/entry_lanes.hpp"
#include "kernels/step/ledger/ledger_contacts.hpp"
#include "kernels/step/motion/gather.hpp"

#if !SCREE_ON_CUDA

/// Contacts of spheres with boundaries on the host. The contacts of several rows are packed into a stage, and geometry
/// and law work on whole vectors. Each lane does the same IEEE operations as SphereOnFeature does for one contact.
namespace scree::inline SCREE_BACKEND {

/// The stage of BoundaryContacts. take() packs a contact. The contacts of one row must follow one another, and finish()
/// must be called after the last one.
template <class Contacts>
class BoundaryLanes {
 public:
  using Geometry = typename Contacts::GeometryType;
  using Law = typename Contacts::LawType;
  using R = typename Geometry::Scalar;
  using Input = typename Contacts::Input;
  using Output = typename Contacts::Output;

  BoundaryLanes(const Contacts& contacts, PlacedPlanes& planes) : contacts_(contacts), planes_(planes) {
    for (auto& component : in_) { std::fill_n(component, stage_lanes<R>, R(1)); }
  }

  /// Packs the contact in slot k of a row. x is the centre of the body.
  SCREE_INLINE void take(std::size_t row, offset_t k, index_t body, const Vec3d& x) {
    const std::size_t lane = count_++;
    row_[lane] = row, slot_[lane] = k, body_[lane] = body;
    const auto& of = contacts_.of;
    const BoundarySlot<R>& slot = of.slots[k];
    const Feature& feature = of.boundaries.feature[slot.feature];
    const Pose& pose = of.boundaries.pose[feature.boundary];
    put_place(lane, slot, feature, pose, x);
    if (slot.touching == 0) { new_[n_new_++] = static_cast<std::uint32_t>(lane); }
    Input in;
    in.n = {R(0), R(0), R(0)};
    Geometry::load_size(of, slot, body, in);
    Geometry::load_motion(of, slot, pose, body, x, in);
    in.params = contacts_.params[of.classes_at(k, body)];
    in.history = contacts_.history_of_slot(k);
    in.each_loaded([&](int component, R& value) { in_[component][lane] = value; });
    if (count_ == stage_lanes<R>) { evaluate(); }
  }

  void finish() {
    evaluate();
    commit(sum_);
    row_of_sum_ = no_row;
  }

 private:
  typedef R Numbers __attribute__((vector_size(Eight::n * sizeof(R))));
  struct Doubles {
    double x[stage_lanes<R>], y[stage_lanes<R>], z[stage_lanes<R>];

    SCREE_INLINE void put(std::size_t lane, const Vec3d& v) { x[lane] = v.x, y[lane] = v.y, z[lane] = v.z; }
    [[nodiscard]] SCREE_INLINE Vec3d at(std::size_t lane) const { return {x[lane], y[lane], z[lane]}; }
    [[nodiscard]] SCREE_INLINE Vec3<Eight> eight(std::size_t first) const {
      return {Eight::load(&x[first]), Eight::load(&y[first]), Eight::load(&z[first])};
    }
  };

  /// Stores the values that place() needs. For a plane these are the normal and the distance. For other features it is
  /// the closest point, which gives both. If the closest point coincides with the centre of the sphere, normal and
  /// distance are stored instead.
  SCREE_INLINE void put_place(std::size_t lane, const BoundarySlot<R>& slot, const Feature& feature, const Pose& pose,
                              const Vec3d& x) {
    centre_.put(lane, x);
    Vec3d velocity = pose.velocity;
    if (grows_) { velocity += growth_velocity(contacts_.of.boundaries, feature, pose, slot.point); }
    velocity_.put(lane, velocity);
    spin_.put(lane, pose.spin);
    if (slides_) { surface_velocity_.put(lane, pose.surface_velocity), surface_spin_.put(lane, pose.surface_spin); }
    known_[lane] = -1;
    if (!Geometry::is_joined(slot)) {
      if (feature.kind == FeatureKind::plane) {
        const Surface& plane = planes_(slot.feature, feature);
        seen_.put(lane, plane.axis);
        distance_[lane] = dot(x - plane.point, plane.axis);
        return;
      }
      const Vec3d away = x - slot.point;
      if (!(dot(away, away) > 0)) {
        const Separation closest = separation(contacts_.of.boundaries, feature, x, slot.point);
        seen_.put(lane, closest.normal);
        distance_[lane] = closest.distance;
        return;
      }
    }
    known_[lane] = 0;
    seen_.put(lane, slot.point);
  }

  /// Does the part of SphereOnFeature::touch() before state_of(), for eight lanes.
  SCREE_INLINE void place(std::size_t first) {
    const auto put = [&](int component, const Eight& value) {
      *reinterpret_cast<Numbers*>(&in_[component][first]) = __builtin_convertvector(value.lane, Numbers);
    };
    const Eight::Mask known = *reinterpret_cast<const Eight::Mask*>(&known_[first]);
    const Vec3<Eight> x = centre_.eight(first), seen = seen_.eight(first), away = x - seen;
    const Eight length = math::sqrt(dot(away, away));
    const Eight distance = select(known, Eight::load(&distance_[first]), length);
    const Vec3<Eight> normal = select(known, seen, (Eight(1) / length) * away);
    put(0, normal.x), put(1, normal.y), put(2, normal.z);
    const Numbers radius = *reinterpret_cast<const Numbers*>(&in_[Geometry::Input::radius_component][first]);
    put(3, as_doubles(radius) - distance);
    const Numbers arm = radius - R(0.5) * *reinterpret_cast<const Numbers*>(&in_[3][first]);
    const Vec3<Eight> point = x - as_doubles(arm) * normal;
    point.x.store(&point_.x[first]), point.y.store(&point_.y[first]), point.z.store(&point_.z[first]);
    const Vec3<Eight> surface = surfaces(first, point, normal).velocity;
    put(4, surface.x), put(5, surface.y), put(6, surface.z);
    for (unsigned left = bits_up_to(distance, Eight(0)); left != 0; left &= left - 1) {
      const std::size_t lane = first + static_cast<std::size_t>(std::countr_zero(left));
      if (lane < count_) { Geometry::cross_over(contacts_.of, body_[lane]); }
    }
  }

  /// The surfaces at the contact points of eight lanes.
  SCREE_INLINE EightSurfaces surfaces(std::size_t first, const Vec3<Eight>& point, const Vec3<Eight>& normal) const {
    EightSurfaces result = EightSurfaces::of(velocity_.eight(first), spin_.eight(first), point);
    if (slides_) { result.slide(surface_velocity_.eight(first), surface_spin_.eight(first), point, normal); }
    return result;
  }

  void evaluate() {
    for (std::size_t lane = 0; lane < count_; lane += Eight::n) { place(lane); }
    for (; n_new_ > 0; --n_new_) {
      const std::uint32_t lane = new_[n_new_ - 1];
      for (int i = 0; i < 3; ++i) { in_[Geometry::Input::normal_before_component + i][lane] = in_[i][lane]; }
    }
    // The loop runs over whole vectors, see run_selected_range().
    const std::size_t whole = in_whole_vectors<R>(count_);
#pragma omp simd
    for (std::size_t lane = 0; lane < whole; ++lane) { evaluate_lane(contacts_, in_, out_, lane); }
    if constexpr (keeps_ledger<Law>) {
      const auto& of = contacts_.of;
      const LedgerPlace<R> place{of.extra, of.n_extra, of.ledger.rest};
      store_entry_lanes([&](std::size_t lane) { return place.row(slot_[lane]); }, count_, entry_lanes());
    }
    Wrench<R> sum = sum_;  // in registers
    for (std::size_t lane = 0; lane < count_; ++lane) {
      if (row_[lane] != row_of_sum_) {
        commit(sum);
        row_of_sum_ = row_[lane];
      }
      store(lane, sum);
    }
    sum_ = sum;
    if constexpr (keeps_ledger<Law>) {
      if (contacts_.of.ledger.on()) { add_to_ledger(); }
    }
    count_ = 0;
  }

  SCREE_INLINE Output output(std::size_t lane) const {
    Output out;
    out.each([&](int component, R& value) { value = out_[component][lane]; });
    if constexpr (keeps_ledger<Law>) {
      out.history.loss = out.loss;
      if constexpr (!has_couple<Law>) { out.history.entry.viscous_couple = {R(0), R(0), R(0)}; }
    }
    return out;
  }

  SCREE_INLINE void store(std::size_t lane, Wrench<R>& sum) const {
    Output out = output(lane);
    const offset_t k = slot_[lane];
    if (out.turned < Geometry::least_turned) { Geometry::cross_over(contacts_.of, body_[lane]); }
    if constexpr (keeps_ledger<Law>) {  // the entries have been stored
      out.history.own.each([&](int component, R& value) { row(k)[component] = value; });
      LedgerPlace<R>::put_rest(contacts_.of.ledger.rest, k, out.history.entry);
    } else {
      store_history<Law>(contacts_.of.extra, contacts_.of.n_extra, k, out.history);
    }
    contacts_.store(k, {in_[0][lane], in_[1][lane], in_[2][lane]}, point_.at(lane), out, sum);
  }

  SCREE_INLINE R* row(offset_t k) const { return &contacts_.of.extra[k * contacts_.of.n_extra]; }
  /// The lanes of the part of the entry that is in the history.
  SCREE_INLINE auto entry_lanes() const -> const R (*)[stage_lanes<R>] { return &out_[Output::first_of_entry]; }

  /// Adds the losses and the first half of the work of this step at the contacts on the stage.
  void add_to_ledger() const {
    const ContactLedger<R>& ledger = contacts_.of.ledger;
    const R(*loss)[stage_lanes<R>] = &out_[Output::first_loss];
    if (grows_ || contacts_.of.flow.any || ledger.flows(false)) {
      for (std::size_t lane = 0; lane < count_; ++lane) {
        const Output out = output(lane);
        contacts_.add_to_ledger(slot_[lane], body_[lane], out.history, out.couple);
      }
      return;
    }
    if (ledger.losses.size > 0) {
      for (std::size_t lane = 0; lane < count_; ++lane) {
        ledger.note_loss(slot_[lane], loss[1][lane] + loss[2][lane]);
      }
    }
    ledger.add_loss_lanes(loss, count_);
    alignas(64) double viscous[stage_lanes<R>], driven[stage_lanes<R>];
    for (std::size_t lane = 0; lane < count_; lane += Eight::n) { power_of_eight(lane, &viscous[lane], &driven[lane]); }
    ledger.add_boundary_lanes(viscous, driven, count_, false);
  }

  /// Computes the powers [W] of the viscous forces, and those of the boundaries on the bodies.
  SCREE_INLINE void power_of_eight(std::size_t first, double* viscous, double* driven) const {
    const auto three = [&](const R(*component)[stage_lanes<R>]) {
      return Vec3<Eight>{widened(&component[0][first]), widened(&component[1][first]), widened(&component[2][first])};
    };
    using Place = typename Geometry::Input;
    const Vec3<Eight> n = three(&in_[0]);
    const EightAtBoundary at{three(&in_[Place::velocity_component]),
                             three(&in_[Place::spin_component]),
                             widened(&in_[Place::radius_component][first]),
                             widened(&in_[Place::overlap_component][first]),
                             n,
                             surfaces(first, point_.eight(first), n)};
    Eight lost = at.viscous_power(three(entry_lanes())), given = dot(three(&out_[0]), at.surface.velocity);
    if constexpr (has_couple<Law>) {
      lost += at.couple_power(three(&out_[Output::viscous_couple_component]));
      given += dot(three(&out_[Output::couple_component]), at.surface.spin);
    }
    lost.store(viscous), given.store(driven);
  }

  /// Adds the sum of a row whose contacts are all known to the wrench of the row, and starts the sum of the next row.
  SCREE_INLINE void commit(Wrench<R>& sum) const {
    if (row_of_sum_ != no_row) { contacts_.add(row_of_sum_, sum); }
    sum = {{R(0), R(0), R(0)}, {R(0), R(0), R(0)}};
  }

  static constexpr std::size_t no_row = ~std::size_t(0);
  const Contacts& contacts_;
  const bool slides_ = contacts_.of.boundaries.slides != 0, grows_ = contacts_.of.boundaries.grows != 0;
  PlacedPlanes& planes_;
  std::size_t count_ = 0;
  std::size_t row_[stage_lanes<R>];
  offset_t slot_[stage_lanes<R>];
  index_t body_[stage_lanes<R>];
  std::uint32_t new_[stage_lanes<R>];  ///< lanes of contacts that begin
  std::size_t n_new_ = 0;
  /// `seen_` is the normal in lanes with `known_`, otherwise the closest point. Lanes after the last contact hold old
  /// values.
  alignas(64) Doubles centre_{}, seen_{}, velocity_{}, spin_{}, point_{};
  alignas(64) Doubles surface_velocity_{}, surface_spin_{};  ///< only where a surface slides
  alignas(64) double distance_[stage_lanes<R>] = {};
  alignas(64) long long known_[stage_lanes<R>] = {};
  alignas(64) R in_[Input::n_components][stage_lanes<R>];
  alignas(64) R out_[Output::n_components][stage_lanes<R>];
  std::size_t row_of_sum_ = no_row;
  Wrench<R> sum_{{R(0), R(0), R(0)}, {R(0), R(0), R(0)}};
};

}  // namespace scree::inline SCREE_BACKEND

#endif
