#pragma once

#include "kernels/laws/energies.hpp"
#include "kernels/math/cube_root.hpp"
#include "kernels/math/logarithm.hpp"

namespace scree::inline SCREE_BACKEND {

// The decrease of the pull of a bridge with its gap S. s = scale(R, V) S is a number; pull(F(0), s) is the force [N],
// and work(F(0), scale, s) its integral from 0 to S [J].

/// The closed form of Willett, Adams, Johnson & Seville (2000), F = F(0) / (1 + 1.05 s + 2.5 s^2), s = S sqrt(R / V).
template <class R>
struct WillettBridge {
  /// [1/m] s over S.
  SCREE_INLINE static R scale(R mean, R volume) { return math::sqrt(mean / volume); }
  SCREE_INLINE static R pull(R force, R s) { return force / (R(1) + (R(1.05) + R(2.5) * s) * s); }
  /// In closed form: F(0)/scale (2/w) atan(w s / (2 + 1.05 s)), w^2 = 10 - 1.05^2.
  SCREE_INLINE static R work(R force, R scale, R s) {
    constexpr R w = R(2.9828677475819623);
    return force / scale * (R(2) / w) * arctangent(w * s / (R(2) + R(1.05) * s));
  }

 private:
  /// Arctangent of 0 <= x < 3: the angle is halved three times, then the series is summed.
  SCREE_INLINE static R arctangent(R x) {
    const auto half = [](R t) { return t / (R(1) + math::sqrt(R(1) + t * t)); };
    const R t = half(half(half(x))), q = t * t;
    const R series =
        R(1) -
        q * (R(1.0 / 3) -
             q * (R(1.0 / 5) -
                  q * (R(1.0 / 7) - q * (R(1.0 / 9) - q * (R(1.0 / 11) -
                                                           q * (R(1.0 / 13) - q * (R(1.0 / 15) - q * R(1.0 / 17))))))));
    return R(8) * t * series;
  }
};

/// The closed form of Rabinovich, Esayanur & Moudgil (2005), F = F(0) / (1 + S/(2 d)) with the half width of the bridge
/// d = S/2 (sqrt(1 + 2 V/(pi R S^2)) - 1), which is F(0) (1 - s / sqrt(1 + s^2)), s = S sqrt(pi R / (2 V)). Their
/// second term, of the surface tension, is left out as Lambert, Chau, Delchambre & Regnier (2008) corrected it.
template <class R>
struct RabinovichBridge {
  SCREE_INLINE static R scale(R mean, R volume) { return math::sqrt(R(1.5707963267948966) * mean / volume); }
  SCREE_INLINE static R pull(R force, R s) {
    // 1 - s/q = 1/(q (q + s)), without cancellation
    const R q = math::sqrt(R(1) + s * s);
    return force / (q * (q + s));
  }
  /// 1 + s - sqrt(1 + s^2), likewise.
  SCREE_INLINE static R work(R force, R scale, R s) {
    return force / scale * (R(2) * s / (R(1) + s + math::sqrt(R(1) + s * s)));
  }
};

/// Dashpots [N s/m] of a viscous liquid between two surfaces that are h apart, with the reduced radius R*:
///   normal      6 pi mu R*^2 X^2 / h   (Reynolds' lubrication), X = 1 - 1 / sqrt(1 + 2 V / (pi 2R* h^2)) for a bridge
///                                      of the volume V (Pitois, Moucheront & Chateau 2000)
///   tangential  6 pi mu R* (8/15 ln(R*/h) + 0.9588)   (Goldman, Cox & Brenner 1967), never negative
template <class R>
struct Lubrication {
  R normal, tangential;

  /// `drag` [Pa s] is 6 pi mu.
  SCREE_INLINE static Lubrication at(R h, R drag, R reduced, R volume) {
    using Bridge = RabinovichBridge<R>;  // its pull falls with the gap as X does
    const R part = Bridge::pull(R(1), h * Bridge::scale(R(2) * reduced, volume));
    const Lubrication most = bound(h, drag, reduced);
    return {most.normal * part * part, most.tangential};
  }
  /// An upper bound for a bridge of any volume.
  SCREE_INLINE static Lubrication bound(R h, R drag, R reduced) {
    const R factor = R(8.0 / 15) * static_cast<R>(math::logarithm(double(reduced / h))) + R(0.9588);
    return {drag * reduced * reduced / h, drag * reduced * math::max(factor, R(0))};
  }
};

/// The meaning of the number for the bridge in the history of a contact: its volume [m3], or a request to the exchange
/// with the films of the bodies.
template <class R>
struct BridgeState {
  SCREE_INLINE static R ask() { return R(-1e30); }      ///< a new bridge, which asks for liquid
  SCREE_INLINE static R dry() { return R(2) * ask(); }  ///< it asked, and there was no liquid
  SCREE_INLINE static bool is_bridge(R state) { return state > R(1e-36); }
  SCREE_INLINE static bool asks(R state) { return state == ask(); }
  /// Whether the bridge has ruptured and returns its liquid: the volume is -state.
  SCREE_INLINE static bool gives_back(R state) { return state < R(0) && state > R(-1e29); }
};

/// Capillary bridges on top of a law without history and couples. A bridge of the volume V begins with a touch and
/// lasts while the bodies part, up to the gap S = (1 + theta/2) V^(1/3) (Lian, Thornton & Adams 1993), where it
/// ruptures. It pulls with F(0) = 2 pi R g cos(theta), R = 2 R*, while the bodies overlap, and less with a gap, as
/// `Form` says. R is the harmonic mean of the radii, and twice that of a sphere at a wall. V is given, or it is a
/// fraction of the volume of the smaller sphere. Every touch fills the bridge anew, and liquid is neither moved nor
/// used up; or a bridge takes its liquid from films, at most V: then it asks in its first step, and pulls from the next
/// one on (FilmSystem). A liquid with a viscosity also resists the motion, see Lubrication, at the gap S or, if that is
/// larger, at the roughness of the surfaces. Coulomb's limit is that of the force of the law.
template <class Law, class R, class Form = WillettBridge<R>>
struct WithLiquid {
  static_assert(HistoryOf<Law>::n_components == 0 && !has_couple<Law> && !scree::holds_apart<Law>);
  static constexpr bool is_hertzian = scree::is_hertzian<Law>;
  static constexpr bool holds_apart = true;
  static constexpr bool only_spheres = true;

  struct Params {
    typename Law::Params law;
    R tension;    ///< [N/m] 2 pi g cos(theta)
    R volume;     ///< [m3] of a bridge, or 0
    R fraction;   ///< [-] volume of a bridge over the cube of the smaller radius, or 0
    R reach;      ///< [-] 1 + theta/2
    R films;      ///< [-] 1: the liquid comes from films, else 0
    R drag;       ///< [Pa s] 6 pi times the viscosity
    R roughness;  ///< [m] above 0

    static constexpr int n_components = Law::Params::n_components + 7;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      constexpr int n = Law::Params::n_components;
      law.each(visit);
      visit(n, tension), visit(n + 1, volume), visit(n + 2, fraction), visit(n + 3, reach), visit(n + 4, films);
      visit(n + 5, drag), visit(n + 6, roughness);
    }
  };

  struct History {
    R volume;  ///< [m3] of the bridge; 0: there is none; below 0: see BridgeState

    static constexpr int n_components = 1;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, volume);
    }
  };

  struct Bridge {
    R volume;   ///< [m3]
    R rupture;  ///< [m] gap at which the bridge ruptures
    R force;    ///< [N] at gap 0
    R scale;    ///< [1/m] s over S
  };
  /// `before` is the volume of the bridge before this step, or 0.
  SCREE_INLINE static Bridge bridge(const ContactState<R>& c, const Params& p, R before) {
    const R smaller = math::min(c.radius1, c.radius2), mean = R(2) * c.effective_radius;
    const R most = math::max(p.volume + p.fraction * smaller * smaller * smaller, R(1e-36));
    const R volume = before > R(0) ? before : most;
    return {volume, p.reach * math::cbrt(volume), p.tension * mean, Form::scale(mean, volume)};
  }

  /// The dashpots of a bridge.
  SCREE_INLINE static Lubrication<R> lubrication(const ContactState<R>& c, const Params& p, const Bridge& b) {
    return Lubrication<R>::at(math::max(-c.overlap, p.roughness), p.drag, c.effective_radius, b.volume);
  }

  /// [J] The work that opens a bridge up to a gap. It is negative for an overlap.
  SCREE_INLINE static R work(const Bridge& b, R gap) {
    return Form::work(b.force, b.scale, b.scale * math::max(gap, R(0))) + b.force * math::min(gap, R(0));
  }

  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p, History& history) {
    const LawResponse<R> own = Law::evaluate(c, p.law);
    const Bridge b = bridge(c, p, history.volume);
    // Weights instead of conditions: the compiler would carry conditions through its jumps.
    const R touches = c.overlap >= R(0) ? R(1) : R(0);
    const R before = history.volume > R(0) ? R(1) : R(0);
    const R asked = history.volume < R(0) ? R(1) : R(0);
    const R holds = -c.overlap < b.rupture ? before : R(0);
    const R lasts = c.overlap >= R(0) ? math::max(before, R(1) - p.films) : holds;
    const R s = b.scale * math::max(-c.overlap, R(0));
    const R pull = Form::pull(lasts * b.force, s);
    const R waits = touches * (R(1) + asked) * BridgeState<R>::ask() - (R(1) - touches) * before * b.volume;
    history.volume = lasts * b.volume + p.films * (R(1) - lasts) * waits;
    const Lubrication<R> liquid = lubrication(c, p, b);
    const R along = lasts * liquid.normal, across = lasts * liquid.tangential;
    return {touches * own.normal - pull - along * c.normal_velocity,
            {touches * own.tangential.x - across * c.slip.x, touches * own.tangential.y - across * c.slip.y,
             touches * own.tangential.z - across * c.slip.z},
            {touches * own.shear.x, touches * own.shear.y, touches * own.shear.z},
            {}};
  }

  /// [N/m] 0 while the bodies are apart.
  SCREE_INLINE static R shear_stiffness(const ContactState<R>& c, const Params& p) {
    return (c.overlap >= R(0) ? R(1) : R(0)) * Law::shear_stiffness(c, p.law);
  }

  /// The stiffness of the law alone, since the pull falls with the gap and only makes a contact softer. The dashpots of
  /// the liquid add to those of the law.
  SCREE_INLINE static ContactStiffness<R> stiffness(const ContactState<R>& c, const Params& p) {
    ContactStiffness<R> k = Law::stiffness(c, p.law);
    const auto liquid = Lubrication<R>::bound(math::max(-c.overlap, p.roughness), p.drag, c.effective_radius);
    k.normal_dashpot += liquid.normal;
    k.shear_dashpot += liquid.tangential;
    return k;
  }

  /// The bridge stores the work of opening it, and loses it when it ruptures.
  SCREE_INLINE static LawEnergies<R> energies(const ContactState<R>& c, const Params& p, const LawResponse<R>& response,
                                              R stored_before, const History& before, const History& after) {
    const Bridge b = bridge(c, p, before.volume);
    const R s = b.scale * math::max(-c.overlap, R(0));
    const bool lasts = after.volume > R(0), ruptures = before.volume > R(0) && !lasts, touches = c.overlap >= R(0);
    const R pull = lasts ? Form::pull(b.force, s) : R(0);
    const Lubrication<R> film = lubrication(c, p, b);
    const R along = lasts ? film.normal : R(0), across = lasts ? film.tangential : R(0);
    LawResponse<R> own = response;
    own.normal = response.normal + pull + along * c.normal_velocity;
    own.tangential = response.tangential + across * c.slip;
    LawEnergies<R> e = Law::energies(c, p.law, own, stored_before);
    // When the bodies are apart, there are no springs, and the energy of the shear spring is lost.
    e.normal = (touches ? e.normal : R(0)) + (lasts ? work(b, -c.overlap) : R(0));
    e.stored = touches ? e.stored : R(0);
    e.friction = touches ? e.friction : R(0);
    e.breakage = (ruptures ? work(b, -c.overlap_before) : R(0)) + (touches ? R(0) : stored_before);
    e.viscous_normal = (touches ? e.viscous_normal : R(0)) - along * c.normal_velocity;
    e.viscous_tangential = (touches ? R(1) : R(0)) * e.viscous_tangential - across * c.slip;
    return e;
  }
};

}  // namespace scree::inline SCREE_BACKEND
