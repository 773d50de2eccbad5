#pragma once

#include <vector>

#include "host/modes/elastic_body.hpp"
#include "host/modes/progress.hpp"

namespace scree::modes {

/// Surface points of a grain that may touch rigid, frictionless planes, and how they give way. The planes press along
/// the axes of the body frame, one from each side, and all go in by the same depth from where they touch the first
/// node. The grain may shift but not turn.
class PressedGrain {
 public:
  /// `axes`: those pressed along, of 0, 1 and 2. `largest` [spacings]: the deepest indentation that will be asked for.
  /// Throws CaseError (path: the name of the grain) when more than most_contacts nodes may touch.
  PressedGrain(const ElasticBody& body, const GrainShape& shape, const std::vector<std::size_t>& axes, double largest,
               const Progress& progress);

  struct State {
    Vector displacement;  ///< [unknowns] [spacings] without rigid motion
    double force = 0;     ///< sum over all planes: conjugate to the indentation
    double energy = 0;    ///< elastic
    std::size_t touching = 0;
  };
  /// The grain between planes that have gone in by `depth` [spacings].
  [[nodiscard]] State press(double depth) const;

  struct Reduced {
    Vector amplitude;  ///< [n modes]
    double force = 0, energy = 0;
  };
  /// The same when the grain can only deform by `modes` [unknowns x n] of the stiffness `stiffness` [n x n].
  [[nodiscard]] Reduced press_reduced(const Matrix& modes, const Matrix& stiffness, double depth) const;

  static constexpr std::size_t most_contacts = 6000;

 private:
  struct Contact {
    ShapeFunctions at;
    std::size_t axis = 0;
    double sign = 0;  ///< of the outward normal along the axis
    double gap = 0;   ///< [spacings] at first
  };
  void find_contacts(const GrainShape& shape, const std::vector<std::size_t>& axes, double largest);
  [[nodiscard]] SparseMatrix outward() const;  ///< [unknowns x contacts] unit loads outwards

  const ElasticBody& body_;
  std::vector<Contact> contact_;
  SparseMatrix outward_;
  Vector gap_;        ///< [contacts] [spacings] at first
  Matrix elastic_;    ///< [contacts x contacts] outward displacement by outward forces, without rigid motion
  Matrix in_motion_;  ///< [contacts x 3] the translations of the grain at the contacts, outward
  double loose_ = 0;  ///< compliance of the weak springs that hold the grain
};

}  // namespace scree::modes
