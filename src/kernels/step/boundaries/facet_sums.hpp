#pragma once

#include "kernels/math/window_sum.hpp"
#include "kernels/step/boundaries/boundary_views.hpp"

/// Sums over the steps of a run of the loads of bodies on each facet of a mesh.
namespace scree::inline SCREE_BACKEND {

/// The sums of one facet. They are state of the run: hashed and saved.
struct FacetSums {
  WindowSum normal_impulse;  ///< [N s] of the normal forces
  WindowSum shear_impulse;   ///< [N s] of the magnitudes of the tangential forces of the contacts
  WindowSum sliding;         ///< [J] normal force times the sliding distance (Archard)
  WindowSum friction_work;   ///< [J] work of the tangential forces against the sliding on the surface
  WindowSum impact_energy;   ///< [J] m v^2 / 2 of all impacts, with the normal part of the velocity
  WindowSum cutting;         ///< [J] m v^2 of all impacts times Finnie's function of the angle
  std::uint64_t impacts = 0;

  /// Calls visit(sum) for each sum.
  template <class Self, class Visit>
  SCREE_HD static void each_sum(Self& self, Visit&& visit) {
    visit(self.normal_impulse), visit(self.shear_impulse), visit(self.sliding);
    visit(self.friction_work), visit(self.impact_energy), visit(self.cutting);
  }
};

/// [m2/s2] Finnie's cutting function times v^2, for a velocity with these components [m/s] along and into a surface.
/// The function is the part of m v^2 that cuts: sin 2a - 3 sin^2 a for tan a <= 1/3, else cos^2 a / 3 (Finnie, "Erosion
/// of surfaces by solid particles", Wear 3, 1960, with a ratio of 2 of the vertical to the horizontal force).
[[nodiscard]] SCREE_HD inline double cutting_square(double along, double into) {
  return 3 * into <= along ? (2 * along - 3 * into) * into : along * along / 3;
}

/// Adds the contacts of one row to the facets that they touch. It runs when the forces of a step are known, before the
/// bodies move. One thread per row.
template <class R>
struct AddFacetLoads {
  BodyView<R> bodies;
  BoundaryView boundaries;
  Span<index_t> body_of_row;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
  Span<std::uint8_t> touched;      ///< [n_slots] value of `touching` in the step before
  Span<std::uint32_t> first_face;  ///< [n_boundaries] place of the first facet; no_index: the boundary has no sums
  Span<FacetSums> face;
  Control* control;
  double duration = 0;  ///< [s] how long the forces of the step act on a velocity

  SCREE_INLINE AddFacetLoads at(const StepMoment<R>& moment) const {
    AddFacetLoads now = *this;
    now.duration = moment.ledger.kick;
    return now;
  }

  SCREE_HD void operator()(std::size_t row) const {
    if (control->halted != 0) { return; }
    const offset_t begin = row_start[row], end = row_start[row + 1];
    for (offset_t k = begin; k < end; ++k) {
      if (slots[k].touching != 0) { add(body_of_row[row], k, begin, end); }
    }
    for (offset_t k = begin; k < end; ++k) { touched[k] = slots[k].touching != 0 ? 1 : 0; }
  }

 private:
  SCREE_HD void add(index_t body, offset_t k, offset_t begin, offset_t end) const {
    const BoundarySlot<R>& slot = slots[k];
    const std::uint32_t boundary = boundaries.feature[slot.feature].boundary, first = first_face[boundary];
    if (first == no_index) { return; }
    const BoundaryInfo& info = boundaries.info[boundary];
    std::uint32_t facet = slot.feature - info.first_feature;
    if (info.facets_per_copy > 0) { facet %= info.facets_per_copy; }
    FacetSums& sums = face[first + facet];

    const Pose& pose = boundaries.pose[boundary];
    const Vec3d normal = convert<double>(slot.normal), force = convert<double>(slot.force);
    const Vec3d surface = pose.velocity + cross(pose.spin, slot.point) +
                          (boundaries.slides != 0 ? pose.sliding(slot.point, normal) : Vec3d{0, 0, 0});
    const Vec3d approach = convert<double>(Vec3<R>(bodies.velocity[body])) - surface;
    const Vec3d arm = slot.point - Vec3d(bodies.position[body]);
    const Vec3d slip =
        along_surface(approach + cross(convert<double>(Vec3<R>(bodies.angular_velocity[body])), arm), normal);
    const double pressing = dot(force, normal);
    const Vec3d shear = force - pressing * normal;
    sums.normal_impulse.add_atomic(duration * pressing);
    sums.shear_impulse.add_atomic(duration * norm(shear));
    if (pressing > 0) { sums.sliding.add_atomic(duration * pressing * norm(slip)); }
    sums.friction_work.add_atomic(-duration * dot(shear, slip));

    const double into = -dot(approach, normal);
    if (!(into > 0) || touched_before(boundary, begin, end)) { return; }
    const double inverse_mass = double(bodies.inverse_mass[body]);
    if (inverse_mass == 0) { return; }
    const double along = norm(along_surface(approach, normal));
    sums.impact_energy.add_atomic(0.5 * into * into / inverse_mass);
    sums.cutting.add_atomic(cutting_square(along, into) / inverse_mass);
    atomic_add(&sums.impacts, std::uint64_t(1));
  }

  /// Whether the body of the row touched the boundary in the step before. A body that goes on to the next facet does
  /// not hit the boundary again.
  SCREE_HD bool touched_before(std::uint32_t boundary, offset_t begin, offset_t end) const {
    for (offset_t k = begin; k < end; ++k) {
      if (touched[k] != 0 && boundaries.feature[slots[k].feature].boundary == boundary) { return true; }
    }
    return false;
  }
};

/// Notes which contacts touched in the last step, when a search has made new lists.
template <class R>
struct NoteTouched {
  Span<BoundarySlot<R>> slots;
  Span<std::uint8_t> touched;
  SCREE_HD void operator()(std::size_t k) const { touched[k] = slots[k].touching != 0 ? 1 : 0; }
};

/// Carries the digits of all sums of a facet.
struct CarryFacetSums {
  Span<FacetSums> face;
  SCREE_HD void operator()(std::size_t k) const {
    FacetSums::each_sum(face[k], [](WindowSum& sum) { sum.carry(); });
  }
};

}  // namespace scree::inline SCREE_BACKEND
