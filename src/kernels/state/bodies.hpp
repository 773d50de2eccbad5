#pragma once

#include <array>
#include <tuple>

#include "kernels/backend/records.hpp"
#include "kernels/math/four.hpp"
#include "kernels/math/small_sums.hpp"

namespace scree::inline SCREE_BACKEND {

/// How a checkpoint treats a field.
struct FieldNote {
  const char *name, *unit;
  bool saved;                   ///< false: the next search recomputes it, starting from zero
  bool may_be_missing = false;  ///< older checkpoints may lack it; it is then zero
};

/// The part of the velocities of a body that rounding has left out so far; see small_sums.hpp. Empty in double
/// precision.
template <class R>
struct VelocityRest {
  Vec3<R> velocity, angular_velocity;

  /// Reads and writes both as rows. Their fourth numbers have no meaning.
  SCREE_INLINE void load(Four<R>& v, Four<R>& w) const {
#if SCREE_ON_CUDA
    v = Four<R>::of(velocity), w = Four<R>::of(angular_velocity);
#else
    v.lane = *reinterpret_cast<const Unaligned*>(&velocity.x);
    const Unaligned last = *reinterpret_cast<const Unaligned*>(&velocity.z);
    w.lane = __builtin_shufflevector(last, last, 1, 2, 3, 3);
#endif
  }
  SCREE_INLINE void store(const Four<R>& v, const Four<R>& w) {
#if SCREE_ON_CUDA
    velocity = v.vec3(), angular_velocity = w.vec3();
#else
    *reinterpret_cast<Unaligned*>(&velocity.x) = __builtin_shufflevector(v.lane, w.lane, 0, 1, 2, 4);
    *reinterpret_cast<Unaligned*>(&velocity.z) = __builtin_shufflevector(v.lane, w.lane, 2, 4, 5, 6);
#endif
  }

#if !SCREE_ON_CUDA
 private:
  typedef R Unaligned __attribute__((vector_size(4 * sizeof(R)), aligned(sizeof(R)), may_alias));
#endif
};
template <>
struct VelocityRest<double> {};

/// The values that decide whether two bodies touch.
template <class R>
struct alignas(32) BodyPlace {
  Vec3d position;  ///< [m] centre of mass, world frame; always double
  R radius;        ///< [m]

  /// A copy, which a GPU reads by loads of 16 bytes.
  [[nodiscard]] SCREE_INLINE BodyPlace read() const {
#if defined(__CUDA_ARCH__)
    const Four<double> row = Four<double>::load(&position.x);
    if constexpr (sizeof(R) == 4) {
      return {row.vec3(), __int_as_float(__double2loint(row[3]))};
    } else {
      return {row.vec3(), row[3]};
    }
#else
    return *this;
#endif
  }
};

/// The values of a body, beyond its place, that a contact needs: two rows of four numbers, which are read as whole
/// vectors.
template <class R>
struct alignas(8 * sizeof(R)) BodySpeed {
  Vec3<R> velocity;          ///< [m/s]   at the middle of the last step
  R inverse_mass;            ///< [1/kg]  0 = fixed or removed
  Vec3<R> angular_velocity;  ///< [rad/s] world frame, at the middle of the last step
  R inverse_inertia;         ///< [1/(kg m2)]

  /// Velocity and inverse mass, as one row.
  [[nodiscard]] SCREE_INLINE Four<R> linear() const { return Four<R>::load(&velocity.x); }
  /// Angular velocity and inverse moment of inertia.
  [[nodiscard]] SCREE_INLINE Four<R> angular() const { return Four<R>::load(&angular_velocity.x); }
};

/// The values that decide how long the neighbour list holds for a body.
template <class R>
struct alignas(4 * sizeof(R)) BodyTravel {
  Vec3<R> travel;  ///< [m] displacement since the neighbour list was made
  R skin;          ///< [m] how far it may travel until the list is spent: its share
};

/// The state of all bodies, [n_bodies] each. Bodies are ordered in memory as the last neighbour search sorted them;
/// `id` is their permanent name. A member of a record is accessed by its name, as position() and all others.
template <class R>
struct Bodies {
  Buffer<BodyPlace<R>> place;
  Buffer<BodySpeed<R>> speed;
  Buffer<BodyTravel<R>> way;
  Buffer<R> clearance;  ///< [m] no boundary is nearer to the centre than this; 0: one is near, or the body is new
  Buffer<index_t> id;   ///< index in the scene
  Buffer<std::uint32_t> material;  ///< index in the scene's materials
  Buffer<VelocityRest<R>> rest;    ///< [m/s, rad/s] still to be added to the velocities; empty in double precision

  auto position() { return RecordMember(place, &BodyPlace<R>::position); }
  auto position() const { return RecordMember(place, &BodyPlace<R>::position); }
  auto radius() { return RecordMember(place, &BodyPlace<R>::radius); }
  auto radius() const { return RecordMember(place, &BodyPlace<R>::radius); }
  auto velocity() { return RecordMember(speed, &BodySpeed<R>::velocity); }
  auto velocity() const { return RecordMember(speed, &BodySpeed<R>::velocity); }
  auto angular_velocity() { return RecordMember(speed, &BodySpeed<R>::angular_velocity); }
  auto angular_velocity() const { return RecordMember(speed, &BodySpeed<R>::angular_velocity); }
  auto inverse_mass() { return RecordMember(speed, &BodySpeed<R>::inverse_mass); }
  auto inverse_mass() const { return RecordMember(speed, &BodySpeed<R>::inverse_mass); }
  auto inverse_inertia() { return RecordMember(speed, &BodySpeed<R>::inverse_inertia); }
  auto inverse_inertia() const { return RecordMember(speed, &BodySpeed<R>::inverse_inertia); }
  auto travel() { return RecordMember(way, &BodyTravel<R>::travel); }
  auto skin() { return RecordMember(way, &BodyTravel<R>::skin); }

  /// All buffers.
  auto all() {
    const auto all_but_rest = std::tie(place, speed, way, clearance, id, material);
    if constexpr (loses_increments<R>) {
      return std::tuple_cat(all_but_rest, std::tie(rest));
    } else {
      return all_but_rest;
    }
  }

  /// Calls visit(note, values) for every number of a body. `values` is a Buffer or a RecordMember.
  template <class Visit>
  void each_field(Visit&& visit) {
    visit(FieldNote{"position", "m", true}, position());
    visit(FieldNote{"velocity", "m/s", true}, velocity());
    visit(FieldNote{"angular_velocity", "rad/s", true}, angular_velocity());
    visit(FieldNote{"travel", "m", false}, travel());
    visit(FieldNote{"skin", "m", false}, skin());
    visit(FieldNote{"clearance", "m", false}, clearance);
    visit(FieldNote{"radius", "m", true}, radius());
    visit(FieldNote{"inverse_mass", "1/kg", true}, inverse_mass());
    visit(FieldNote{"inverse_inertia", "1/(kg m2)", true}, inverse_inertia());
    visit(FieldNote{"id", "1", true}, id);
    visit(FieldNote{"material", "1", true}, material);
    if constexpr (loses_increments<R>) { visit(FieldNote{"velocity_rest", "m/s, rad/s", true, true}, rest); }
  }
};

/// True if all() names every buffer. A buffer that is missing there would not be sorted.
static_assert(sizeof(Bodies<float>) == 7 * sizeof(Buffer<float>) &&
              std::tuple_size_v<decltype(std::declval<Bodies<float>&>().all())> == 7);

static_assert(std::is_same_v<PositionColumn, Column<Vec3d, sizeof(BodyPlace<float>)>>);
static_assert(std::is_same_v<PositionColumn, Column<Vec3d, sizeof(BodyPlace<double>)>>);
/// A number in BodyPlace.
template <class R>
using RadiusColumn = Column<R, sizeof(BodyPlace<R>)>;
/// A vector or a number in BodySpeed or in BodyTravel.
template <class T, class R>
using SpeedColumn = Column<T, sizeof(BodySpeed<R>)>;
template <class T, class R>
using TravelColumn = Column<T, sizeof(BodyTravel<R>)>;

/// The bodies as kernels see them: records, and each of their numbers by itself.
template <class R>
struct BodyView {
  Span<BodyPlace<R>> place;
  Span<BodySpeed<R>> speed;
  Span<BodyTravel<R>> way;
  PositionColumn position;
  RadiusColumn<R> radius;
  SpeedColumn<Vec3<R>, R> velocity, angular_velocity;
  SpeedColumn<R, R> inverse_mass, inverse_inertia;
  TravelColumn<Vec3<R>, R> travel;
  TravelColumn<R, R> skin;
  Span<R> clearance;
  Span<index_t> id;
  Span<std::uint32_t> material;
  Span<VelocityRest<R>> rest;
};

template <class R>
BodyView<R> view(Bodies<R>& bodies) {
  return {bodies.place.view(),
          bodies.speed.view(),
          bodies.way.view(),
          bodies.position().view(),
          bodies.radius().view(),
          bodies.velocity().view(),
          bodies.angular_velocity().view(),
          bodies.inverse_mass().view(),
          bodies.inverse_inertia().view(),
          bodies.travel().view(),
          bodies.skin().view(),
          bodies.clearance.view(),
          bodies.id.view(),
          bodies.material.view(),
          bodies.rest.view()};
}

/// [m] Removed bodies are parked here, far from all others, until the next neighbour search drops them. Programs know
/// it as removed_place.
inline constexpr double parking_place = 1e30;
/// Each parked body has a place of its own, so that two neighbours that leave together do not overlap there.
SCREE_INLINE Vec3d parked_position(index_t id) {
  return {parking_place, parking_place, parking_place * (1.0 + double(id))};
}
SCREE_INLINE bool is_parked(const Vec3d& position) { return position.x == parking_place; }
/// Parks a removed body.
template <class R>
SCREE_HD void park_body(const BodyView<R>& bodies, std::size_t i) {
  bodies.position[i] = parked_position(bodies.id[i]);
  bodies.velocity[i] = {};
  bodies.angular_velocity[i] = {};
  if constexpr (loses_increments<R>) { bodies.rest[i] = {}; }
  bodies.inverse_mass[i] = R(0);
}

}  // namespace scree::inline SCREE_BACKEND
