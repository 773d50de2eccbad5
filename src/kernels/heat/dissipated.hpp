#pragma once

#include "kernels/heat/heat_model.hpp"
#include "kernels/step/ledger/body_losses.hpp"

namespace scree::inline SCREE_BACKEND {

/// The share of the heat of a contact that each side gets. It follows from their effusivities. A boundary without a
/// temperature gets none.
struct HeatShare {
  Span<HeatPair> of_pair;  ///< [n_materials * n_materials]
  std::size_t n_materials;
  Span<BoundaryHeat> walls;     ///< [n_boundaries]
  Span<BoundaryInfo> boundary;  ///< [n_boundaries]

  SCREE_INLINE double of_first(std::uint32_t first, std::uint32_t second) const {
    return of_pair[first * n_materials + second].share_of_first;
  }
  SCREE_INLINE double of_first(Span<std::uint32_t> material, const BodyPair& pair) const {
    if (n_materials == 1) { return of_pair[0].share_of_first; }  // saves a look at the pair and its bodies
    return of_first(material[pair.first], material[pair.second]);
  }
  SCREE_INLINE double at_boundary(std::uint32_t material, std::uint32_t at) const {
    return walls[at].kind == WallKind::temperature ? of_first(material, boundary[at].material) : 1;
  }
};

/// Finds the heat that each body gets in a step from the losses of its contacts; one thread per body, after the motion.
template <class R>
struct DissipatedHeat {
  BodyLosses<R, HeatShare> losses;
  double part;          ///< [-] of the losses that becomes heat
  Span<double> gained;  ///< [n_bodies] [J]
  const Control* control;
  const StepMoment<R>* moment = nullptr;

  SCREE_HD void operator()(std::size_t body) const {
    if (control->halted == 0) { gained[body] = part * losses.of(body, moment->ledger); }
  }
#if !SCREE_ON_CUDA
  void work_on(std::size_t begin, std::size_t end) const { work_ahead(losses, *this, begin, end); }
#endif
};

}  // namespace scree::inline SCREE_BACKEND
