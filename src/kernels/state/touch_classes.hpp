#pragma once

#include "kernels/state/bodies.hpp"
#include "kernels/state/boundaries.hpp"

namespace scree::inline SCREE_BACKEND {

/// Traits of the interactions of a run (see laws/concept.hpp): bit k is set if interaction k has the trait.
struct InteractionBits {
  std::uint32_t holds_apart = 0, is_hertzian = 0, makes_bonds = 0;
};

/// The interaction of two bodies, and the index of its parameters. Both depend only on the class of touch of each body
/// or boundary, which is its material. Only pair_of() knows what a class is.
struct TouchClasses {
  Span<std::uint32_t> interaction;  ///< [n_classes^2] by ordered pair of classes; empty if there is only one
  std::uint32_t n_classes = 0;
  InteractionBits bits{};

  /// Ordered pair of the classes of two bodies: the index of their parameters.
  template <class R>
  SCREE_INLINE std::uint32_t pair_of(const BodyView<R>& bodies, index_t first, index_t second) const {
    return bodies.material[first] * n_classes + bodies.material[second];
  }
  /// The same for a boundary and a body.
  template <class R>
  SCREE_INLINE std::uint32_t pair_of(const BoundaryInfo& boundary, const BodyView<R>& bodies, index_t body) const {
    return boundary.material * n_classes + bodies.material[body];
  }

  /// Whether there is only one interaction, whatever the classes.
  SCREE_INLINE bool has_one() const { return interaction.size == 0; }
  SCREE_INLINE std::uint32_t interaction_of(std::uint32_t pair) const { return has_one() ? 0u : interaction[pair]; }
  SCREE_INLINE bool holds_apart(std::uint32_t pair) const { return has(bits.holds_apart, pair); }
  SCREE_INLINE bool is_hertzian(std::uint32_t pair) const { return has(bits.is_hertzian, pair); }
  SCREE_INLINE bool makes_bonds(std::uint32_t pair) const { return has(bits.makes_bonds, pair); }

 private:
  SCREE_INLINE bool has(std::uint32_t bits_of_trait, std::uint32_t pair) const {
    return (bits_of_trait >> interaction_of(pair) & 1u) != 0;
  }
};

}  // namespace scree::inline SCREE_BACKEND
