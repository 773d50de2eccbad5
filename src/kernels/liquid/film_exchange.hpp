#pragma once

#include "kernels/laws/with_liquid.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/boundaries.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/pairs.hpp"

namespace scree::inline SCREE_BACKEND {

/// The liquid of bridges between two materials.
struct FilmPair {
  std::uint32_t from_films = 0;
  double volume = 0;    ///< [m3] most liquid of a bridge, or 0
  double fraction = 0;  ///< [-] the same over the cube of the smaller radius, or 0

  SCREE_INLINE double most(double radius1, double radius2) const {
    const double smaller = math::min(radius1, radius2);
    return volume + fraction * smaller * smaller * smaller;
  }
};

/// [-] Part of the film of a sphere that lies in the shadow of another that touches it (Shi & McCarthy 2008).
SCREE_INLINE double part_of_film(double radius, double other) {
  const double sine = other / (radius + other);
  return 0.5 * (1 - math::sqrt(1 - sine * sine));
}

/// The data for the kernels of the exchange of liquid.
template <class R>
struct FilmViews {
  BodyView<R> bodies;
  Span<double> film;    ///< [n_bodies] [m3]
  Span<double> factor;  ///< [n_bodies] on the liquid that a body gives; below 1 if bridges ask for more than it has
  Span<std::uint32_t> exchanges;  ///< [n_bodies] number of its bridges that ask or give back in this step
  Span<FilmPair> of_pair;
  std::size_t n_materials;
  Span<BodyPair> pairs;
  Span<std::uint8_t> touching;
  Span<R> extra;  ///< [n_pairs * n_extra] history; its first number is the state of a bridge, see BridgeState
  std::uint32_t n_extra;
  const Control* control;

  SCREE_INLINE const FilmPair& kind(const BodyPair& pair) const {
    return of_pair[bodies.material[pair.first] * n_materials + bodies.material[pair.second]];
  }
  /// The state of the bridge in a slot; 0 if its liquid does not come from films.
  SCREE_INLINE R state(std::size_t slot) const {
    if (touching[slot] == 0 || kind(pairs[slot]).from_films == 0) { return R(0); }
    return extra[slot * n_extra];
  }
  /// Whether the bridge in a slot asks for liquid or gives it back.
  SCREE_INLINE bool exchanges_liquid(std::size_t slot) const {
    if (touching[slot] == 0) { return false; }
    const R state = extra[slot * n_extra];
    if (!BridgeState<R>::asks(state) && !BridgeState<R>::gives_back(state)) { return false; }
    return kind(pairs[slot]).from_films != 0;  // the number of another law may have another meaning
  }
};

/// First kernel: marks the bodies that exchange liquid. They are few, so the next kernels skip the others. One thread
/// per pair.
template <class R>
struct FilmNotes {
  FilmViews<R> of;

  SCREE_HD void operator()(std::size_t slot) const {
    if (of.control->halted != 0 || !of.exchanges_liquid(slot)) { return; }
    atomic_add(&of.exchanges[of.pairs[slot].first], std::uint32_t(1));
    atomic_add(&of.exchanges[of.pairs[slot].second], std::uint32_t(1));
  }
};

/// Second kernel: computes how much bridges ask of a body, relative to the liquid that it has. One thread per body.
template <class R>
struct FilmDemand {
  FilmViews<R> of;
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;

  SCREE_HD void operator()(std::size_t body) const {
    if (of.control->halted != 0 || of.exchanges[body] == 0) { return; }
    double parts = 0;
    for (offset_t k = incident_start[body]; k < incident_start[body + 1]; ++k) {
      const std::size_t slot = incident[k] >> 1;
      if (!BridgeState<R>::asks(of.state(slot))) { continue; }
      const BodyPair pair = of.pairs[slot];
      const index_t other = pair.first == body ? pair.second : pair.first;
      parts += part_of_film(double(of.bodies.radius[body]), double(of.bodies.radius[other]));
    }
    of.factor[body] = parts > 1 ? 1 / parts : 1;
  }
};

/// [m3] The liquid that each body of a pair gets; negative if it gives.
struct FilmTransfer {
  double first, second;
};

/// Third kernel: computes the liquid that bridges take and give back, and sets their states. One thread per pair.
template <class R>
struct FilmTransfers {
  FilmViews<R> of;
  Span<FilmTransfer> transfer;  ///< [n_pairs] kept where neither body exchanges liquid

  SCREE_HD void operator()(std::size_t slot) const {
    if (of.control->halted != 0) { return; }
    const BodyPair pair = of.pairs[slot];
    if (of.exchanges[pair.first] == 0 && of.exchanges[pair.second] == 0) { return; }
    transfer[slot] = {0, 0};
    const R state = of.state(slot);
    if (BridgeState<R>::gives_back(state)) {
      transfer[slot] = {0.5 * double(-state), 0.5 * double(-state)};
      of.extra[slot * of.n_extra] = R(0);
    } else if (BridgeState<R>::asks(state)) {
      of.extra[slot * of.n_extra] = fill(slot, pair);
    }
  }

 private:
  SCREE_HD R fill(std::size_t slot, const BodyPair& pair) const {
    const double r1 = double(of.bodies.radius[pair.first]), r2 = double(of.bodies.radius[pair.second]);
    double first = of.film[pair.first] * part_of_film(r1, r2) * of.factor[pair.first];
    double second = of.film[pair.second] * part_of_film(r2, r1) * of.factor[pair.second];
    const double most = of.kind(pair).most(r1, r2), sum = first + second;
    if (sum > most) { first *= most / sum, second *= most / sum; }
    const R volume = static_cast<R>(first + second);
    if (!BridgeState<R>::is_bridge(volume)) { return BridgeState<R>::dry(); }
    // The larger part takes the rounding error, so that no liquid is lost or created.
    (first > second ? first : second) = double(volume) - (first > second ? second : first);
    transfer[slot] = {-first, -second};
    return volume;
  }
};

/// Fourth kernel: changes the films of the bodies, and fills bridges to boundaries, which take nothing from the film.
/// One thread per body.
template <class R>
struct FilmChange {
  FilmViews<R> of;
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  Span<FilmTransfer> transfer;
  Span<index_t> row_of_body;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
  Span<R> slot_extra;  ///< [n_slots * n_extra]
  Span<Feature> feature;
  Span<BoundaryInfo> boundary;

  SCREE_HD void operator()(std::size_t body) const {
    if (of.control->halted != 0) { return; }
    double film = of.film[body];
    if (of.exchanges[body] != 0) {
      of.exchanges[body] = 0;
      for (offset_t k = incident_start[body]; k < incident_start[body + 1]; ++k) {
        const FilmTransfer& own = transfer[incident[k] >> 1];
        film += (incident[k] & 1u) == 0 ? own.first : own.second;
      }
      of.film[body] = film = math::max(film, 0.0);
    }
    const index_t row = row_of_body[body];
    if (row == no_index) { return; }
    for (offset_t k = row_start[row]; k < row_start[row + 1]; ++k) {
      const BoundarySlot<R>& slot = slots[k];
      if (slot.touching == 0) { continue; }
      const std::uint32_t material = boundary[feature[slot.feature].boundary].material;
      const FilmPair& kind = of.of_pair[of.bodies.material[body] * of.n_materials + material];
      if (kind.from_films == 0) { continue; }
      R& state = slot_extra[k * of.n_extra];
      const double radius = double(of.bodies.radius[body]);
      if (BridgeState<R>::gives_back(state)) { state = R(0); }
      if (BridgeState<R>::asks(state)) {
        const R volume = static_cast<R>(math::min(0.5 * film, kind.most(radius, radius)));
        state = BridgeState<R>::is_bridge(volume) ? volume : BridgeState<R>::dry();
      }
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
