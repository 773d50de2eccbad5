#pragma once

#include <vector>

#include "kernels/state/touch_classes.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

/// The host's side of TouchClasses: which interaction each ordered pair of classes of touch has. It owns what kernels
/// see, and says what the class of a body or a boundary is.
class TouchTable {
 public:
  /// A class for each material.
  [[nodiscard]] static std::size_t classes_in(const Scene& scene) { return scene.materials.size(); }
  template <class R>
  [[nodiscard]] static std::vector<std::uint32_t> classes_of(const Bodies<R>& bodies) {
    return bodies.material.to_vector();
  }
  [[nodiscard]] static std::uint32_t class_of(const SceneBoundary& boundary) { return boundary.material; }

  /// `interaction` has the index of the interaction of each ordered pair of classes, [n_classes^2].
  void assign(std::size_t n_classes, std::vector<std::uint32_t> interaction, bool only_one) {
    n_classes_ = n_classes;
    interaction_ = std::move(interaction);
    if (!only_one) { for_kernels_.assign(interaction_, "contact law"); }
  }

  /// Index of the parameters of an ordered pair of classes.
  [[nodiscard]] std::size_t pair(std::size_t first, std::size_t second) const { return first * n_classes_ + second; }
  [[nodiscard]] std::uint32_t interaction_of(std::size_t pair) const { return interaction_.at(pair); }

  [[nodiscard]] TouchClasses view(const InteractionBits& bits) {
    return {for_kernels_.view(), static_cast<std::uint32_t>(n_classes_), bits};
  }

 private:
  std::size_t n_classes_ = 0;
  std::vector<std::uint32_t> interaction_;
  Buffer<std::uint32_t> for_kernels_;
};

}  // namespace scree::inline SCREE_BACKEND
