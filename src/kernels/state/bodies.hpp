#pragma once

#include <array>
#include <tuple>

#include "kernels/backend/buffer.hpp"
#include "kernels/math/small_sums.hpp"

namespace scree::inline SCREE_BACKEND {

/// How a checkpoint treats a field.
struct FieldNote {
  const char *name, *unit;
  bool saved;                   ///< false: the next search recomputes it, starting from zero
  bool may_be_missing = false;  ///< older checkpoints may lack it; it is then zero
};

/// Part of the velocities of a body that rounding has left out so far; see small_sums.hpp. Empty in double precision.
template <class R>
struct VelocityRest {
  Vec3<R> velocity, angular_velocity;
};
template <>
struct VelocityRest<double> {};

/// State of all bodies, one array per field, [n_bodies] each. A = Buffer (owns) or Span (view in kernels), R = float or
/// double. Bodies are ordered in memory as the last neighbour search sorted them; `id` is their permanent name.
template <template <class> class A, class R>
struct BodyFields {
  A<Vec3d> position;            ///< [m]     centre of mass, world frame; always double
  A<Vec3<R>> velocity;          ///< [m/s]   at the middle of the last step
  A<Vec3<R>> angular_velocity;  ///< [rad/s] world frame, at the middle of the last step
  A<Vec3<R>> travel;            ///< [m]     displacement since the neighbour list was made
  A<R> skin;                    ///< [m]     how far it may travel until the list is spent: its share
  A<R> clearance;               ///< [m]     no boundary is nearer to the centre than this; 0: one is near
  A<R> radius;                  ///< [m]
  A<R> inverse_mass;            ///< [1/kg]  0 = fixed or removed
  A<R> inverse_inertia;         ///< [1/(kg m2)]
  A<index_t> id;                ///< index in the scene
  A<std::uint32_t> material;    ///< index in the scene's materials
  A<VelocityRest<R>> rest{};    ///< [m/s, rad/s] still to be added to the velocities; empty in double precision

  auto all() {
    const auto all_but_rest = std::tie(position, velocity, angular_velocity, travel, skin, clearance, radius,
                                       inverse_mass, inverse_inertia, id, material);
    if constexpr (loses_increments<R>) {
      return std::tuple_cat(all_but_rest, std::tie(rest));
    } else {
      return all_but_rest;
    }
  }

  /// One note per field, in the order of all().
  static constexpr auto notes() {
    constexpr auto of_all = std::to_array<FieldNote>({{"position", "m", true},
                                                      {"velocity", "m/s", true},
                                                      {"angular_velocity", "rad/s", true},
                                                      {"travel", "m", false},
                                                      {"skin", "m", false},
                                                      {"clearance", "m", false},
                                                      {"radius", "m", true},
                                                      {"inverse_mass", "1/kg", true},
                                                      {"inverse_inertia", "1/(kg m2)", true},
                                                      {"id", "1", true},
                                                      {"material", "1", true},
                                                      {"velocity_rest", "m/s, rad/s", true, true}});
    std::array<FieldNote, of_all.size() - (loses_increments<R> ? 0 : 1)> notes{};
    for (std::size_t k = 0; k < notes.size(); ++k) { notes[k] = of_all[k]; }
    return notes;
  }
};

/// True if all() names every member. A field that is missing there would be neither sorted nor hashed.
template <template <template <class> class, class> class Fields>
inline constexpr bool lists_every_field =
    sizeof(Fields<Span, float>) ==
    sizeof(Span<float>) * std::tuple_size_v<decltype(std::declval<Fields<Span, float>&>().all())>;
static_assert(lists_every_field<BodyFields>);
template <class R>
inline constexpr bool notes_every_field =
    BodyFields<Span, R>::notes().size() == std::tuple_size_v<decltype(std::declval<BodyFields<Span, R>&>().all())>;
static_assert(notes_every_field<float> && notes_every_field<double>,
              "say of every field what a checkpoint does with it");

template <class R>
using Bodies = BodyFields<Buffer, R>;
template <class R>
using BodyView = BodyFields<Span, R>;

/// View of the fields of `bodies`.
template <class R>
BodyView<R> view(Bodies<R>& bodies) {
  return std::apply([](auto&... field) { return BodyView<R>{field.view()...}; }, bodies.all());
}

/// [m] Removed bodies are parked here, far from all others, until the next neighbour search drops them.
inline constexpr double parking_place = 1e30;
/// Each parked body has a place of its own, so that two neighbours that leave together do not overlap there.
SCREE_INLINE Vec3d parked_position(index_t id) {
  return {parking_place, parking_place, parking_place * (1.0 + double(id))};
}
SCREE_INLINE bool is_parked(const Vec3d& position) { return position.x == parking_place; }

}  // namespace scree::inline SCREE_BACKEND
