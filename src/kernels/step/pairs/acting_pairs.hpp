#pragma once

#include "kernels/laws/concept.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/pairs.hpp"
#include "kernels/state/touch_classes.hpp"

namespace scree::inline SCREE_BACKEND {

/// Decides which listed pairs readouts show as contacts. A pair is a contact if it touched in the last step, or if a
/// law held it apart. A pair that only remembers a broken bond is none; checkpoints and the hash of the state contain
/// such pairs, too.
template <class R>
struct ActingPairs {
  Span<std::uint8_t> touching;
  BodyView<R> bodies;
  Span<BodyPair> pairs;
  Span<R> extra;  ///< [n_pairs * n_extra] history beyond the shear
  std::uint32_t n_extra;
  TouchClasses classes;
  bool bonds;  ///< whether some law makes bonds; without it every touching pair is a contact

  SCREE_INLINE bool operator()(std::size_t slot) const {
    if (touching[slot] == 0) { return false; }
    if (!bonds || extra[slot * n_extra] != remembered_bond<R>) { return true; }
    const auto [i, j] = pairs[slot];
    return !classes.makes_bonds(classes.pair_of(bodies, i, j));  // the number means something else under other laws
  }
};

}  // namespace scree::inline SCREE_BACKEND
