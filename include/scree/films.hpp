#pragma once

#include <cstdint>

namespace scree {

/// The liquid on particles and in bridges at a moment, in runs with bridges whose liquid comes from films
/// (LiquidBridges::from_films).
struct FilmReport {
  double films = 0;             ///< [m3] liquid on particles and in their bridges to boundaries
  double bridges = 0;           ///< [m3] liquid in bridges between particles
  std::uint64_t n_bridges = 0;  ///< number of bridges between particles
};

}  // namespace scree
