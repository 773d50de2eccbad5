#pragma once

#include <vector>

#include "host/modes/elastic_body.hpp"
#include "host/modes/progress.hpp"

namespace scree::modes {

/// A grain that rigid, frictionless planes press, with the compliance of the nodes that may touch them. The planes
/// press along axes of the body frame, one from each side, and all move by the same depth from where they touch the
/// surface. The grain may shift but not rotate.
class PressedGrain {
 public:
  /// Planes press along `axes`, some of 0, 1 and 2, up to the indentation `largest` [spacings]. Throws CaseError (path:
  /// the name of the grain) if no node, or more than most_contacts nodes, may touch.
  PressedGrain(const ElasticBody& body, const GrainShape& shape, const std::vector<std::size_t>& axes, double largest,
               const Progress& progress);

  struct State {
    Vector displacement;       ///< [unknowns] [spacings] without rigid-body motion
    double force = 0;          ///< sum over all planes, which is conjugate to the indentation
    double energy = 0;         ///< elastic energy
    std::size_t touching = 0;  ///< number of nodes that touch
  };
  /// The state of the grain between planes with the indentation `depth` [spacings].
  [[nodiscard]] State press(double depth) const;

  struct Reduced {
    Vector amplitude;  ///< [n_modes]
    double force = 0, energy = 0;
  };
  /// The state if the grain can deform only by `modes` [unknowns x n_modes] with the stiffness [n_modes x n_modes].
  [[nodiscard]] Reduced press_reduced(const Matrix& modes, const Matrix& stiffness, double depth) const;

  static constexpr std::size_t most_contacts = 6000;

 private:
  struct Contact {
    ShapeFunctions at;
    std::size_t axis = 0;
    double sign = 0;  ///< sign of the outward normal along the axis
    double gap = 0;   ///< [spacings] initial distance to the plane
  };
  void find_contacts(const GrainShape& shape, const std::vector<std::size_t>& axes, double largest);
  [[nodiscard]] SparseMatrix outward() const;  ///< [unknowns x contacts] unit loads outwards

  const ElasticBody& body_;
  std::vector<Contact> contact_;
  SparseMatrix outward_;
  Vector gap_;        ///< [contacts] [spacings] initial distances to the planes
  Matrix elastic_;    ///< [contacts x contacts] outward displacement per outward force, without rigid-body motion
  Matrix in_motion_;  ///< [contacts x 3] outward displacement of the contacts by translations of the grain
  double loose_ = 0;  ///< compliance of the weak springs that hold the grain
};

}  // namespace scree::modes
