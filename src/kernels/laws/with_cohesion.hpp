#pragma once

#include "kernels/laws/energies.hpp"

namespace scree::inline SCREE_BACKEND {

/// Linear cohesion on top of a law without history and couples: the bodies pull each other with k A as long as they
/// overlap, where k is an energy density and A an area of the contact. With the overlap u,
///   A = pi R* u (the circle of Hertz's contact), 4 pi R* u, or the circle in which the two spheres intersect,
///   A = pi u (2 r1 - u) (2 r2 - u) (2 (r1 + r2) - u) / (4 d^2),  d = r1 + r2 - u.
/// The potential of the pull is -k times the integral of A, which for the last area is the volume that the spheres
/// share. Coulomb's limit is that of the force of the law alone (the elastic force and its dashpot), or with
/// `reduces_friction` that of the whole normal force, if this is positive. A wall has no curvature.
template <class Law, class R>
struct WithCohesion {
  static_assert(HistoryOf<Law>::n_components == 0 && !has_couple<Law> && !scree::holds_apart<Law>);
  static constexpr bool is_hertzian = scree::is_hertzian<Law>;
  static constexpr bool only_spheres = true;

  struct Params {
    typename Law::Params law;
    R slope;             ///< [N/m2] pull over R* u: pi k or 4 pi k; 0 if the area is the circle of intersection
    R circle;            ///< [N/m2] pi k if the area is the circle of intersection, else 0
    R reduces_friction;  ///< [-] 1 or 0

    static constexpr int n_components = Law::Params::n_components + 3;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      constexpr int n = Law::Params::n_components;
      law.each(visit);
      visit(n, slope), visit(n + 1, circle), visit(n + 2, reduces_friction);
    }
  };

  /// [N] k A.
  SCREE_INLINE static R pull(const ContactState<R>& c, const Params& p) {
    const R overlap = math::max(c.overlap, R(0));
    const R curvature = curvature2(c), sum = R(1) + c.radius1 * curvature, bent = overlap * curvature;
    const R distance = sum - bent;
    const R square = overlap * (R(2) * c.radius1 - overlap) * (R(2) - bent) * (R(2) * sum - bent) /
                     (R(4) * math::max(distance * distance, R(1e-6)));
    return p.slope * c.effective_radius * overlap + p.circle * math::max(square, R(0));
  }

  /// [J] the integral of k A from u = 0.
  SCREE_INLINE static R potential(const ContactState<R>& c, const Params& p) {
    const R overlap = math::max(c.overlap, R(0));
    const R curvature = curvature2(c), sum = R(1) + c.radius1 * curvature;
    const R shared = (R(12) * c.radius1 - (R(4) * sum - curvature * overlap) * overlap) /
                     (R(12) * math::max(sum - overlap * curvature, R(1e-3)));
    return overlap * overlap * (R(0.5) * p.slope * c.effective_radius + p.circle * shared);
  }

  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p) {
    const LawResponse<R> own = Law::evaluate(c, p.law);
    const R cohesion = pull(c, p);
    // The law has applied Coulomb's limit of its own force. Cutting the force a second time gives the smaller of the
    // two limits.
    const R limit = p.law.friction * math::max(own.normal - p.reduces_friction * cohesion, R(0));
    const Vec3<R> tangential = coulomb_factor(own.tangential, limit) * own.tangential;
    const Vec3<R> kept = coulomb_factor(own.shear, limit) * own.shear;
    return {own.normal - cohesion, {tangential.x, tangential.y, tangential.z}, {kept.x, kept.y, kept.z}, {}};
  }

  SCREE_INLINE static R shear_stiffness(const ContactState<R>& c, const Params& p) {
    return Law::shear_stiffness(c, p.law);
  }

  /// The stiffness of the law alone, since the pull only makes a contact softer.
  SCREE_INLINE static ContactStiffness<R> stiffness(const ContactState<R>& c, const Params& p) {
    return Law::stiffness(c, p.law);
  }

  SCREE_INLINE static LawEnergies<R> energies(const ContactState<R>& c, const Params& p, const LawResponse<R>& response,
                                              R stored_before) {
    LawResponse<R> own = response;
    own.normal = response.normal + pull(c, p);
    LawEnergies<R> e = Law::energies(c, p.law, own, stored_before);
    e.normal = e.normal - potential(c, p);
    return e;
  }

 private:
  /// [1/m] 1/r2, or 0 for a wall. For a wall radius2 is the radius of the sphere, but the effective radius is exact.
  SCREE_INLINE static R curvature2(const ContactState<R>& c) {
    return math::max(R(1) / c.effective_radius - R(1) / c.radius1, R(0));
  }
};

}  // namespace scree::inline SCREE_BACKEND
