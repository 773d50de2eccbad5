#pragma once

#include "kernels/math/quaternion.hpp"
#include "kernels/state/bodies.hpp"

namespace scree::inline SCREE_BACKEND {

/// State of all clumps, one array per field, [n_clumps] each. A clump moves as one rigid body. Its members are bodies,
/// which the search and the contacts treat as single spheres. All fields are double in every precision, because they
/// need little memory and the members follow from them.
template <template <class> class A>
struct ClumpFields {
  A<Vec3d> position;           ///< [m]     centre of mass
  A<Vec3d> velocity;           ///< [m/s]   at the middle of the last step
  A<Quaterniond> orientation;  ///< principal axes -> world
  A<Vec3d> angular_velocity;   ///< [rad/s] world frame, at the middle of the last step
  /// [kg m2/s] world frame, at the same time; updated only by an integrator that has it as state
  A<Vec3d> angular_momentum;
  A<Vec3d> inertia;        ///< [kg m2] principal moments
  A<double> mass;          ///< [kg]    0: removed
  A<double> size;          ///< [-]     relative to its shape in the scene
  A<std::uint32_t> shape;  ///< index in the scene's shapes
  A<index_t> first;        ///< id of its first member; ids of the others follow
  A<index_t> id;           ///< number of the clump in the scene

  auto all() {
    return std::tie(position, velocity, orientation, angular_velocity, angular_momentum, inertia, mass, size, shape,
                    first, id);
  }

  /// One note per field, in the order of all().
  static constexpr auto notes() {
    return std::to_array<FieldNote>({{"position", "m", true},
                                     {"velocity", "m/s", true},
                                     {"orientation", "1", true},
                                     {"angular_velocity", "rad/s", true},
                                     {"angular_momentum", "kg m2/s", true},
                                     {"inertia", "kg m2", true},
                                     {"mass", "kg", true},
                                     {"size", "1", true},
                                     {"shape", "1", true},
                                     {"first_member", "1", true},
                                     {"id", "1", true}});
  }
};

using Clumps = ClumpFields<Buffer>;
using ClumpView = ClumpFields<Span>;
static_assert(sizeof(ClumpView) == sizeof(Span<double>) * std::tuple_size_v<decltype(std::declval<ClumpView&>().all())>,
              "all() names every member");
static_assert(ClumpView::notes().size() == std::tuple_size_v<decltype(std::declval<ClumpView&>().all())>);

inline ClumpView view(Clumps& clumps) {
  return std::apply([](auto&... field) { return ClumpView{field.view()...}; }, clumps.all());
}

/// The shapes of a run, and where the members of clumps stand in memory.
struct ClumpMembers {
  Span<std::uint32_t> shape_start;  ///< [n_shapes + 1]
  Span<Vec3d> place;  ///< [m] position of each member relative to the centre of mass, in principal axes, at size 1
  Span<index_t> body_of_id;  ///< [n_ids] position in memory of the body with an id
};

/// Members of clumps have an inverse moment of inertia of 0, which no single sphere has.
template <class R>
SCREE_INLINE bool is_member(R inverse_inertia) {
  return inverse_inertia == R(0);
}

}  // namespace scree::inline SCREE_BACKEND
