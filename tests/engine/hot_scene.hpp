#pragma once

#include "engine_kit.hpp"

namespace scree::inline SCREE_BACKEND {

/// Gives all particles of a scene temperatures, with all ways of exchanging heat, and three kinds of boundaries. Losses
/// become heat where the scene keeps a ledger.
inline void make_hot(Scene& scene) {
  SceneHeat heat;
  heat.settings.temperature = 350;
  heat.settings.gas = GasFilm{0.03, 0.3, 1e-3 * bead};
  heat.settings.radiation = Radiation{1.2};
  heat.settings.dissipation = scene.energies ? 0.9 : 0;
  for (Material& material : scene.materials) { material.thermal = Thermal{50, 3, 0.8, {}}; }
  heat.pairs.assign(scene.materials.size() * scene.materials.size(), {100, 0.5, 0.5});
  scene.heat = heat;
  scene.interaction_range = std::max(scene.interaction_range, 1.31);
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    scene.particles.temperature.push_back(300 + double(i * 7 % 100));
  }
  for (std::size_t b = 0; b < scene.boundaries.size(); ++b) {
    if (b % 3 != 2) { scene.boundaries[b].temperature = 300 + 50 * double(b); }
    if (b % 3 == 2) { scene.boundaries[b].heat_flux = 1e4; }
  }
}

}  // namespace scree::inline SCREE_BACKEND
